import { readdirSync } from "node:fs";
import { expect, test } from "vitest";

import { toScreenPath } from "../../app/routes/desk/navigation.ts";
import { ada, logIn } from "../helpers/account-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { openSite, openQuietSite } from "../helpers/site.ts";

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

test("every kind of page carries the safety headers, asked for by whatever method", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser({ origin: "https://members.dormouse.test" });
  const requests = [
    ...everyKindOfPage.map((path) => ["GET", path]),
    ["OPTIONS", "/login"],
    ["PROPFIND", "/login"],
  ] as const;
  for (const [method, path = "/"] of requests) {
    const { status, headers } = await browser.request(path, { method });
    if (method !== "GET") expect(status, method).toBe(405);
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy, path).toContain("object-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("X-Content-Type-Options"), path).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("Strict-Transport-Security")).toContain("max-age=31536000");
    expect(headers.get("Cache-Control"), path).toMatch(/no-store|private/);
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  }
});

test("every page has the same policy, so that it also holds where a click leads to another page by script", async () => {
  await using site = await openSite();
  const screens = readdirSync("app/routes/desk/screens").map(toScreenPath);
  const desk = await openDesk(site, "owner");
  const member = await logIn(site, ada);
  const films = ["/?view=watch&item=1001&play=1", "/?view=watch&item=4001", "/?account=details"];
  const pages = [
    ...["/", ...films, "/signup", "/signup?step=1", "/login", "/privacy", "/nowhere"].map((path) => member.get(path)),
    ...screens.map((path) => desk.get(`/desk/${path.replace(":id", "watch-1001")}`)),
    site.openBrowser().get("/company"),
  ];
  const policies = (await Promise.all(pages)).map(({ headers }) =>
    headers.get("Content-Security-Policy")?.replace(/'nonce-[^']+'/, "'nonce'"),
  );
  expect(new Set(policies)).toEqual(new Set([expect.stringContaining("; frame-src 'self' https://www.youtube")]));
});

test("every inline script carries the nonce of its answer, and no two answers share one", async () => {
  await using site = await openQuietSite();
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

test("reading changes nothing", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  for (const path of ["/?intent=log-out", "/?intent=scheme&scheme=dawn", "/login?intent=log-out"]) {
    expect((await browser.get(path)).headers.getSetCookie()).toEqual([]);
    await browser.request(path, { method: "HEAD" });
  }
  expect((await browser.get("/")).status).toBe(200);
});

test("a fault shows a designed page without details, and is logged with them", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
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

test("health says that the server runs, readiness that it can serve", async () => {
  await using site = await openSite();
  const browser = site.openBrowser();
  expect(await browser.get("/healthz")).toMatchObject({ status: 200, text: "ok\n" });
  expect(await browser.get("/readyz")).toMatchObject({ status: 200, text: '{"database":true,"catalogue":true}' });
  site.services.checkReadiness = async () => ({ database: false, catalogue: true });
  expect((await browser.get("/readyz")).status).toBe(503);
  expect((await browser.get("/healthz")).status).toBe(200);
});
