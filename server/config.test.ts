import { join, resolve } from "node:path";
import { expect, test } from "vitest";

import { cardGateways } from "./adapters/gateways.ts";
import { ConfigError, readConfig } from "./config.ts";

const production = {
  SESSION_SECRET: "kT7v-Qx2m_Lp9zRw4Yc8Bn3Hd6Fs1Ga5J",
  ORIGIN: "https://members.example.org",
  CONTACT_URL: "https://example.org/contact",
  CONTACT_EMAIL: "hello@example.org",
};

function listMistakes(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}

test("a demo needs no setting but DEMO", () => {
  expect(readConfig({ DEMO: "true" })).toMatchObject({
    isDemo: true,
    basePath: "/",
    buildDir: resolve("build"),
    dataDir: resolve("data/demo"),
    sessionSecret: expect.any(String),
    http: { host: "0.0.0.0", port: 3000, origin: undefined, trustedProxies: [] },
    database: { kind: "sqlite", path: join(resolve("data/demo"), "dormouse.sqlite") },
    site: "http://localhost:3000/",
    cardGateway: { kind: "demo" },
    debits: { kind: "demo" },
    mail: { kind: "files", folder: join(resolve("data/demo"), "outbox"), from: '"Dormouse" <hello@dormouse.example>' },
    product: {
      name: "Dormouse",
      contactUrl: "https://dormouse.example/contact",
      contactEmail: "hello@dormouse.example",
    },
    deskAllowed: [],
    logLevel: "info",
  });
});

