import { createHmac } from "node:crypto";
import { Stripe } from "stripe";
import { expect, test } from "vitest";

import { createFixedContent } from "../helpers/fixed-content.ts";
import { openSite, withoutContent, type Browser, openQuietSite } from "../helpers/site.ts";

const secrets = { stripe: "whsec_for_tests", gocardless: "a secret for tests", cms: "a secret of the CMS" };

const configured = {
  STRIPE_SECRET_KEY: "sk_test_a",
  STRIPE_PUBLISHABLE_KEY: "pk_test_b",
  STRIPE_WEBHOOK_SECRET: secrets.stripe,
  // Nothing listens there: storing an event needs no gateway.
  STRIPE_API_BASE: "http://127.0.0.1:9",
  GOCARDLESS_ACCESS_TOKEN: "sandbox_a",
  GOCARDLESS_WEBHOOK_SECRET: secrets.gocardless,
  GOCARDLESS_API_BASE: "http://127.0.0.1:9",
};

const body = {
  stripe: JSON.stringify({
    id: "evt_1",
    object: "event",
    type: "payment_intent.succeeded",
    livemode: false,
    created: 1,
    data: { object: { id: "pi_1", object: "payment_intent" } },
  }),
  gocardless: JSON.stringify({
    events: [
      {
        id: "EV1",
        createdAt: "2026-11-20T03:00:00.000Z",
        resource_type: "mandates",
        action: "active",
        links: { mandate: "MD1" },
      },
    ],
    meta: { webhook_id: "WB1" },
  }),
};

type Gateway = keyof typeof body;

/** Signed by the provider, at the site's time. */
function sign(gateway: Gateway, payload: string, now: Date): Record<string, string> {
  if (gateway === "gocardless") {
    return { "Webhook-Signature": createHmac("sha256", secrets.gocardless).update(payload).digest("hex") };
  }
  const timestamp = Math.floor(now.getTime() / 1000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: secrets.stripe, timestamp });
  return { "Stripe-Signature": header };
}

type Sent = { body: string; headers: HeadersInit };

const post = (browser: Browser, gateway: string, sent: Sent) =>
  browser.request(`/webhooks/${gateway}`, { method: "POST", ...sent });

const gateways: Gateway[] = ["stripe", "gocardless"];

test.each(gateways)("%s: a signed webhook event is kept once, however often it comes", async (gateway) => {
  await using site = await openSite(configured, withoutContent);
  const browser = site.openBrowser();
  for (let time = 1; time <= 3; time += 1) {
    const headers = {
      ...sign(gateway, body[gateway], site.clock()),
      // Another server's own headers are no reason to refuse it.
      Origin: "https://api.gocardless.com",
      "Content-Type": "application/json",
    };
    const answer = await post(browser, gateway, { body: body[gateway], headers });
    expect(answer.status).toBe(204);
  }
  const stored = await site.database.db.selectFrom("webhookEvents").select(["gateway", "eventId"]).execute();
  expect(stored).toEqual([{ gateway, eventId: gateway === "stripe" ? "evt_1" : "EV1" }]);
});

test.each(gateways)("%s: an unsigned or altered webhook event is refused and not kept", async (gateway) => {
  await using site = await openSite(configured, withoutContent);
  const browser = site.openBrowser();
  const signed = sign(gateway, body[gateway], site.clock());
  const name = Object.keys(signed)[0] ?? "";
  const attempts: [string, Record<string, string>][] = [
    [body[gateway], {}],
    [body[gateway], { [name]: "" }],
    [body[gateway], { [name]: "nonsense" }],
    [`${body[gateway]} `, signed],
    ["", signed],
  ];
  for (const [payload, headers] of attempts) {
    expect((await post(browser, gateway, { body: payload, headers })).status).toBe(400);
  }
  expect(await site.database.db.selectFrom("webhookEvents").selectAll().execute()).toEqual([]);
});

test("a webhook event that cannot be kept is not answered as if it were", async () => {
  const site = await openSite(configured, withoutContent);
  const browser = site.openBrowser();
  const headers = sign("gocardless", body.gocardless, site.clock());
  await site.database.close();
  expect((await post(browser, "gocardless", { body: body.gocardless, headers })).status).toBe(500);
});

test.each([...gateways, "cms"])("where %s is not configured, its webhook is a 404", async (gateway) => {
  await using site = await openQuietSite();
  expect((await post(site.openBrowser(), gateway, { body: "{}", headers: {} })).status).toBe(404);
});

test.each([...gateways, "cms"])("%s: a browser is answered 405, with what the address takes", async (gateway) => {
  await using site = await openSite(configured, withoutContent);
  const { status, headers } = await site.openBrowser().get(`/webhooks/${gateway}`);
  expect([status, headers.get("Allow")]).toEqual([405, "POST"]);
});

test("a webhook of the CMS makes the catalogue be read again at once", async () => {
  let readings = 0;
  const content = {
    ...createFixedContent(),
    listItems: async () => {
      readings += 1;
      return [];
    },
  };
  const env = { CMS_URL: "http://127.0.0.1:9", CMS_WEBHOOK_SECRET: secrets.cms };
  await using site = await openSite(env, { content });
  const before = readings;
  const browser = site.openBrowser();
  for (const Authorization of ["", "Bearer ", "Bearer wrong", secrets.cms.slice(1)]) {
    expect((await post(browser, "cms", { body: "{}", headers: { Authorization } })).status).toBe(401);
  }
  expect(readings).toBe(before);
  expect((await post(browser, "cms", { body: "{}", headers: { Authorization: `Bearer ${secrets.cms}` } })).status).toBe(
    202,
  );
  expect(readings).toBe(before + 1);
});
