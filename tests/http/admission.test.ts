import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

import type { Admit } from "../../server/platform/http/http-server.ts";
import { ada, logIn, findMember } from "../helpers/account-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { type Browser, openQuietSite, type Site } from "../helpers/site.ts";
import { fillPattern, patterns, type RoutePattern } from "../safety/addresses.ts";

const builtEntry = pathToFileURL("build/server/index.js").href;

const multipart = { "Content-Type": "multipart/form-data; boundary=x" };

/** Decides by the head of a request. */
async function openAdmissionApp({ services }: Site) {
  const { createAdmission } = (await import(builtEntry)) as {
    createAdmission(given: typeof services): Admit;
  };
  const admit = createAdmission(services);
  return (
    browser: Browser,
    path: string,
    { method = "POST", headers = {} }: { method?: string; headers?: HeadersInit } = {},
  ) => {
    const all = new Headers(headers);
    all.set("Cookie", [...browser.cookies].map((pair) => pair.join("=")).join("; "));
    return admit(new Request(`http://dormouse.test${path}`, { method, headers: all }));
  };
}

function hasDeskAction({ pattern, file }: RoutePattern): boolean {
  const text = readFileSync(join("app", file), "utf8");
  return pattern.startsWith("/desk/") && /^export (?:async function|const) action\b/m.test(text);
}

test("only routes with a form or a call take a body", async () => {
  await using site = await openQuietSite();
  const admit = await openAdmissionApp(site);
  const stranger = site.openBrowser();
  const takes: string[] = [];
  for (const { pattern } of patterns) {
    const { kind } = await admit(stranger, fillPattern(pattern, ["x", "x"]));
    if (kind !== "none") takes.push(`${pattern} ${kind}`);
  }
  expect(takes).toEqual([
    "/ form",
    "/dashboard form",
    "/signup form",
    "/login form",
    "/give form",
    "/given form",
    "/gift form",
    "/gift-letter form",
    "/passkeys form",
    "/favourites form",
    "/nights/:topic form",
    "/kept/:key? form",
    "/newsletter form",
    "/privacy form",
    "/terms form",
    "/positions form",
    "/demo-gateway/methods form",
    "/demo-gateway/card/:id form",
    "/demo-gateway/authenticate/:id form",
    "/demo-gateway/debit/:id form",
    "/webhooks/:sender events",
    "/api/* form",
    "/desk form",
    ...patterns.filter(hasDeskAction).map(({ pattern }) => `${pattern} form`),
    "/company form",
  ]);
  for (const path of ["/nowhere", "/media/x.webp", "/healthz", "/webhooks-too", "/desk%0a", "/%zz"]) {
    expect(await admit(stranger, path), path).toEqual({ kind: "none" });
  }
});

test.each(["/", "/_.data", "/dashboard", "/dashboard.data", "/?account=open"])(
  "a picture sent to %s is taken in from a member who is logged in, and from nobody else",
  async (path) => {
    await using site = await openQuietSite();
    const admit = await openAdmissionApp(site);
    const member = await logIn(site, ada);
    const { id } = await findMember(site, ada);
    const picture = { headers: multipart };
    expect(await admit(member, path, picture)).toEqual({ kind: "picture", sender: String(id) });
    expect(await admit(site.openBrowser(), path, picture)).toEqual({ kind: "fields" });
    await site.services.sessions.endAll(id);
    expect(await admit(member, path, picture)).toEqual({ kind: "fields" });
  },
);

test("a file of members is taken in from an owner at the desk, and from nobody else", async () => {
  await using site = await openQuietSite();
  const admit = await openAdmissionApp(site);
  const [owner, support] = [await openDesk(site), await openDesk(site, "support")];
  const file = { headers: multipart };
  const path = "/desk/members?import=file";
  expect(await admit(owner.browser, path, file)).toEqual({ kind: "picture", sender: `operator ${owner.operator.id}` });
  expect(await admit(support.browser, path, file)).toEqual({ kind: "fields" });
  expect(await admit(site.openBrowser(), path, file)).toEqual({ kind: "fields" });
  expect(await admit(owner.browser, "/desk/codes", file)).toEqual({ kind: "form" });
});

test("a member who has sent thirty pictures in an hour sends no more bytes of one", async () => {
  await using site = await openQuietSite();
  const admit = await openAdmissionApp(site);
  const member = await logIn(site, ada);
  const { id } = await findMember(site, ada);
  for (let count = 0; count < 30; count += 1) await site.services.avatars.save(id, new Uint8Array(1));
  expect(await admit(member, "/", { headers: multipart })).toEqual({ kind: "fields" });
  site.clock.advance(60 * 60_000);
  expect(await admit(member, "/", { headers: multipart })).toMatchObject({ kind: "picture" });
});

test.each<[string, string, { method?: string; headers?: HeadersInit }]>([
  ["another screen", "/login", { headers: multipart }],
  ["the favourites", "/favourites", { headers: multipart }],
  ["a plain form", "/", { headers: { "Content-Type": "application/x-www-form-urlencoded" } }],
  ["JSON", "/", { headers: { "Content-Type": "application/json" } }],
  ["another multipart", "/", { headers: { "Content-Type": "multipart/mixed; boundary=x" } }],
  ["what only looks like one", "/", { headers: { "Content-Type": "text/plain; multipart/form-data" } }],
  ["a longer name", "/", { headers: { "Content-Type": "multipart/form-data-x" } }],
  ["another method", "/", { method: "PUT", headers: multipart }],
])("%s brings no picture", async (_what, path, init) => {
  await using site = await openQuietSite();
  const admit = await openAdmissionApp(site);
  expect(await admit(await logIn(site, ada), path, init)).toEqual({ kind: "form" });
});