test("a demo shows five social links", () => {
  const { socialLinks } = readConfig({ DEMO: "true" }).product;
  expect(socialLinks.map(({ network }) => network)).toEqual(["facebook", "instagram", "x", "linkedin", "youtube"]);
  for (const { url } of socialLinks) expect(url).toMatch(/^https:\/\//);
});

test("production uses the given settings", () => {
  expect(
    readConfig({
      ...production,
      HOST: "127.0.0.1",
      PORT: "8080",
      BASE_PATH: "members",
      DATA_DIR: "/var/lib/dormouse",
      DATABASE_URL: "postgres://dormouse:k7Qz2mWx@db.example.org:5432/dormouse",
      TRUST_PROXY: "loopback, 10.0.0.0/8,2001:db8::/32 , 192.0.2.7",
      DESK_ALLOWED: "192.0.2.7, 10.1.0.0/16",
      LOG_LEVEL: "warn",
      PRODUCT_NAME: "Sleep Library",
      MAIL_FROM: "night@example.org",
      SOCIAL_LINKS: "Facebook=https://facebook.example/sleep, x=https://x.example/?a=b",
      AGENCY_NAME: "Night Works",
      AGENCY_URL: "https://nightworks.example",
    }),
  ).toEqual({
    isDemo: false,
    basePath: "/members/",
    buildDir: resolve("build"),
    dataDir: "/var/lib/dormouse",
    sessionSecret: production.SESSION_SECRET,
    http: {
      host: "127.0.0.1",
      port: 8080,
      origin: "https://members.example.org",
      trustedProxies: ["loopback", "10.0.0.0/8", "2001:db8::/32", "192.0.2.7"],
    },
    database: { kind: "postgres", url: "postgres://dormouse:k7Qz2mWx@db.example.org:5432/dormouse", poolSize: 10 },
    site: "https://members.example.org/members/",
    content: { kind: "bundled" },
    // Outside a demo nothing pretended takes the place of money.
    cardGateway: { kind: "none" },
    debits: { kind: "none" },
    mail: {
      kind: "files",
      folder: "/var/lib/dormouse/outbox",
      from: '"Sleep Library" <night@example.org>',
      replyTo: "hello@example.org",
    },
    product: {
      name: "Sleep Library",
      contactUrl: "https://example.org/contact",
      companyEmail: "hello@example.org",
      contactEmail: "hello@example.org",
      invoiceSender: "Sleep Library",
      letterhead: { name: "Sleep Library", address: [], companyNumber: undefined, vatNumber: undefined },
      socialLinks: [
        { network: "facebook", url: "https://facebook.example/sleep" },
        { network: "x", url: "https://x.example/?a=b" },
      ],
      agency: { name: "Night Works", url: "https://nightworks.example" },
    },
    deskAllowed: ["192.0.2.7", "10.1.0.0/16"],
    legal: { urls: {}, folder: undefined },
    startsAtOnce: false,
    logLevel: "warn",
  });
});

test("receipts and invoices have the head that is set, and numbers belong to a name", () => {
  const numbers = { COMPANY_NUMBER: "01234567", VAT_NUMBER: "GB 123 4567 82" };
  const env = { ...production, ...numbers, INVOICE_SENDER: "Nest Ltd, 1 Burrow Lane" };
  expect(readConfig(env).product).toMatchObject({
    invoiceSender: "Nest Ltd, 1 Burrow Lane",
    letterhead: {
      name: "Nest Ltd",
      address: ["1 Burrow Lane"],
      companyNumber: "01234567",
      vatNumber: "GB 123 4567 82",
    },
  });
  expect(listMistakes({ ...production, ...numbers })).toEqual([expect.stringContaining("INVOICE_SENDER is missing")]);
});

test("production refuses passwords of other services that strangers try first, and networks of strangers", () => {
  const address = (password: string, query = "") =>
    ["postgres://dormouse", `${password}@db.example.org/dormouse${query}`].join(":");
  for (const password of ["dormouse", "postgres", "change-me", "%70assword"]) {
    expect(listMistakes({ ...production, DATABASE_URL: address(password) })).toEqual([
      expect.stringContaining("DATABASE_URL has a password that anyone would guess"),
    ]);
  }
  expect(listMistakes({ ...production, DATABASE_URL: address("", "?password=secret") })).toHaveLength(1);
  expect(listMistakes({ ...production, DATABASE_URL: address("k7Qz2mWx%4") })).toEqual([]);
  const theirs = {
    CMS_URL: "https://cms.example.org",
    CMS_TOKEN: "editor:change me",
    CMS_READER_TOKEN: "reader:password",
    STRIPE_SECRET_KEY: "sk_live_secret",
    STRIPE_PUBLISHABLE_KEY: "pk_live_x",
    STRIPE_WEBHOOK_SECRET: "whsec_secret",
    GOCARDLESS_ACCESS_TOKEN: "live_changeme",
    GOCARDLESS_WEBHOOK_SECRET: "secret",
  };
  const { CMS_URL: _url, STRIPE_PUBLISHABLE_KEY: _public, ...secret } = theirs;
  expect(listMistakes({ ...production, ...theirs }).toSorted()).toEqual(
    Object.keys(secret)
      .toSorted()
      .map((name) => `${name} is a secret that anyone would guess: use a random one`),
  );
  expect(listMistakes({ ...production, TRUST_PROXY: "0.0.0.0/0", DESK_ALLOWED: "::/0" })).toEqual([
    expect.stringContaining("TRUST_PROXY has “0.0.0.0/0”"),
    expect.stringContaining("DESK_ALLOWED has “::/0”"),
  ]);
  expect(listMistakes({ DEMO: "true", DATABASE_URL: address("dormouse"), TRUST_PROXY: "0.0.0.0/0" })).toEqual([]);
});

test("production names everything that is weak or unreadable at once", () => {
  const weak = {
    SESSION_SECRET: "short",
    ORIGIN: "http://members.example.org/path",
    BASE_PATH: "/../etc",
    TRUST_PROXY: "everyone,nobody",
    SOCIAL_LINKS: "facebook",
  };
  expect(listMistakes(weak)).toEqual([
    expect.stringContaining("SESSION_SECRET is too short"),
    expect.stringContaining("ORIGIN must be https"),
    expect.stringContaining("CONTACT_URL is missing"),
    expect.stringContaining("CONTACT_EMAIL is missing"),
    expect.stringContaining("BASE_PATH"),
    expect.stringContaining("everyone"),
    expect.stringContaining("nobody"),
    expect.stringContaining("ORIGIN must only have a scheme and a host"),
    expect.stringContaining("SOCIAL_LINKS"),
  ]);
});

test("the error's message contains every mistake", () => {
  expect(() => readConfig({})).toThrow(/SESSION_SECRET[\s\S]+ORIGIN[\s\S]+CONTACT_URL[\s\S]+CONTACT_EMAIL/);
});

test.each([
  ["DEMO", "maybe"],
  ["PORT", "door"],
  ["PORT", "1e3"],
  ["PORT", "65536"],
  ["METRICS_PORT", "door"],
  ["METRICS_PORT", "65536"],
  ["METRICS_PORT", "3000"],
  ["METRICS_TOKEN", "short"],
  ["METRICS_TOKEN", "with a space with a space with a space"],
  ["ORIGIN", "members.example.org"],
  ["ORIGIN", "http://members.example.org"],
  ["ORIGIN", "http://localhost.example.org"],
  ["ORIGIN", "https://members.example.org/members"],
  ["ORIGIN", "https://m.example/?x"],
  ["ORIGIN", "https://u:p@m.example"],
  ["BASE_PATH", "/../members"],
  ["TRUST_PROXY", "10.0.0.0/33"],
  ["TRUST_PROXY", "2001:db8::/129"],
  ["TRUST_PROXY", "loopback,proxy.example.org"],
  ["DESK_ALLOWED", "10.0.0.0/33"],
  ["DESK_ALLOWED", "192.0.2.7,office.example.org"],
  ["DATABASE_URL", "mysql://db.example.org/dormouse"],
  ["SOCIAL_LINKS", "facebook"],
  ["SOCIAL_LINKS", "=https://facebook.example"],
  ["SOCIAL_LINKS", "facebook=javascript:alert(1)"],
  ["SOCIAL_LINKS", "x=https://x.example,facebook=soon"],
  ["LOG_LEVEL", "loud"],
  ["CONTACT_EMAIL", "nobody"],
  ["CONTACT_URL", "javascript:alert(1)"],
  ["AGENCY_URL", "hedgerow"],
  ["PRODUCT_NAME", "D".repeat(41)],
  ["INVOICE_SENDER", "D".repeat(301)],
  ["COMPANY_NUMBER", "1234567"],
  ["VAT_NUMBER", "GB 123 4567 83"],
  ["SESSION_SECRET", "k".repeat(64)],
  ["SESSION_SECRET", "kT7v-Qx2m_Lp9zRw4Yc8Bn3Hd6Fs1Ga"],
])("a bad %s, %j, is named and nothing else is", (name, value) => {
  expect(listMistakes({ ...production, [name]: value })).toEqual([expect.stringContaining(name)]);
});

test.each(["SESSION_SECRET", "API_KEY", "CMS_WEBHOOK_SECRET", "METRICS_TOKEN"])(
  "%s that a file of settings would not keep as it is is refused, and not repeated",
  (name) => {
    const env = { ...production, CMS_URL: "https://cms.example.org" };
    for (const sign of ["#", "\\"]) {
      const mistakes = listMistakes({ ...env, [name]: `${production.SESSION_SECRET}${sign}tail` });
      expect(mistakes).toEqual([expect.stringContaining(`${name} must not have # or \\`)]);
      expect(mistakes.join(" ")).not.toContain("tail");
    }
    expect(listMistakes({ ...env, [name]: `${production.SESSION_SECRET}+/=` })).toEqual([]);
  },
);

test("keys that other services issued are accepted with any characters", () => {
  const theirs = { API_URL: "https://members.example.org", API_KEY: "a#b\\c", STRIPE_WEBHOOK_SECRET: "whsec_#" };
  const stripe = { STRIPE_SECRET_KEY: "sk_live_#", STRIPE_PUBLISHABLE_KEY: "pk_live_#" };
  expect(listMistakes({ ...production, ...theirs, ...stripe })).toEqual([]);
});

test("a demo allows missing settings, but not unreadable ones", () => {
  expect(listMistakes({ DEMO: "true", BASE_PATH: "/.." })).toEqual([expect.stringContaining("BASE_PATH")]);
  expect(listMistakes({ DEMO: "true", PORT: "door" })).toEqual([expect.stringContaining("PORT")]);
});

test("an empty value counts as not set", () => {
  const empty = { PORT: "", BASE_PATH: "", DATABASE_URL: "", TRUST_PROXY: "", LOG_LEVEL: "", PRODUCT_NAME: "" };
  expect(readConfig({ ...production, ...empty })).toEqual(readConfig(production));
  expect(listMistakes({ ...production, ORIGIN: "" })).toEqual([expect.stringContaining("ORIGIN is missing")]);
});

test.each(["http://localhost", "http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"])(
  "%s needs no https",
  (origin) => expect(readConfig({ ...production, ORIGIN: origin }).http.origin).toBe(origin),
);

test("an origin loses its closing slash, its capitals and its usual port", () => {
  expect(readConfig({ ...production, ORIGIN: "https://Members.Example.org:443/" }).http.origin).toBe(
    "https://members.example.org",
  );
});

test("nothing is measured unless it is asked for, and on a port of its own only this machine sees it", () => {
  const readMetrics = (env: Record<string, string>) => readConfig({ ...production, ...env }).metrics;
  const token = "Vb6Xn1Zq8Kc3Jt5Lw0Pd7Rf2Hs9Gy4Ma";
  expect(readMetrics({})).toBeUndefined();
  expect(readMetrics({ METRICS_PORT: "", METRICS_TOKEN: "", METRICS_HOST: "" })).toBeUndefined();
  expect(readMetrics({ METRICS_TOKEN: token })).toEqual({ listen: undefined, token });
  const listen = { host: "127.0.0.1", port: 9464 };
  expect(readMetrics({ METRICS_PORT: "9464" })).toEqual({ listen, token: undefined });
  const both = { METRICS_PORT: "9464", METRICS_HOST: "0.0.0.0", METRICS_TOKEN: token };
  expect(readMetrics(both)).toEqual({ listen: { ...listen, host: "0.0.0.0" }, token });
});

test("port 0 takes any free port", () => {
  expect(readConfig({ ...production, PORT: "0" }).http.port).toBe(0);
});

test("a mistake never repeats a secret", () => {
  const mistakes = listMistakes({
    ...production,
    SESSION_SECRET: "hunter2hunter2hunter2hunter2hunter2",
    DATABASE_URL: "postgres://dormouse:hunter2@db.example.org/dormouse",
  });
  expect(mistakes).toHaveLength(2);
  expect(mistakes.join(" ")).not.toContain("hunter2");
  const SMTP_URL = "https://hunter2@mail.example.org";
  const unread = { DATABASE_URL: "mysql://dormouse:hunter2@db", STRIPE_SECRET_KEY: "hunter2", SMTP_URL };
  expect(listMistakes({ ...production, ...unread }).join(" ")).not.toContain("hunter2");
});

test("every bad setting is reported", () => {
  expect(listMistakes({ PORT: "abc" })).toEqual([
    "PORT must be a number",
    expect.stringContaining("SESSION_SECRET is missing"),
    expect.stringContaining("ORIGIN is missing"),
    expect.stringContaining("CONTACT_URL is missing"),
    expect.stringContaining("CONTACT_EMAIL is missing"),
  ]);
});

/* The parts that others run. */

const stripe = {
  STRIPE_SECRET_KEY: "sk_live_a",
  STRIPE_PUBLISHABLE_KEY: "pk_live_b",
  STRIPE_WEBHOOK_SECRET: "whsec_c",
};
const store = { MEDIA_URL: "https://media.example.org" };
const storeKey = { S3_ACCESS_KEY_ID: "AKIAEXAMPLE", S3_SECRET_ACCESS_KEY: "d/e+f" };
const goCardless = { GOCARDLESS_ACCESS_TOKEN: "live_a", GOCARDLESS_WEBHOOK_SECRET: "b" };
const wordpress = {
  CMS_URL: "https://cms.example.org",
  CMS_TOKEN: "anna:abcd efgh",
  CMS_READER_TOKEN: "ben:ijkl",
  CMS_WEBHOOK_SECRET: "Nd4Hv9Ws2Tk7Yb1Fm6Rz3Lq8Xc5Jg0Pa",
};

/** The mistakes that production finds in these settings as well. */
function mistakesBeside(env: Record<string, string>): string[] {
  return listMistakes({ ...production, ...env });
}

test("each part that is set takes the place of the embedded one", () => {
  const config = readConfig({
    ...production,
    ...stripe,
    ...goCardless,
    ...wordpress,
    DATABASE_URL: "postgres://dormouse@db.example.org/dormouse",
    DATABASE_POOL_SIZE: "25",
    SMTP_URL: "smtps://night:k7Qz2mWx@mail.example.org:465",
    MAIL_FROM: "night@example.org",
  });
  expect(config).toMatchObject({
    database: { kind: "postgres", url: "postgres://dormouse@db.example.org/dormouse", poolSize: 25 },
    content: {
      kind: "wordpress",
      editorToken: "anna:abcd efgh",
      readerToken: "ben:ijkl",
      webhookSecret: wordpress.CMS_WEBHOOK_SECRET,
    },
    cardGateway: { kind: "stripe", secretKey: "sk_live_a", publishableKey: "pk_live_b", webhookSecret: "whsec_c" },
    debits: { kind: "gocardless", accessToken: "live_a", webhookSecret: "b", apiBase: undefined },
    mail: { kind: "smtp", url: "smtps://night:k7Qz2mWx@mail.example.org:465", from: '"Dormouse" <night@example.org>' },
  });
});

test.each([
  ["night@example.org", "Dormouse", '"Dormouse" <night@example.org>'],
  ["night@example.org", 'The "Night", by <us>', '"The Night, by <us>" <night@example.org>'],
  ["", "Dormouse", '"Dormouse" <hello@example.org>'],
])("emails from %j of a product called %j come from %j", (address, name, from) => {
  expect(readConfig({ ...production, MAIL_FROM: address, PRODUCT_NAME: name }).mail.from).toBe(from);
});

test.each(["Dormouse <night@example.org>", '"Dormouse, by night" <night@example.org>'])(
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
  expect(() => readConfig({ ...production, MAIL_FROM: from })).toThrow(/MAIL_FROM must be an email address/);
});

