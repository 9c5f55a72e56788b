import { expect, test } from "vitest";

import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { ada, logIn } from "../helpers/account-page.ts";
import { readHeading, readWords } from "../helpers/page.ts";
import { paymentCards, createNewcomer, listCharges, anyCard, makeMethod, nora } from "../helpers/newcomer.ts";
import { readEverything } from "../helpers/full-database.ts";
import { openQuietSite } from "../helpers/site.ts";
import { toDataPath, fillPattern, patterns } from "../safety/addresses.ts";

const foreign: [from: string, headers: Record<string, string>][] = [
  ["another site, by Sec-Fetch-Site", { "Sec-Fetch-Site": "cross-site" }],
  ["a sibling host", { "Sec-Fetch-Site": "same-site", Origin: "http://dormouse.test" }],
  ["nowhere", { "Sec-Fetch-Site": "none" }],
  ["another origin", { Origin: "https://evil.example" }],
  ["an origin on another port", { Origin: "http://dormouse.test:8080" }],
  ["a null origin", { Origin: "null" }],
  ["an origin that is no address", { Origin: "nonsense" }],
  ["another site, by its Referer", { Referer: "https://evil.example/dormouse.test/" }],
  ["a Referer that is no address", { Referer: "/login" }],
  ["another origin, whatever the Referer", { Origin: "https://evil.example", Referer: "http://dormouse.test/" }],
  [
    "another origin, whatever a proxy is said to be called",
    { Origin: "https://evil.example", "X-Forwarded-Host": "evil.example" },
  ],
  ["two origins", { Origin: "http://dormouse.test, https://evil.example" }],
  ["an origin that is empty", { Origin: "" }],
  ["two sites, by Sec-Fetch-Site", { "Sec-Fetch-Site": "same-origin, cross-site", Referer: "http://dormouse.test/" }],
  ["a site of a kind yet unknown", { "Sec-Fetch-Site": "same-party", Referer: "http://dormouse.test/" }],
  ["two pages, by their Referers", { Referer: "http://dormouse.test/, https://evil.example/" }],
  ["our name and another's host", { Referer: "http://dormouse.test@evil.example/" }],
  ["signs that disagree", { "Sec-Fetch-Site": "same-origin", Origin: "https://evil.example" }],
  ["a null origin of another site", { "Sec-Fetch-Site": "cross-site", Origin: "null" }],
  ["a null origin of a sibling host", { "Sec-Fetch-Site": "same-site", Origin: "null" }],
  ["two null origins", { "Sec-Fetch-Site": "same-origin", Origin: "null, null" }],
  ["our page with an origin that is no address", { "Sec-Fetch-Site": "same-origin", Origin: "nonsense" }],
  ["a client that does not say", {}],
];

test("a form from anywhere but our own page is refused on every route", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  for (const [from, headers] of foreign) {
    for (const path of [
      "/",
      "/login",
      "/signup",
      "/_.data",
      "/readyz",
      "/media/x.webp",
      "/favourites",
      "/positions",
      "/nowhere",
    ]) {
      const answer = await browser.post(path, { intent: "log-out", scheme: "dawn" }, headers);
      expect(answer.status, `${path} from ${from}`).toBe(403);
      expect(answer.headers.getSetCookie()).toEqual([]);
      if (!/\.data$|^\/(?:readyz|media)/.test(path)) {
        expect(readHeading(answer.text), path).toBe("That didn't work");
        expect(readWords(answer.text), path).toMatch(/so we didn't use it\..* Go to the dashboard/);
      }
    }
  }
  expect(site.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  expect((await browser.get("/")).status).toBe(200);
});

test("no method brings a form of another site in, on any route that there is, as a page or as data", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const before = await readEverything(site.database);
  const signs = [{ Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }];
  // A signature, a key or an email link's token proves the others; cookies mean nothing there.
  const routes = patterns.filter(({ pattern }) => !/^\/(?:api\/|webhooks\/|newsletter$)/.test(pattern));
  const paths = routes.map(({ pattern }) => fillPattern(pattern, ["x"])).flatMap((path) => [path, toDataPath(path)]);
  expect(paths.length).toBeGreaterThan(30);
  const body = new URLSearchParams({ intent: "log-out", save: "watch-2001", scheme: "dawn" });
  for (const path of paths) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      for (const headers of signs) {
        const answer = await browser.request(path, { method, headers, ...(method !== "OPTIONS" && { body }) });
        expect(answer.status, `${method} ${path} ${JSON.stringify(headers)}`).toBe(
          method === "OPTIONS" && answer.status === 405 ? 405 : 403,
        );
        expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    }
  }
  expect(await readEverything(site.database)).toEqual(before);
});

test("no form of a sign-up or of the gateway is accepted from another site", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  const methodId = await makeMethod(browser, paymentCards.paid);
  await visitor.enterDetails();
  const { code } = await visitor.readEmail();
  const pay = { intent: "pay", plan: "3", postcode: "EX1 1AA", methodId };
  const refuse = async (path: string, fields: Record<string, string>) => {
    const answer = await browser.post(path, fields, { "Sec-Fetch-Site": "cross-site" });
    expect(answer.status, `${path} ${fields.intent}`).toBe(403);
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
  await refuse(page, { number: paymentCards.paid, ...anyCard });
  await refuse("/demo-gateway/methods", { number: paymentCards.paid, ...anyCard });
  await refuse("/demo-gateway/debit/x", { intent: "agree" });
  expect(await listCharges(site)).toEqual([]);
});

test.each([
  ["Sec-Fetch-Site", { "Sec-Fetch-Site": "same-origin" }],
  ["Origin", { Origin: "http://dormouse.test" }],
  ["Sec-Fetch-Site, where the browser hides its pages' addresses", { "Sec-Fetch-Site": "same-origin", Origin: "null" }],
  ["Referer, where a text browser sends no other sign", { Referer: "http://dormouse.test/?q=sleep" }],
])("a member's form from our own page is taken by its %s", async (_name, headers) => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  expect((await browser.post("/", { intent: "log-out" }, headers)).status).toBe(303);
  expect((await browser.get("/")).location).toBe("/signup");
});

test("a browser without Origin may log in, sign up and reset a password until it has a session", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const send = (path: string, fields: Record<string, string>) => browser.post(path, fields, {});
  expect((await send("/signup?step=1", nora)).location).toBe("/signup?step=2");
  expect((await send("/login?reset=1", { intent: "reset-request", email: nora.email })).status).toBe(303);
  expect((await send("/login", { intent: "scheme", scheme: "dawn" })).status).toBe(303);
  expect(
    (await send("/login", { intent: "log-in", email: "member@dormouse.example", password: DEMO_PASSWORD })).status,
  ).toBe(303);
  const refused = await send("/", { intent: "log-out" });
  expect(refused.status).toBe(403);
  expect(readWords(refused.text)).toContain("Please let it send the Referer header");
  expect((await browser.get("/")).status).toBe(200);
});

test("a browser without Origin whose session is over counts as a visitor", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await site.services.sessions.end(browser.cookies.get("dormouse-session") ?? "");
  expect((await browser.post("/login", { intent: "scheme", scheme: "dawn" }, {})).status).toBe(303);
});
