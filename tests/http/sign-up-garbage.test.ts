import { describe, expect, test } from "vitest";

import { engines } from "../helpers/databases.ts";
import { expectHandled, garbage, listErrors } from "../helpers/garbage.ts";
import { createNewcomer, listCharges, nora, readCharges } from "../helpers/newcomer.ts";
import { openSite, withoutContent, type Browser } from "../helpers/site.ts";

const MINUTE_IN_MS = 60_000;

describe.each(engines)("on %s", (engine) => {
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
    expect(await site.services.accounts.findByEmail(nora.email)).toBeUndefined();
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
});
