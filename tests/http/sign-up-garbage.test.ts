import { describe, expect, test } from "vitest";

import { engines } from "../helpers/databases.ts";
import { createNewcomer, listCharges, nora, readCharges } from "../helpers/newcomer.ts";
import { openSite, withoutContent, type Answer, type Browser, type Site } from "../helpers/site.ts";

const MINUTE_IN_MS = 60_000;

const garbage = [
  "\u0000",
  "x\u0000y",
  "a".repeat(200_000),
  "🌙".repeat(500),
  "\ud83c",
  "\u202eevil\u202c",
  "ﷺ x̷̧̛ שינה 眠",
  "'; drop table drafts; --",
  "</script><script>alert(1)</script>",
  "${7*7}{{7*7}}",
  "../../etc/passwd",
  "line\r\nSet-Cookie: dormouse-session=stolen",
  "__proto__",
  "NaN",
  "-1",
  "1e309",
  "[object Object]",
  "%00%ff",
];

/** Neither a fault of ours nor anything that a browser would run. */
function expectHandled(answer: Answer, what: string): void {
  expect(answer.status, what).toBeLessThan(500);
  expect(answer.text, what).not.toContain("<script>alert(1)");
  expect(answer.headers.get("Set-Cookie") ?? "", what).not.toContain("dormouse-session=stolen");
}

function listErrors(site: Site): object[] {
  return site.log.lines.filter(({ level }) => level === "error");
}

