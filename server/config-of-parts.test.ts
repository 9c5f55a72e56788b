import { expect, test } from "vitest";

import { ConfigError, readConfig } from "./config.ts";

const production = {
  SESSION_SECRET: "kT7v-Qx2m_Lp9zRw4Yc8Bn3Hd6Fs1Ga5J",
  ORIGIN: "https://members.example.org",
  CONTACT_URL: "https://example.org/contact",
  CONTACT_EMAIL: "hello@example.org",
};

const stripe = {
  STRIPE_SECRET_KEY: "sk_live_a",
  STRIPE_PUBLISHABLE_KEY: "pk_live_b",
  STRIPE_WEBHOOK_SECRET: "whsec_c",
};
const goCardless = { GOCARDLESS_ACCESS_TOKEN: "live_a", GOCARDLESS_WEBHOOK_SECRET: "b" };
const wordpress = { CMS_URL: "https://cms.example.org", CMS_TOKEN: "anna:abcd efgh", CMS_WEBHOOK_SECRET: "c" };

/** What is wrong with production on these settings; nothing when they can be used. */
function mistakesOf(env: Record<string, string>): string[] {
  try {
    readConfig({ ...production, ...env });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}

test("each part that is set takes the place of the embedded one", () => {
  const config = readConfig({
    ...production,
    ...stripe,
    ...goCardless,
    ...wordpress,
    DATABASE_URL: "postgres://dormouse@db.example.org/dormouse",
    DATABASE_POOL_SIZE: "25",
    SMTP_URL: "smtps://night:secret@mail.example.org:465",
    MAIL_FROM: "night@example.org",
  });
  expect(config).toMatchObject({
    database: { kind: "postgres", url: "postgres://dormouse@db.example.org/dormouse", poolSize: 25 },
    content: { kind: "wordpress", url: "https://cms.example.org", token: "anna:abcd efgh", webhookSecret: "c" },
    cards: { kind: "stripe", secretKey: "sk_live_a", publishableKey: "pk_live_b", webhookSecret: "whsec_c" },
    debits: { kind: "gocardless", accessToken: "live_a", webhookSecret: "b", apiBase: undefined },
    mail: { kind: "smtp", url: "smtps://night:secret@mail.example.org:465", from: "night@example.org" },
  });
});

test.each(["night@example.org", "Dormouse <night@example.org>", '"Dormouse, by night" <night@example.org>'])(
  "emails come from %j, and answers go to the contact",
  (from) => {
    const { mail } = readConfig({ ...production, MAIL_FROM: from });
    expect(mail).toMatchObject({ from, replyTo: production.CONTACT_EMAIL });
  },
);

test.each([
  "Dormouse",
  "Dormouse <night>",
  "Dormouse, Night <night@example.org>",
  "Dormouse <night@example.org>, b@example.org",
  "Dormouse\r\nBcc: b@example.org <night@example.org>",
  "<night@example.org>",
])("emails from %j are refused", (from) => {
  expect(() => readConfig({ ...production, MAIL_FROM: from })).toThrow(/MAIL_FROM must be an e-mail address/);
});

test("production without a provider takes no payments, and no demo's in their place", () => {
  expect(readConfig(production)).toMatchObject({
    content: { kind: "bundled" },
    cards: { kind: "none" },
    debits: { kind: "none" },
    mail: { kind: "files" },
  });
});

test("a demo takes a real part as soon as one is set, and does without its webhook secret", () => {
  const { STRIPE_WEBHOOK_SECRET: _, ...keys } = stripe;
  const testKeys = Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, key.replace("live", "test")]));
  const fake = { STRIPE_API_BASE: "http://127.0.0.1:4010", GOCARDLESS_API_BASE: "http://10.0.0.7:4011" };
  const config = readConfig({ DEMO: "true", ...testKeys, ...fake, GOCARDLESS_ACCESS_TOKEN: "any" });
  expect(config.cards).toMatchObject({ kind: "stripe", webhookSecret: undefined, apiBase: "http://127.0.0.1:4010" });
  expect(config.debits).toMatchObject({ kind: "gocardless", apiBase: "http://10.0.0.7:4011" });
});

