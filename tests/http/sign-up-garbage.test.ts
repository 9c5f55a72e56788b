import { expect, test } from "vitest";

import { expectHandled, garbage, listErrors } from "../helpers/garbage.ts";
import { createNewcomer, listCharges, nora, reachPayment, readCharges } from "../helpers/newcomer.ts";
import { openQuietSite, openSite, withoutContent } from "../helpers/site.ts";

/** On PostgreSQL, which refuses texts that SQLite takes; `tests/safety/fuzz-pages.deep.test.ts` sends the same to SQLite, in more places. */
const onPostgres = { ...withoutContent, engine: "postgres" } as const;
const MINUTE_IN_MS = 60_000;

test("garbage in any form field, alone, twice, as a list or as a file, causes no fault and no charge", async () => {
  await using site = await openSite({}, onPostgres);
  let address = 0;
  const openBrowser = () => site.openBrowser({ address: `10.${(address += 1) >> 8}.${address & 255}.1` });
  const { intent: _, ...fields } = nora;
  for (const name of [...Object.keys(fields), "__proto__", "constructor", "state", "member_id"]) {
    for (const value of garbage) {
      const answer = await openBrowser().post("/signup?step=1", { ...nora, accountType: "corporate", [name]: value });
      expectHandled(answer, name);
      expect(answer.status).toBe(400);
    }
    for (const variant of [`${name}[]`, `${name}[99999999]`, `${name}.length`, `${name}.__proto__.x`]) {
      expectHandled(await openBrowser().post("/signup?step=1", { ...nora, [variant]: "x" }), variant);
    }
    const twice: [string, string][] = [...Object.entries(nora), [name, "second"]];
    expectHandled(await openBrowser().post("/signup?step=1", twice), `${name} twice`);
  }
  const visitor = await reachPayment(site, {}, { browser: openBrowser(), email: "penn@example.org" });
  const intents = { plan: "pay", postcode: "pay", oneTimeCode: "verify", planType: "plan", token: "verify-link" };
  for (const [name, intent] of Object.entries(intents)) {
    for (const value of garbage) {
      // Beyond the limit of tries nothing would be read.
      site.clock.advance(5 * MINUTE_IN_MS);
      const answer = await visitor.browser.post("/signup?step=3", { intent, plan: "9", [name]: value });
      expectHandled(answer, `${name} ${value.slice(0, 20)}`);
    }
    const body = new FormData();
    body.set("intent", intent);
    body.set(name, new File(["x"], "x.png", { type: "image/png" }));
    const headers = { Origin: visitor.browser.origin };
    expectHandled(
      await visitor.browser.request("/signup?step=3", { method: "POST", body, headers }),
      `a file: ${name}`,
    );
  }
  for (const methodId of ["pm_demo_x", "\u0000", "x".repeat(200), "pay_demo_1"]) {
    expectHandled(await visitor.pay({ fields: { methodId } }), methodId);
    await site.pass(3 * MINUTE_IN_MS);
  }
  expect(await listCharges(site)).toEqual([]);
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toHaveLength(1);
  expect(listErrors(site)).toEqual([]);
});

test("garbage in any parameter or cookie causes no fault, as a page or as data", async () => {
  await using site = await openSite({}, onPostgres);
  const visitor = await reachPayment(site);
  const names = ["step", "to", "verify", "renew", "verified", "expired", "sent", "payment", "company", "intent", "x"];
  for (const name of names) {
    for (const value of garbage) {
      const search = `${name}=${encodeURIComponent(value.slice(0, 8000).toWellFormed())}`;
      for (const path of [`/signup?step=3&${search}`, `/signup.data?${search}`]) {
        const answer = await visitor.browser.get(path);
        expectHandled(answer, path.slice(0, 100));
        if (answer.location) expect(answer.location).toMatch(/^\/(?:signup|$)/);
      }
    }
  }
  for (const search of ["step=1&step=2", "step[]=2", "to=/a&to=//evil.example", "&&&=", "verify=%E0%A4%A", "?", "%"]) {
    expectHandled(await visitor.browser.get(`/signup?${search}`), search);
  }
  for (const value of ["", "x", "a".repeat(4000), "=;=", "%00", "'--", "\u00ff"]) {
    const Cookie = `dormouse-signup=${value}; dormouse-session=${value}; dormouse-scheme=${value}`;
    for (const step of [0, 1, 2, 3, 4]) {
      expectHandled(await site.openBrowser().get(`/signup?step=${step}`, { Cookie }), value.slice(0, 20));
    }
  }
  expect(listErrors(site)).toEqual([]);
});

test("the wanted page never leads off the site, at any step", async () => {
  await using site = await openQuietSite();
  for (const [index, to] of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
  ].entries()) {
    const visitor = createNewcomer(site, { email: `n${index}@example.org`, to });
    const pages = [await visitor.browser.get(`/signup?to=${encodeURIComponent(to)}`), await visitor.enterDetails()];
    await visitor.typeCode();
    pages.push(await visitor.choosePlan(), await visitor.pay({ card: "paid" }));
    pages.push(await visitor.browser.get(`/signup?step=4&to=${encodeURIComponent(to)}`));
    for (const { text, location } of pages) {
      expect(text).not.toMatch(/href="(?:https?:)?[\\/]*[\\/]{2}evil|href="javascript/);
      if (location) expect(decodeURIComponent(location)).not.toContain("evil");
    }
  }
});

test("a postal code of any letters is kept as text and shown as text", async () => {
  await using site = await openSite({}, onPostgres);
  for (const [index, postcode] of ["<b>EX1</b>", "'; --", "🌙🌙", "ﷺ"].entries()) {
    const browser = site.openBrowser({ address: `203.0.113.${index}` });
    const visitor = await reachPayment(site, {}, { email: `nora${index}@example.org`, browser });
    expect((await visitor.pay({ card: "paid", fields: { postcode } })).status, postcode).toBe(303);
    const receipt = /href="(\/\?receipt=[^"]+)"/.exec((await browser.get("/signup?step=4")).text)?.[1] ?? "";
    expect((await browser.get(receipt)).text).not.toContain("<b>EX1");
  }
  expect(listErrors(site)).toEqual([]);
});