test("a demo takes a real part as soon as one is set, and does without its webhook secret", () => {
  const { STRIPE_WEBHOOK_SECRET: _, ...keys } = stripe;
  const testKeys = Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, key.replace("live", "test")]));
  const fake = { STRIPE_API_BASE: "http://127.0.0.1:4010", GOCARDLESS_API_BASE: "http://10.0.0.7:4011" };
  const config = readConfig({ DEMO: "true", ...testKeys, ...fake, GOCARDLESS_ACCESS_TOKEN: "any" });
  expect(config.cardGateway).toMatchObject({
    kind: "stripe",
    webhookSecret: undefined,
    apiBase: "http://127.0.0.1:4010",
  });
  expect(config.debits).toMatchObject({ kind: "gocardless", apiBase: "http://10.0.0.7:4011" });
});

test.each([
  ["half of Stripe's keys", { STRIPE_SECRET_KEY: "sk_live_a", STRIPE_WEBHOOK_SECRET: "whsec_c" }, "PUBLI"],
  ["Stripe without a webhook secret", { ...stripe, STRIPE_WEBHOOK_SECRET: "" }, "STRIPE_WEBHOOK_SECRET is missing"],
  [
    "keys of two modes",
    { ...stripe, STRIPE_PUBLISHABLE_KEY: "pk_test_b" },
    "STRIPE_PUBLISHABLE_KEY has a different mode",
  ],
  ["a wrong secret key", { ...stripe, STRIPE_SECRET_KEY: "pk_live_a" }, "STRIPE_SECRET_KEY must start"],
  ["a webhook secret alone", { STRIPE_WEBHOOK_SECRET: "whsec_c" }, "STRIPE_SECRET_KEY is missing"],
  ["Stripe over http", { ...stripe, STRIPE_API_BASE: "http://stripe.example.org" }, "STRIPE_API_BASE must be https"],
  ["a token of no kind", { ...goCardless, GOCARDLESS_ACCESS_TOKEN: "abc" }, "GOCARDLESS_ACCESS_TOKEN must start"],
  ["a deaf GoCardless", { GOCARDLESS_ACCESS_TOKEN: "live_a" }, "GOCARDLESS_WEBHOOK_SECRET is missing"],
  ["a token's secret alone", { GOCARDLESS_WEBHOOK_SECRET: "b" }, "GOCARDLESS_ACCESS_TOKEN is missing"],
  ["a store over plain http", { MEDIA_URL: "http://media.example.org" }, "MEDIA_URL must be https"],
  ["a store with a query", { MEDIA_URL: "https://media.example.org/?a=1" }, "MEDIA_URL must be a plain address"],
  [
    "a store with an odd path",
    { MEDIA_URL: "https://media.example.org/a%20b" },
    "MEDIA_URL may only have letters, digits and",
  ],
  ["a key of a store alone", { S3_ACCESS_KEY_ID: "AKIA", S3_SECRET_ACCESS_KEY: "s" }, "MEDIA_URL is missing"],
  ["half a key of a store", { ...store, S3_ACCESS_KEY_ID: "AKIA" }, "S3_SECRET_ACCESS_KEY is missing"],
  ["a secret without its key", { ...store, S3_SECRET_ACCESS_KEY: "s" }, "S3_ACCESS_KEY_ID is missing"],
  ["a bucket without a key", { ...store, S3_URL: "https://s3.example.org/media" }, "S3_ACCESS_KEY_ID is missing"],
  [
    "a bucket that is the CDN",
    { ...store, ...storeKey, S3_URL: "https://media.example.org/" },
    "S3_URL is the same as MEDIA_URL",
  ],
  ["a region that is none", { ...store, S3_REGION: "Europe (London)" }, "S3_REGION must be the name of a region"],
  ["a key with a slash", { ...store, ...storeKey, S3_ACCESS_KEY_ID: "a/b" }, "S3_ACCESS_KEY_ID may only have letters"],
  ["a CMS over plain http", { CMS_URL: "http://cms.example.org" }, "CMS_URL must be https"],
  ["a CMS with a password", { CMS_URL: "https://a:b@cms.example.org" }, "CMS_URL must be a plain address"],
  ["a CMS's token without its address", { CMS_TOKEN: "t" }, "CMS_URL is missing"],
  ["a reader without a CMS", { CMS_READER_TOKEN: "t" }, "CMS_URL is missing"],
  [
    "an Editor as the reader",
    { ...wordpress, CMS_READER_TOKEN: "Anna:ijkl mnop" },
    "CMS_READER_TOKEN is for the same user as CMS_TOKEN",
  ],
  ["a mail server that is a web server", { SMTP_URL: "https://mail.example.org" }, "SMTP_URL must start with"],
  ["half of the credentials", { SMTP_URL: "smtp://anna@mail.example.org" }, "SMTP_URL must have both"],
  ["no connection at all", { DATABASE_POOL_SIZE: "0" }, "DATABASE_POOL_SIZE must be between"],
  ["a pool of words", { DATABASE_POOL_SIZE: "many" }, "DATABASE_POOL_SIZE must be a number"],
])("%s is refused, and the sentence names it", (_name, env, sentence) => {
  const mistakes = mistakesBeside(env);
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]).toContain(sentence);
});