test.each([
  [
    "a key of Stripe's without the other",
    { STRIPE_SECRET_KEY: "sk_live_a", STRIPE_WEBHOOK_SECRET: "whsec_c" },
    "PUBLI",
  ],
  ["Stripe without a webhook secret", { ...stripe, STRIPE_WEBHOOK_SECRET: "" }, "STRIPE_WEBHOOK_SECRET is missing"],
  [
    "keys of two modes",
    { ...stripe, STRIPE_PUBLISHABLE_KEY: "pk_test_b" },
    "STRIPE_PUBLISHABLE_KEY is of another mode",
  ],
  [
    "a publishable key as the secret one",
    { ...stripe, STRIPE_SECRET_KEY: "pk_live_a" },
    "STRIPE_SECRET_KEY must start",
  ],
  ["a webhook secret alone", { STRIPE_WEBHOOK_SECRET: "whsec_c" }, "STRIPE_SECRET_KEY is missing"],
  [
    "Stripe's address over plain http",
    { ...stripe, STRIPE_API_BASE: "http://stripe.example.org" },
    "STRIPE_API_BASE must be https",
  ],
  [
    "a token that says neither live nor sandbox",
    { ...goCardless, GOCARDLESS_ACCESS_TOKEN: "abc" },
    "GOCARDLESS_ACCESS_TOKEN must start",
  ],
  [
    "GoCardless without a webhook secret",
    { GOCARDLESS_ACCESS_TOKEN: "live_a" },
    "GOCARDLESS_WEBHOOK_SECRET is missing",
  ],
  ["a token's secret alone", { GOCARDLESS_WEBHOOK_SECRET: "b" }, "GOCARDLESS_ACCESS_TOKEN is missing"],
  ["a CMS over plain http", { CMS_URL: "http://cms.example.org" }, "CMS_URL must be https"],
  [
    "a CMS with a password in its address",
    { CMS_URL: "https://a:b@cms.example.org" },
    "CMS_URL must be an address alone",
  ],
  ["a CMS's token without its address", { CMS_TOKEN: "t" }, "CMS_URL is missing"],
  ["a mail server that is a web server", { SMTP_URL: "https://mail.example.org" }, "SMTP_URL must start with"],
  [
    "a mail server with half of its credentials",
    { SMTP_URL: "smtp://anna@mail.example.org" },
    "SMTP_URL must have both",
  ],
  ["no connection at all", { DATABASE_POOL_SIZE: "0" }, "DATABASE_POOL_SIZE must be between"],
  ["a pool of words", { DATABASE_POOL_SIZE: "many" }, "DATABASE_POOL_SIZE must be a number"],
])("%s is refused, and the sentence names it", (_name, env, sentence) => {
  const mistakes = mistakesOf(env);
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]).toContain(sentence);
});

test.each([
  ["Stripe", { STRIPE_SECRET_KEY: "sk_live_a", STRIPE_PUBLISHABLE_KEY: "pk_live_b" }],
  ["GoCardless", { GOCARDLESS_ACCESS_TOKEN: "live_a" }],
])("a demo moves no real money: live keys of %s are refused", (_name, env) => {
  expect(() => readConfig({ DEMO: "true", ...env })).toThrow(/live one: a demo takes/);
});

test("no sentence repeats a secret", () => {
  const said = mistakesOf({ STRIPE_SECRET_KEY: "canary-1", GOCARDLESS_ACCESS_TOKEN: "canary-2", SMTP_URL: "canary-3" });
  expect(said.length).toBeGreaterThan(2);
  expect(said.join()).not.toContain("canary");
});

test("a provider's address and its key make this a front of theirs, which serves no API itself", () => {
  const url = "https://provider.example.org/members";
  expect(readConfig({ ...production, API_URL: url, API_KEY: "theirs" })).toMatchObject({
    provider: { url, key: "theirs" },
    api: undefined,
    content: { kind: "provider" },
  });
  expect(readConfig({ ...production, ...wordpress, API_URL: url, API_KEY: "theirs" }).content.kind).toBe("wordpress");
  expect(readConfig(production).provider).toBeUndefined();
  expect(mistakesOf({ API_URL: url })).toEqual(["API_KEY is missing: the provider at API_URL asks for it"]);
  expect(mistakesOf({ API_URL: "http://provider.example.org", API_KEY: "theirs" })).toEqual([
    "API_URL must be https (http only on this machine)",
  ]);
  expect(mistakesOf({ API_URL: "http://127.0.0.1:3000", API_KEY: "theirs" })).toEqual([]);
  expect(mistakesOf({ API_URL: "https://ada:x@provider.example.org/?a=1", API_KEY: "theirs" })).toEqual([
    "API_URL must be an address alone, without a user, a query or a fragment",
  ]);
});