describe.each(engines)("on %s", (engine) => {
  test("no parameter of an address brings a step down, as a page or as data", async () => {
    await using site = await openSite({}, { ...withoutContent, engine });
    const visitor = createNewcomer(site);
    await visitor.reachPayment();
    const names = ["step", "to", "verify", "renew", "verified", "expired", "sent", "payment", "company", "intent", "x"];
    for (const browser of [site.openBrowser(), visitor.browser]) {
      for (const name of names) {
        for (const value of garbage) {
          const search = `${encodeURIComponent(name)}=${encodeURIComponent(value.slice(0, 8000).toWellFormed())}`;
          for (const path of [`/signup?${search}`, `/signup?step=3&${search}`, `/signup.data?${search}`]) {
            const answer = await browser.get(path);
            expectHandled(answer, path.slice(0, 100));
            if (answer.location) expect(answer.location).toMatch(/^\/(?:signup|$)/);
          }
        }
      }
    }
    for (const search of [
      "step=1&step=2",
      "step[]=2",
      "to=/a&to=//evil.example",
      "&&&=",
      "verify=%E0%A4%A",
      "?",
      "%",
    ]) {
      expectHandled(await visitor.browser.get(`/signup?${search}`), search);
    }
    expect(listErrors(site)).toEqual([]);
  });

  test("what a visitor wanted to see never leads off the site, at any step", async () => {
    await using site = await openSite({}, { ...withoutContent, engine });
    for (const to of [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "/\t/evil.example",
      "javascript:alert(1)",
    ]) {
      const visitor = createNewcomer(site, {
        email: `n${site.letters.length}@example.org`,
        to,
        browser: site.openBrowser(),
      });
      const pages = [await visitor.browser.get(`/signup?to=${encodeURIComponent(to)}`), await visitor.tellDetails()];
      await visitor.typeCode();
      pages.push(await visitor.choosePlan(), await visitor.pay({ card: "paid" }));
      pages.push(await visitor.browser.get(`/signup?step=4&to=${encodeURIComponent(to)}`));
      for (const { text, location } of pages) {
        expect(text).not.toMatch(/href="(?:https?:)?[\\/]*[\\/]{2}evil|href="javascript/);
        if (location) expect(decodeURIComponent(location)).not.toContain("evil");
      }
    }
    expect(listErrors(site)).toEqual([]);
  });

  test("no field of the details brings step 1 down, alone, twice or as a list", async () => {
    await using site = await openSite({}, { ...withoutContent, engine });
    let address = 0;
    const openBrowser = () => site.openBrowser({ address: `10.${(address += 1) >> 8}.${address & 255}.1` });
    for (const name of Object.keys(nora).filter((field) => field !== "intent")) {
      for (const value of garbage) {
        const { [name as "code"]: _, ...rest } = nora;
        const answer = await openBrowser().post("/signup?step=1", { ...rest, accountType: "corporate", [name]: value });
        expectHandled(answer, name);
        expect(answer.status).toBe(400);
      }
      for (const variant of [`${name}[]`, `${name}[0]`, `${name}[99999999]`, `${name}.length`, `${name}.__proto__.x`]) {
        expectHandled(await openBrowser().post("/signup?step=1", { ...nora, [variant]: "x" }), variant);
      }
      const twice: [string, string][] = [...Object.entries(nora), [name, "second"]];
      expectHandled(await openBrowser().post("/signup?step=1", twice), `${name} twice`);
    }
    for (const name of ["__proto__", "constructor", "hasOwnProperty", "toString", "isVerified", "state", "member_id"]) {
      expectHandled(await openBrowser().post("/signup?step=1", { ...nora, [name]: "x" }), name);
    }
    expect(await site.rooms.accounts.findByEmail(nora.email)).toBeUndefined();
    expect(listErrors(site)).toEqual([]);
  });

  test("a file where a text should be is no fault, in any form", async () => {
    await using site = await openSite({}, { ...withoutContent, engine });
    const visitor = createNewcomer(site);
    await visitor.reachPayment();
    const forms: Record<string, string[]> = {
      details: ["firstName", "email", "password", "code", "accountType"],
      verify: ["oneTimeCode"],
      plan: ["planType"],
      pay: ["postcode", "plan", "methodId"],
      "verify-link": ["token"],
      renew: ["token"],
      scheme: ["scheme"],
    };
    for (const [intent, names] of Object.entries(forms)) {
      for (const name of names) {
        const body = new FormData();
        body.set("intent", intent);
        body.set(name, new File(["x"], "x.png", { type: "image/png" }));
        const answer = await visitor.browser.request("/signup?step=3", {
          method: "POST",
          body,
          headers: { Origin: visitor.browser.origin },
        });
        expectHandled(answer, `${intent} ${name}`);
      }
    }
    const body = new FormData();
    body.set("intent", new File(["pay"], "pay"));
    const headers = { Origin: visitor.browser.origin };
    expect((await visitor.browser.request("/signup", { method: "POST", body, headers })).status).toBe(400);
    expect(await listCharges(site)).toEqual([]);
    expect(listErrors(site)).toEqual([]);
  });

  test("no field of a payment brings step 3 down, and none of it is charged", async () => {
    await using site = await openSite({}, { ...withoutContent, engine });
    const visitor = createNewcomer(site);
    await visitor.reachPayment();
    for (const name of ["plan", "postcode", "oneTimeCode", "planType", "token"]) {
      for (const value of garbage) {
        // Past the limit of tries nothing would be looked at.
        site.clock.advance(5 * MINUTE_IN_MS);
        const intent = { oneTimeCode: "verify", planType: "plan", token: "verify-link" }[name] ?? "pay";
        const answer = await visitor.browser.post("/signup?step=3", { intent, plan: "9", [name]: value });
        expectHandled(answer, `${name} ${value.slice(0, 20)}`);
      }
    }
    expect(await listCharges(site)).toEqual([]);
    expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
    expect(await readCharges(site)).toHaveLength(1);
    expect(listErrors(site)).toEqual([]);
  });

  test("a postal code of any letters is kept as text and shown as text", async () => {
    await using site = await openSite({}, { ...withoutContent, engine });
    for (const [index, postcode] of ["\u0000", "<b>EX1</b>", "'; --", "🌙🌙", "ﷺ"].entries()) {
      const browser: Browser = site.openBrowser({ address: `203.0.113.${index}` });
      const visitor = createNewcomer(site, { email: `nora${index}@example.org`, browser });
      await visitor.reachPayment();
      const answer = await visitor.pay({ card: "paid", fields: { postcode } });
      expectHandled(answer, postcode);
      if (answer.status !== 303) continue;
      const receipt = /href="(\/\?receipt=[^"]+)"/.exec((await browser.get("/signup?step=4")).text)?.[1] ?? "";
      expect((await browser.get(receipt)).text).not.toContain("<b>EX1");
    }
    expect(listErrors(site)).toEqual([]);
  });

  test("a card method that the gateway does not know is charged to nobody, and the next one pays", async () => {
    await using site = await openSite({}, { ...withoutContent, engine });
    const visitor = createNewcomer(site);
    await visitor.reachPayment();
    for (const methodId of ["pm_demo_x", "\u0000", "x".repeat(200), "pay_demo_1"]) {
      const answer = await visitor.pay({ fields: { methodId } });
      expectHandled(answer, methodId);
      expect(await listCharges(site)).toEqual([]);
      await site.pass(3 * MINUTE_IN_MS);
    }
    expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
    expect(await readCharges(site)).toHaveLength(1);
    expect(listErrors(site)).toEqual([]);
  });

  test("no card and no bank account brings the gateway's pages down", async () => {
    await using site = await openSite({}, { ...withoutContent, engine });
    const visitor = createNewcomer(site);
    await visitor.reachPayment();
    const page = (await visitor.pay()).location ?? "";
    for (const value of garbage) {
      for (const name of ["number", "expiry", "cvc"]) {
        expectHandled(await visitor.browser.post(page, { [name]: value }), name);
        expectHandled(await visitor.browser.post("/demo-gateway/methods", { [name]: value }), name);
      }
      expectHandled(await visitor.browser.post("/demo-gateway/authenticate/x", { intent: value }), "authenticate");
      expectHandled(
        await visitor.browser.post(`/demo-gateway/debit/${encodeURIComponent(value.slice(0, 999).toWellFormed())}`, {
          intent: "agree",
        }),
        "debit",
      );
    }
    expect(await listCharges(site)).toEqual([]);
    expect(listErrors(site)).toEqual([]);
  });

  test("no cookie brings a step down", async () => {
    await using site = await openSite({}, { ...withoutContent, engine });
    for (const value of ["", "x", "a".repeat(4000), "=;=", "%00", "dormouse-signup", "'--", "\u00ff"]) {
      for (const step of [0, 1, 2, 3, 4]) {
        const Cookie = `dormouse-signup=${value}; dormouse-session=${value}; dormouse-scheme=${value}`;
        const answer = await site.openBrowser().get(`/signup?step=${step}`, { Cookie });
        expectHandled(answer, value.slice(0, 20));
      }
    }
    expect(listErrors(site)).toEqual([]);
  });
});
