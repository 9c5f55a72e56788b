import { describe, expect, test } from "vitest";

import { engines } from "../helpers/databases.ts";
import { expectHandled, garbage, listErrors } from "../helpers/garbage.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

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
        email: `n${site.emails.length}@example.org`,
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
