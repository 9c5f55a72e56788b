import { expect, test } from "vitest";

import { ada, logIn } from "../helpers/account-page.ts";
import { openQuietSite } from "../helpers/site.ts";

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

test("an unknown address is a designed page", async () => {
  await using site = await openQuietSite();
  const answer = await site.openBrowser().get("/wp-admin.php");
  expect(answer.status).toBe(404);
  expect(answer.text).toContain("We could not find that page");
  expect(answer.text).toContain("<title>We could not find that page – Dormouse</title>");
});
