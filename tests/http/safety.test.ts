import { expect, test } from "vitest";

import { cards, createNewcomer, listCharges, anyCard, makeMethod, nora } from "../helpers/newcomer.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

const everyKindOfPage = [
  "/login",
  "/signup",
  "/signup?step=1",
  "/signup?step=4",
  "/signup?verify=x",
  "/signup?renew=x",
  "/signup.data?step=1",
  "/demo-gateway/card/x",
  "/demo-gateway/methods",
  "/",
  "/?view=read",
  "/?receipt=D-2026-000001",
  "/nowhere",
  "/media/nothing.webp",
  "/healthz",
  "/readyz",
  "/_.data",
];

test.each(everyKindOfPage)("%s carries the safety headers", async (path) => {
  await using site = await openSite();
  const { headers } = await site.openBrowser({ origin: "https://members.dormouse.test" }).get(path);
  const policy = headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("object-src 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("form-action 'self'");
  expect(policy).not.toContain("unsafe");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
  expect(headers.get("Strict-Transport-Security")).toContain("max-age=31536000");
  expect(headers.get("Cache-Control")).toMatch(/no-store|private/);
  expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
});

test("every inline script carries the nonce of its answer, and no two answers share one", async () => {
  await using site = await openSite();
  const browser = site.openBrowser();
  const nonces = new Set<string>();
  for (let count = 0; count < 3; count += 1) {
    const { headers, text } = await browser.get("/login");
    const nonce = /'nonce-([^']+)'/.exec(headers.get("Content-Security-Policy") ?? "")?.[1] ?? "";
    nonces.add(nonce);
    const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(2);
    for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
    expect(text).not.toMatch(/<[^>]+ style=/);
    expect(text).not.toMatch(/<[^>]+ on[a-z]+=/);
  }
  expect(nonces.size).toBe(3);
});

test.each([
  ["another site, by Sec-Fetch-Site", { "Sec-Fetch-Site": "cross-site" }],
  ["a sibling host", { "Sec-Fetch-Site": "same-site", Origin: "http://dormouse.test" }],
  ["nowhere", { "Sec-Fetch-Site": "none" }],
  ["another origin", { Origin: "https://evil.example" }],
  ["an origin on another port", { Origin: "http://dormouse.test:8080" }],
  ["a null origin", { Origin: "null" }],
  ["a client that does not say", {}],
])("a form from %s is refused on every route", async (_name, headers) => {
  await using site = await openSite();
  const browser = site.openBrowser();
  await browser.logIn("member@dormouse.example");
  for (const path of [
    "/",
    "/dashboard",
    "/login",
    "/signup",
    "/_.data",
    "/login.data",
    "/readyz",
    "/media/x.webp",
    "/nowhere",
  ]) {
    const answer = await browser.post(path, { intent: "log-out", scheme: "dawn" }, headers);
    expect([400, 403]).toContain(answer.status);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  expect((await browser.get("/")).status).toBe(200);
});

test.each([
  ["another site", { "Sec-Fetch-Site": "cross-site" }],
  ["another origin", { Origin: "https://evil.example" }],
  ["a client that does not say", {}],
])("no form of a sign-up is taken from %s, nor any of the gateway's", async (_name, headers) => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  const methodId = await makeMethod(browser, cards.paid);
  await visitor.tellDetails();
  const { code } = await visitor.readLetter();
  const pay = { intent: "pay", plan: "3", postcode: "EX1 1AA", methodId };
  const refuse = async (path: string, fields: Record<string, string>) => {
    const answer = await browser.post(path, fields, headers);
    expect([400, 403], `${path} ${fields.intent}`).toContain(answer.status);
    expect(answer.headers.getSetCookie()).toEqual([]);
  };
  for (const path of ["/signup", "/signup.data"]) {
    await refuse(`${path}?step=1`, { ...nora, firstName: "Mallory" });
    await refuse(`${path}?step=2`, { intent: "verify", oneTimeCode: code });
    await refuse(`${path}?step=2`, { intent: "resend" });
    await refuse(`${path}?step=2`, { intent: "plan", planType: "1" });
    await refuse(path, { intent: "verify-link", token: "x" });
    await refuse(path, { intent: "renew", token: "x" });
  }
  await visitor.typeCode(code);
  await visitor.choosePlan();
  await refuse("/signup?step=3", pay);
  const bank = (await visitor.pay({ card: "authentication" })).location ?? "";
  await refuse(bank, { intent: "complete" });
  const page = (await visitor.pay()).location ?? "";
  await refuse(page, { number: cards.paid, ...anyCard });
  await refuse("/demo-gateway/methods", { number: cards.paid, ...anyCard });
  await refuse("/demo-gateway/debit/x", { intent: "agree" });
  expect(await listCharges(site)).toEqual([]);
});