test("files of the content come from a store where one is set, and are signed with its key", () => {
  expect(readConfig(production).media).toBeUndefined();
  expect(readConfig({ ...production, ...store }).media).toEqual({
    url: store.MEDIA_URL,
    bucketUrl: undefined,
    key: undefined,
  });
  const key = { accessKeyId: "AKIAEXAMPLE", secretAccessKey: "d/e+f", region: "us-east-1" };
  expect(readConfig({ ...production, ...store, ...storeKey }).media).toEqual({
    url: store.MEDIA_URL,
    bucketUrl: undefined,
    key,
  });
  const behind = { S3_URL: "https://s3.example.org/media", S3_REGION: "auto" };
  expect(readConfig({ ...production, ...store, ...storeKey, ...behind }).media).toEqual({
    url: store.MEDIA_URL,
    bucketUrl: behind.S3_URL,
    key: { ...key, region: "auto" },
  });
});

test("two gateways for one purpose are refused, because it would be chance which takes the payments", () => {
  const [gateway] = cardGateways;
  if (!gateway) throw new Error("There is no card gateway");
  // Another one, chosen by an existing setting.
  cardGateways.push({ ...gateway, kind: "other", chosenBy: "SMTP_URL" });
  try {
    expect(mistakesBeside({ ...stripe, SMTP_URL: "smtp://mail.example.org" })).toEqual([
      expect.stringMatching(/^STRIPE_SECRET_KEY and SMTP_URL are both set, /),
    ]);
    expect(mistakesBeside(stripe)).toEqual([]);
  } finally {
    cardGateways.pop();
  }
});

test.each([
  ["Stripe", { STRIPE_SECRET_KEY: "sk_live_a", STRIPE_PUBLISHABLE_KEY: "pk_live_b" }],
  ["GoCardless", { GOCARDLESS_ACCESS_TOKEN: "live_a" }],
])("a demo moves no real money: live keys of %s are refused", (_name, env) => {
  expect(() => readConfig({ DEMO: "true", ...env })).toThrow(/a demo only takes/);
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
  expect(mistakesBeside({ API_URL: url })).toEqual(["API_KEY is missing: the provider at API_URL asks for it"]);
  expect(mistakesBeside({ API_URL: "http://provider.example.org", API_KEY: "theirs" })).toEqual([
    "API_URL must be https (http only on this machine)",
  ]);
  expect(mistakesBeside({ API_URL: "http://127.0.0.1:3000", API_KEY: "theirs" })).toEqual([]);
  expect(mistakesBeside({ API_URL: "https://ada:x@provider.example.org/?a=1", API_KEY: "theirs" })).toEqual([
    "API_URL must be a plain address, without a user, a query or a fragment",
  ]);
});
