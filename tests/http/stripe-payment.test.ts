import { expect, test } from "vitest";

import { stripeFields } from "../../server/adapters/stripe/card-fields.ts";
import { noCardGateway } from "../../server/adapters/adapters.ts";
import type { CardGateway } from "../../server/money/payments/card-gateway.ts";
import { createNewcomer, reachPayment } from "../helpers/newcomer.ts";
import { readHeading, linkNamed, readSummary, tagWith, readTitle, readWords } from "../helpers/page.ts";
import { openSite, withoutContent, type SiteOptions, openQuietSite } from "../helpers/site.ts";

const PAGE = "https://checkout.stripe.com/c/pay/cs_test_1#fragment;with=signs&more";

/** The demo's gateway with the fields of Stripe's and a page on another host. */
const withStripe: SiteOptions = {
  ...withoutContent,
  wrapCardGateway: (gateway: CardGateway) => ({
    ...gateway,
    fields: stripeFields("pk_test_own"),
    startHostedPayment: async (payment) => ({ ...(await gateway.startHostedPayment(payment)), actionUrl: PAGE }),
  }),
};

function readPolicy(headers: Headers): Record<string, string> {
  const policy = headers.get("Content-Security-Policy") ?? "";
  return Object.fromEntries(policy.split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1).join(" ")]));
}

test("the payment step of an individual lets in Stripe's script, frames and API, and nothing else", async () => {
  await using site = await openSite({}, withStripe);
  const visitor = await reachPayment(site);
  const page = await visitor.browser.get("/signup?step=3");
  const refused = await visitor.pay({ fields: { postcode: "" } });
  expect(refused.status).toBe(400);
  for (const { headers } of [page, refused]) {
    const policy = readPolicy(headers);
    expect(policy["script-src"]).toMatch(
      /^'self' 'nonce-[^']+' https:\/\/js\.stripe\.com https:\/\/\*\.js\.stripe\.com$/,
    );
    expect(policy["frame-src"]).toBe("https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com");
    expect(policy["connect-src"]).toBe("'self' https://api.stripe.com");
    expect(policy["form-action"]).toBe("'self'");
    expect(policy["default-src"]).toBe("'self'");
  }
  expect(page.text).not.toContain("js.stripe.com");
});

test("no other page mentions Stripe: not another step, a company's sign-up or the redirect page", async () => {
  await using site = await openSite({}, withStripe);
  const visitor = await reachPayment(site);
  const corporate = createNewcomer(site, { email: "cora@example.org" });
  await corporate.reachPayment({ accountType: "corporate", code: "DORMOUSE-DEMO" });
  const { location } = await visitor.pay();
  const answers = [
    await visitor.browser.get("/signup?step=2"),
    await visitor.browser.get("/login"),
    await visitor.browser.get(location ?? ""),
    await corporate.browser.get("/signup?step=3"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  for (const { headers } of answers) expect(headers.get("Content-Security-Policy")).not.toContain("stripe");
});

test("a form sent without script reaches another host by a page of ours that redirects", async () => {
  await using site = await openSite({}, withStripe);
  const visitor = await reachPayment(site);
  const answer = await visitor.pay();
  expect(answer).toMatchObject({ status: 303, location: "/signup?step=3&leaving=1" });
  const { text } = await visitor.browser.get(answer.location ?? "");
  expect(readTitle(text)).toBe("Payment – Dormouse");
  expect(readHeading(text)).toBe("Taking you to the payment page");
  expect(linkNamed(text, "Continue")).toBe(PAGE);
  const refresh = tagWith(text, "meta", 'http-equiv="refresh"');
  expect(refresh?.replaceAll("&amp;", "&")).toContain(`content="0;url=${PAGE}"`);
  expect(text.indexOf(refresh ?? "?")).toBeLessThan(text.indexOf("</head>"));
  expect(tagWith(text, "form", 'method="post"', 'id="pay"')).toBeUndefined();
});

test("the redirect page leads nowhere once there is nothing to pay", async () => {
  await using site = await openSite({}, withStripe);
  const visitor = await reachPayment(site);
  const { text } = await visitor.browser.get("/signup?step=3&leaving=1");
  expect(readHeading(text)).toBe("Payment");
  expect(tagWith(text, "meta", 'http-equiv="refresh"')).toBeUndefined();
});

test("a form sent by script gets the other host's address, as a document to load", async () => {
  await using site = await openSite({}, withStripe);
  const visitor = await reachPayment(site);
  const body = { intent: "pay", plan: "3", postcode: "EX1 1AA" };
  const { status, headers, text } = await visitor.browser.post("/signup.data?step=3", body);
  // A body would be cut off while it is read, because the page is left.
  expect([status, text]).toEqual([204, ""]);
  expect(headers.get("X-Remix-Redirect")).toBe(PAGE);
  expect(headers.get("X-Remix-Reload-Document")).toBe("true");
});

test("without a card gateway the step says so, names a contact, and has no button", async () => {
  await using site = await openSite({}, { ...withoutContent, cardGateway: noCardGateway });
  const visitor = await reachPayment(site);
  const { text } = await visitor.browser.get("/signup?step=3");
  expect(readWords(text)).toContain("You can't pay by card yet. You haven't been charged.");
  expect(readWords(text)).toContain("Write to hello@dormouse.example and we'll tell you when you can.");
  expect(linkNamed(text, "hello@dormouse.example")).toBe("mailto:hello@dormouse.example");
  expect(text).not.toContain('value="pay"');
  expect(readSummary(text)).toEqual([]);
  const corporate = createNewcomer(site, { email: "cora@example.org" });
  await corporate.reachPayment({ accountType: "corporate", code: "DORMOUSE-DEMO" });
  expect((await corporate.browser.get("/signup?step=3")).text).toContain("Submit and join");
});

test("Stripe's parameters in a return address, among them a secret, are removed", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  const back = "/signup?step=4&to=%2F%3Fview%3Dread";
  const added = "&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded";
  for (const path of [back + added, back.replace("/signup", "/signup.data") + added]) {
    const answer = await visitor.browser.get(path);
    expect([302, 202]).toContain(answer.status);
    expect(answer.location ?? answer.text).toContain("/signup?step=4&to=%2F%3Fview%3Dread");
    expect(answer.location ?? answer.text).not.toContain("secret");
  }
});