test("a step of sign-up has no inline style or handler, and asks no other host for anything", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const page = (await visitor.pay()).location ?? "";
  for (const path of ["/signup", "/signup?step=1", "/signup?step=2", "/signup?step=3", "/signup?verify=x", page]) {
    const { headers, text } = await visitor.browser.get(path);
    const nonce = /'nonce-([^']+)'/.exec(headers.get("Content-Security-Policy") ?? "")?.[1] ?? "";
    for (const [tag] of text.matchAll(/<script[^>]*>/g)) expect(tag).toContain(`nonce="${nonce}"`);
    expect(text).not.toMatch(/<[^>]+ style=/);
    expect(text).not.toMatch(/<[^>]+ on[a-z]+=/);
    expect(text).not.toMatch(/<(?:script|img|link|iframe|source)[^>]*(?:src|srcset|href)="(?:https?:)?\/\//);
  }
});

test("a form from our own page is taken, by either sign", async () => {
  await using site = await openSite();
  const fields = { intent: "scheme", scheme: "dawn" };
  expect((await site.openBrowser().post("/login", fields, { "Sec-Fetch-Site": "same-origin" })).status).toBe(303);
  expect((await site.openBrowser().post("/login", fields, { Origin: "http://dormouse.test" })).status).toBe(303);
});

test("reading changes nothing", async () => {
  await using site = await openSite();
  const browser = site.openBrowser();
  await browser.logIn("member@dormouse.example");
  for (const path of ["/?intent=log-out", "/?intent=scheme&scheme=dawn", "/login?intent=log-out"]) {
    expect((await browser.get(path)).headers.getSetCookie()).toEqual([]);
    await browser.request(path, { method: "HEAD" });
  }
  expect((await browser.get("/")).status).toBe(200);
});

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
  expect(answer.text).toContain("There is nothing here");
});

test("a fault is a designed page that says nothing of itself, and a log line that does", async () => {
  await using site = await openSite();
  const browser = site.openBrowser();
  await browser.logIn("member@dormouse.example");
  site.rooms.catalogue.findItem = () => {
    throw new Error("secret-cause");
  };
  const answer = await browser.get("/?view=read&item=1001");
  expect(answer.status).toBe(500);
  expect(answer.text).toContain("Something went wrong");
  expect(answer.text).not.toContain("secret-cause");
  expect(answer.headers.get("Content-Security-Policy")).toContain("object-src");
  const faults = site.log.lines.filter(({ level }) => level === "error");
  expect(faults).toHaveLength(1);
  expect(faults[0]?.facts).toMatchObject({ method: "GET", error: new Error("secret-cause") });
});

test("health and readiness tell apart what runs and what can serve", async () => {
  await using site = await openSite();
  const browser = site.openBrowser();
  expect(await browser.get("/healthz")).toMatchObject({ status: 200, text: "ok\n" });
  expect(await browser.get("/readyz")).toMatchObject({ status: 200, text: '{"database":true,"catalogue":true}' });
  site.rooms.checkReadiness = async () => ({ database: false, catalogue: true });
  expect((await browser.get("/readyz")).status).toBe(503);
  expect((await browser.get("/healthz")).status).toBe(200);
});
