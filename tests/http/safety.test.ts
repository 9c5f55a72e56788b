import { expect, test } from "vitest";

import { createNewcomer } from "../helpers/newcomer.ts";
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
  // No route takes a line break.
  "/a%0Ab",
  "/a%0Ab.data",
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

test.each(["OPTIONS", "PROPFIND", "CHECKOUT"])("a page asked for by %s has them too", async (method) => {
  await using site = await openSite({}, withoutContent);
  const { status, headers } = await site.openBrowser().request("/login", { method });
  expect(status).toBe(405);
  expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Cache-Control")).toBe("private, no-store");
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

test("a fault is a designed page that says nothing of itself, and a log line that does", async () => {
  await using site = await openSite();
  const browser = site.openBrowser();
  await browser.logIn("member@dormouse.example");
  site.services.catalogue.findItem = () => {
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
  site.services.checkReadiness = async () => ({ database: false, catalogue: true });
  expect((await browser.get("/readyz")).status).toBe(503);
  expect((await browser.get("/healthz")).status).toBe(200);
});
