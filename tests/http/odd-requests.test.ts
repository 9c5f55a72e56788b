import { expect, test } from "vitest";

import { openSite } from "../helpers/site.ts";

test.each([
  ["no intent", {}],
  ["an unknown intent", { intent: "give-me-everything" }],
  ["an intent out of Object", { intent: "__proto__" }],
  ["an intent of another screen", { intent: "log-in" }],
  ["an intent of sign-up", { intent: "pay", plan: "3" }],
])("a form with %s is a 400 with a sentence", async (_name, fields) => {
  await using site = await openSite();
  const browser = site.openBrowser();
  await browser.logIn("member@dormouse.example");
  const answer = await browser.post("/", fields);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("This page has no such form.");
});

test.each([
  ["text/plain", "intent=log-out"],
  ["application/json", '{"intent":"log-out"}'],
  ["multipart/form-data; boundary=x", "nonsense"],
  ["", "intent=log-out"],
])("a body of type %j is a 400, never a fault", async (type, body) => {
  await using site = await openSite();
  const headers = { Origin: "http://dormouse.test", ...(type && { "Content-Type": type }) };
  const answer = await site.openBrowser().request("/login", { method: "POST", headers, body });
  expect(answer.status).toBe(400);
  expect(site.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("other methods and other addresses are refused without a fault", async () => {
  await using site = await openSite();
  const browser = site.openBrowser();
  for (const method of ["PUT", "PATCH", "DELETE", "POST"]) {
    for (const path of [
      "/",
      "/login",
      "/signup",
      "/signmeup",
      "/demo-gateway/methods",
      "/demo-gateway/card/x",
      "/demo-gateway/authenticate/x",
      "/demo-gateway/debit/x",
      "/webhooks/stripe",
      "/healthz",
      "/readyz",
      "/media/x.webp",
      "/nowhere",
    ]) {
      const answer = await browser.request(path, { method, headers: { Origin: "http://dormouse.test" } });
      expect(answer.status).toBeGreaterThanOrEqual(300);
      expect(answer.status).toBeLessThan(500);
    }
  }
  expect(site.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("an unknown address is a designed page", async () => {
  await using site = await openSite();
  const answer = await site.openBrowser().get("/wp-admin.php");
  expect(answer.status).toBe(404);
  expect(answer.text).toContain("We could not find that page");
  expect(answer.text).toContain("<title>We could not find that page – Dormouse</title>");
});
