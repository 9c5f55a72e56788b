import { expect, test } from "vitest";

import { readWords } from "../helpers/page.ts";
import { ada, logIn } from "../helpers/account-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { openQuietSite, openSite, withoutContent } from "../helpers/site.ts";
import { apiPaths } from "../safety/addresses.ts";

test("an unknown form is a 400 with a sentence", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  for (const intent of [undefined, "give-me-everything", "__proto__", "log-in", "pay"]) {
    const answer = await browser.post("/", intent === undefined ? {} : { intent, plan: "3" });
    expect(answer.status, intent).toBe(400);
    expect(answer.text).toContain("This page has no such form.");
  }
});

test("a body that is no form is a 400, never a fault", async () => {
  await using site = await openQuietSite();
  for (const [type, body] of [
    ["text/plain", "intent=log-out"],
    ["application/json", '{"intent":"log-out"}'],
    ["multipart/form-data; boundary=x", "nonsense"],
    ["", "intent=log-out"],
  ] as const) {
    const headers = { Origin: "http://dormouse.test", ...(type && { "Content-Type": type }) };
    const answer = await site.openBrowser().request("/login", { method: "POST", headers, body });
    expect(answer.status, type).toBe(400);
  }
  expect(site.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("no NUL of an address, a form or a call reaches a database that takes none", async () => {
  await using site = await openSite(
    { API_KEY: "a-key-that-is-hard-to-guess" },
    { ...withoutContent, engine: "postgres" },
  );
  const { browser } = await openDesk(site);
  for (const path of [
    "/desk?q=a%00b",
    "/desk/codes?q=%00",
    "/desk/audit?by=a%00&act=%00&member=a%00&from=%00",
    "/login?reset=3&token=a%00b",
  ]) {
    expect((await browser.get(path)).status, path).toBeLessThan(500);
  }
  const program = { "X-Api-Key": "a-key-that-is-hard-to-guess", "Content-Type": "application/json" };
  const body = JSON.stringify({ email: "a\0b@dormouse.example", password: "a\0b", code: "\0", productCode: "a\0" });
  for (const path of apiPaths) {
    const answer = await browser.request(`/api/${path}?email=a%00b`, { method: "POST", headers: program, body });
    expect(answer.status, path).toBeLessThan(500);
  }
  const typed = { intent: "log-in", email: "a\0b@dormouse.example", password: "\0" };
  expect((await site.openBrowser().post("/login", typed)).status).toBe(400);
  expect(site.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("an unknown address is a designed page", async () => {
  await using site = await openQuietSite();
  const answer = await site.openBrowser().get("/wp-admin.php");
  expect(answer.status).toBe(404);
  expect(readWords(answer.text)).toContain("We couldn't find that page");
  expect(answer.text).toContain("<title>We couldn&#x27;t find that page – Dormouse</title>");
});
