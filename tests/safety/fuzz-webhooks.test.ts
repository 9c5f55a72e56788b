import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { Stripe } from "stripe";
import { expect, test } from "vitest";

import { startGoCardlessFake } from "../fakes/gocardless.ts";
import { startStripeFake } from "../fakes/stripe.ts";
import { readEverything } from "../helpers/full-database.ts";
import { openSite, withoutContent } from "../helpers/site.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import type { Case } from "./fuzz-cases.ts";
import { createSender, toRuns } from "./fuzz-send.ts";
import { expectNoFault } from "./sound.ts";
import { hostileBytes, hostileJson, hostileName, hostileText, anyMutation, toHeaderText } from "./hostile.ts";

const secrets = { stripe: "whsec_for_tests", gocardless: "a secret for tests", cms: "a secret of the CMS" };
type From = keyof typeof secrets;

const objects = ["payment_intent", "checkout.session", "refund", "dispute"];

const stripeEvent = (number: number) => ({
  id: `evt_${number}`,
  object: "event",
  type: "payment_intent.succeeded",
  livemode: false,
  created: 1,
  data: { object: { id: "pi_1", object: objects[number % objects.length] } },
});
const goCardlessEvents = (number: number) => ({
  events: [
    {
      id: `EV${number}`,
      created_at: "2026-11-20T03:00:00.000Z",
      resource_type: "mandates",
      action: "active",
      links: { mandate: "MD1" },
      details: { will_attempt_retry: false },
    },
  ],
  meta: { webhook_id: "WB1" },
});

/** Words that readers of webhook events know. */
const words = [
  "payment_intent",
  "checkout.session",
  "refund",
  "dispute",
  "payments",
  "billing_requests",
  "mandates",
  "fulfilled",
  "confirmed",
  "failed",
  "charged_back",
  "cancelled",
  "replaced",
];

/** As the provider sends it with one value replaced, or any text. */
function anyBody(from: From): fc.Arbitrary<string> {
  return fc.nat().chain((number) => bodyAround(number, from));
}

function bodyAround(number: number, from: From): fc.Arbitrary<string> {
  const whole = from === "gocardless" ? goCardlessEvents(number) : stripeEvent(number);
  const names = [
    "id",
    "object",
    "type",
    "data",
    "livemode",
    "events",
    "links",
    "mandate",
    "payment",
    "action",
    "resource_type",
  ];
  const value = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...words) },
    { weight: 4, arbitrary: hostileText },
    { weight: 3, arbitrary: hostileJson(names) },
  );
  const places = fc.tuple(fc.array(fc.tuple(fc.nat(200), value), { minLength: 1, maxLength: 3 }), hostileName);
  const changed = places.map(([changes, name]) =>
    JSON.stringify(changes.reduce<unknown>((body, [at, put]) => withChange(body, at, put), { ...whole, [name]: "x" })),
  );
  const many = value.map((put) =>
    JSON.stringify({
      events: Array.from({ length: 250 }, (_, index) => ({
        ...goCardlessEvents(number + index).events[0],
        resource_type: put,
      })),
    }),
  );
  return fc.oneof(
    { weight: 40, arbitrary: changed },
    { weight: 4, arbitrary: anyMutation(JSON.stringify(whole)) },
    { weight: 2, arbitrary: hostileBytes.map((bytes) => Buffer.from(bytes).toString()) },
    { weight: 2, arbitrary: hostileJson(names).map((json) => JSON.stringify(json) ?? "") },
    { weight: from === "gocardless" ? 1 : 0, arbitrary: many },
  );
}

/** Puts `put` into the `at`th place of a body. */
function withChange(body: unknown, at: number, put: unknown): unknown {
  const places: string[][] = [];
  const walk = (value: unknown, path: string[]): void => {
    if (path.length > 0) places.push(path);
    if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) walk(inner, [...path, name]);
  };
  walk(body, []);
  const path = places[at % places.length] ?? [];
  const copy = structuredClone(body) as Record<string, unknown>;
  const holder = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((inner, name) => inner[name] as Record<string, unknown>, copy);
  holder[path.at(-1) ?? ""] = put;
  return copy;
}

type SentEvent = { from: From; body: string; signature: string | undefined; dice: number };

const webhooks: fc.Arbitrary<SentEvent> = fc
  .constantFrom<From>("stripe", "gocardless", "gocardless", "stripe", "cms")
  .chain((from) =>
    fc.record({
      from: fc.constant(from),
      body: anyBody(from),
      signature: fc.option(hostileText, { nil: undefined, freq: 9 }),
      dice: fc.nat(9),
    }),
  );

/** Nine of ten have a valid signature, and so are trusted. */
function toCase({ from, body, signature, dice }: SentEvent, now: Date): Case {
  const isSigned = dice > 0;
  const header = isSigned ? sign(from, body, now) : toHeaderText(signature ?? "");
  const name = { stripe: "Stripe-Signature", gocardless: "Webhook-Signature", cms: "Authorization" }[from];
  const headers = { [name]: header, "Content-Type": "application/json" };
  return { who: from, isActive: false, method: "POST", address: `/webhooks/${from}`, cookies: {}, headers, body };
}

function sign(from: From, payload: string, now: Date): string {
  if (from === "cms") return `Bearer ${secrets.cms}`;
  if (from === "gocardless") return createHmac("sha256", secrets.gocardless).update(payload).digest("hex");
  return Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: secrets.stripe,
    timestamp: Math.floor(now.getTime() / 1000),
  });
}

/** A webhook event must not change these tables: it only names what to look up. */
const ofOurs = [
  "members",
  "subscriptions",
  "orders",
  "payments",
  "codes",
  "seats",
  "companies",
  "collections",
  "disputes",
];

test("every signed webhook is stored or refused and handled, and changes nothing by itself", async () => {
  const clock = createTestClock(new Date().toISOString());
  await using stripe = await startStripeFake({ clock });
  await using goCardless = await startGoCardlessFake({ clock });
  const env = {
    STRIPE_SECRET_KEY: stripe.keys.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.keys.publishableKey,
    STRIPE_WEBHOOK_SECRET: secrets.stripe,
    STRIPE_API_BASE: stripe.url,
    GOCARDLESS_ACCESS_TOKEN: goCardless.accessToken,
    GOCARDLESS_WEBHOOK_SECRET: secrets.gocardless,
    GOCARDLESS_API_BASE: goCardless.apiBase,
    CMS_URL: "http://127.0.0.1:9",
    CMS_WEBHOOK_SECRET: secrets.cms,
  };
  await using site = await openSite(env, { ...withoutContent, clock, engine: "postgres" });
  const sender = createSender(site);
  const read = async () => {
    const everything = await readEverything(site.database);
    return ofOurs.map((table) => [table, everything[table]]);
  };
  const before = await read();
  const sent = fc.asyncProperty(webhooks, (webhook) =>
    sender.send(toCase(webhook, new Date(clock().getTime() + 2000))),
  );
  await fc.assert(sent, toRuns(2500));
  expect(sender.statuses.get(204)).toBeGreaterThan(1000);

  const kinds = await site.database.db.selectFrom("webhookEvents").select("kind").distinct().execute();
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(["dispute", "mandate", "other", "payment", "refund"]);
  while ((await site.services.webhooks.handleWaiting()) > 0) clock.advance(1);
  expectNoFault(site, "the work on webhook events");
  expect(await read()).toEqual(before);
}, 600_000);
