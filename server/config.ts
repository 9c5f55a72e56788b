import { join, resolve } from "node:path";
import { z } from "zod";

import { basePathOf } from "./base-path.ts";
import { readSmtpUrl } from "./email/smtp-url.ts";
import { logLevels } from "./log.ts";

/* What the server works with. */

/** Every setting, read once and checked. `.env.example` says what each is for. */
export type Config = {
  isDemo: boolean;
  basePath: string;
  buildDir: string;
  dataDir: string;
  sessionSecret: string;
  http: HttpConfig;
  database: { kind: "sqlite"; path: string } | { kind: "postgres"; url: string; poolSize: number };
  /** Where links in emails lead when no request says how the site is reached; ends with a slash. */
  site: string;
  /** `webhookSecret`: what a CMS that tells of changes by itself has to know. */
  content:
    | { kind: "bundled" }
    | { kind: "provider" }
    | { kind: "wordpress"; url: string; token: string | undefined; webhookSecret: string | undefined };
  cards: Embedded | StripeConfig;
  debits: Embedded | GoCardlessConfig;
  /** `from` may have a name before its address: `Dormouse <hello@example.org>`. */
  mail: ({ kind: "files"; folder: string } | { kind: "smtp"; url: string }) & { from: string; replyTo: string };
  /** The API that we serve to other servers. `takesQueryCredentials`: codes and passwords may stand in a query. */
  api: { key: string; takesQueryCredentials: boolean } | undefined;
  /** The API that we ask, where another back end owns accounts, subscriptions, content and orders. We serve none then. */
  provider: { url: string; key: string } | undefined;
  product: ProductConfig;
  logLevel: (typeof logLevels)[number];
};

/** `none`: no gateway is configured, and outside a demo nothing pretended takes its place. */
type Embedded = { kind: "demo" } | { kind: "none" };

/** Without a `webhookSecret` no webhook is believed, and payments are learnt of by asking. `apiBase`: Stripe's own when not set. */
type StripeConfig = {
  kind: "stripe";
  secretKey: string;
  publishableKey: string;
  webhookSecret: string | undefined;
  apiBase: string | undefined;
};

/** `apiBase`: GoCardless's own when not set, live or sandbox, as the token says. */
type GoCardlessConfig = {
  kind: "gocardless";
  accessToken: string;
  webhookSecret: string | undefined;
  apiBase: string | undefined;
};

export type HttpConfig = {
  host: string;
  port: number;
  /** The public origin, `https://members.example.org`; without one each request's own is taken (demo only). */
  origin: string | undefined;
  /** Peers whose `X-Forwarded-*` are believed: addresses, ranges or `loopback`. */
  trustedProxies: string[];
};

/** What a provider calls the product and where its people are reached. */
export type ProductConfig = {
  name: string;
  contactUrl: string;
  contactEmail: string;
  socialLinks: { network: string; url: string }[];
  agency: { name: string; url: string };
};

/* The settings as they are written in the environment. */

const text = z.string().optional();
const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http(s) address" });
const flag = z.stringbool({ error: "must be true or false" }).default(false);
const digits = (max: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${max}}$`), "must be a number")
    .transform(Number);
const matching = (pattern: RegExp, error: string) => z.string().regex(pattern, error).optional();

const proxy = z.union([z.literal("loopback"), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** One field for each setting. A part that is not set stays the embedded one. */
const settings = z.object({
  DEMO: flag,
  HOST: z.string().default("0.0.0.0"),
  PORT: digits(5)
    .refine((port) => port <= 65_535, "must be at most 65535")
    .default(3000),
  ORIGIN: httpUrl.optional(),
  BASE_PATH: z.string().default("/"),
  BUILD_DIR: z.string().default("build"),
  DATA_DIR: text,
  SESSION_SECRET: text,
  TRUST_PROXY: z.string().default(""),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` }).default("info"),
  API_KEY: matching(/^[\x21-\x7e]+$/, "must be of letters, digits and signs, without spaces"),
  API_QUERY_CREDENTIALS: flag,
  PRODUCT_NAME: z.string().max(40, "must be at most 40 characters").default("Dormouse"),
  CONTACT_URL: httpUrl.optional(),
  CONTACT_EMAIL: z.email("must be an e-mail address").optional(),
  SOCIAL_LINKS: text,
  AGENCY_NAME: z.string().default("Hedgerow Web Works"),
  AGENCY_URL: httpUrl.default("https://hedgerow.example"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must start with postgres://" }).optional(),
  DATABASE_POOL_SIZE: digits(3)
    .refine((size) => size >= 2 && size <= 200, "must be between 2 and 200")
    .default(10),
  API_URL: httpUrl.optional(),
  CMS_URL: httpUrl.optional(),
  CMS_TOKEN: text,
  CMS_WEBHOOK_SECRET: text,
  STRIPE_SECRET_KEY: matching(/^[sr]k_(test|live)_/, "must start with sk_test_ or sk_live_ (rk_ for a restricted key)"),
  STRIPE_PUBLISHABLE_KEY: matching(/^pk_(test|live)_/, "must start with pk_test_ or pk_live_"),
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_API_BASE: httpUrl.optional(),
  GOCARDLESS_ACCESS_TOKEN: text,
  GOCARDLESS_WEBHOOK_SECRET: text,
  GOCARDLESS_API_BASE: httpUrl.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must start with smtp:// or smtps://" }).optional(),
  MAIL_FROM: z
    .string()
    .refine(isSender, "must be an e-mail address, alone or after a name: Dormouse <hello@example.org>")
    .optional(),
});

type Settings = z.infer<typeof settings>;

/**
 * Reads what can be read, so that one bad setting hides no other: the values, and a sentence for each mistake. An empty value
 * counts as not set.
 */
export function parseSettings(env: Record<string, string | undefined>): { set: Settings; mistakes: string[] } {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const issues = settings.safeParse(given).error?.issues ?? [];
  const bad = new Set(issues.map((issue) => String(issue.path[0])));
  const set = settings.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !bad.has(name))));
  const further = [
    ...productionMistakes(set),
    ...grammarMistakes(set),
    ...stripeMistakes(set),
    ...goCardlessMistakes(set),
    ...addressMistakes(set),
    ...mailMistakes(set),
  ];
  return {
    set,
    mistakes: [
      ...issues.map((issue) => `${String(issue.path[0])} ${issue.message}`),
      ...further.filter((mistake) => !bad.has(mistake.split(" ")[0] ?? "")),
    ],
  };
}

/** Settings that cannot be used, one sentence each. */
export class ConfigError extends Error {
  readonly mistakes: string[];

  constructor(mistakes: string[]) {
    super(`The configuration cannot be used:\n${mistakes.map((mistake) => `  - ${mistake}`).join("\n")}`);
    this.name = "ConfigError";
    this.mistakes = mistakes;
  }
}

/**
 * Reads the environment into a `Config`. An empty value counts as not set.
 * @throws {ConfigError} naming every mistake at once.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const { set, mistakes } = parseSettings(env);
  if (mistakes.length > 0) throw new ConfigError(mistakes);

  const dataDir = resolve(set.DATA_DIR ?? (set.DEMO ? "data/demo" : "data"));
  const basePath = basePathOf(set.BASE_PATH);
  const origin = set.ORIGIN && new URL(set.ORIGIN).origin;
  const contactEmail = set.CONTACT_EMAIL ?? "hello@dormouse.example";
  return {
    isDemo: set.DEMO,
    basePath,
    buildDir: resolve(set.BUILD_DIR),
    dataDir,
    sessionSecret: set.SESSION_SECRET ?? demoSecret,
    http: { host: set.HOST, port: set.PORT, origin, trustedProxies: listOf(set.TRUST_PROXY) },
    database: set.DATABASE_URL
      ? { kind: "postgres", url: set.DATABASE_URL, poolSize: set.DATABASE_POOL_SIZE }
      : { kind: "sqlite", path: join(dataDir, "dormouse.sqlite") },
    site: (origin ?? `http://localhost:${set.PORT}`) + basePath,
    content: contentOf(set),
    cards: cardsOf(set),
    debits: debitsOf(set),
    mail: {
      ...(set.SMTP_URL ? { kind: "smtp", url: set.SMTP_URL } : { kind: "files", folder: join(dataDir, "outbox") }),
      from: set.MAIL_FROM ?? contactEmail,
      replyTo: contactEmail,
    },
    ...apiOf(set),
    product: {
      name: set.PRODUCT_NAME,
      contactUrl: set.CONTACT_URL ?? "https://dormouse.example/contact",
      contactEmail,
      socialLinks: parseSocialLinks(set.SOCIAL_LINKS ?? (set.DEMO ? demoSocialLinks : "")) ?? [],
      agency: { name: set.AGENCY_NAME, url: set.AGENCY_URL },
    },
    logLevel: set.LOG_LEVEL,
  };
}

function contentOf(set: Settings): Config["content"] {
  if (!set.CMS_URL) return { kind: set.API_URL ? "provider" : "bundled" };
  return { kind: "wordpress", url: set.CMS_URL, token: set.CMS_TOKEN, webhookSecret: set.CMS_WEBHOOK_SECRET };
}

/** One key, and one direction: what we serve to others, or what we ask of a provider. */
function apiOf({ API_URL: url, API_KEY: key, ...set }: Settings): Pick<Config, "api" | "provider"> {
  if (!key) return { api: undefined, provider: undefined };
  if (url) return { api: undefined, provider: { url, key } };
  return { api: { key, takesQueryCredentials: set.API_QUERY_CREDENTIALS }, provider: undefined };
}

function cardsOf(set: Settings): Config["cards"] {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = set;
  if (!secretKey || !publishableKey) return pretended(set);
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = set;
  return { kind: "stripe", secretKey, publishableKey, webhookSecret, apiBase };
}

function debitsOf(set: Settings): Config["debits"] {
  const { GOCARDLESS_ACCESS_TOKEN: accessToken, GOCARDLESS_WEBHOOK_SECRET: webhookSecret } = set;
  if (!accessToken) return pretended(set);
  return { kind: "gocardless", accessToken, webhookSecret, apiBase: set.GOCARDLESS_API_BASE };
}

function pretended({ DEMO }: Settings): Embedded {
  return { kind: DEMO ? "demo" : "none" };
}

const demoSecret = "a demo keeps nothing worth guessing a secret for";
const demoSocialLinks = ["facebook", "instagram", "x", "linkedin", "youtube"]
  .map((network) => `${network}=https://dormouse.example/${network}`)
  .join(",");

/* What settings ask of one another, what only a demo may leave out, and settings with a grammar of their own. */

/** The sentences of all cases that are so. */
function say(...cases: [isSo: unknown, sentence: string][]): string[] {
  return cases.filter(([isSo]) => isSo).map(([, sentence]) => sentence);
}

function productionMistakes(set: Settings): string[] {
  if (set.DEMO) return [];
  const { SESSION_SECRET: secret, ORIGIN: origin } = set;
  const isLong = secret !== undefined && secret.length >= 32;
  return say(
    [!secret, "SESSION_SECRET is missing: give it 32 random characters or more"],
    [secret && !isLong, "SESSION_SECRET is too short: give it 32 random characters or more"],
    [isLong && new Set(secret).size < 12, "SESSION_SECRET is too regular: take random characters"],
    // The key of a provider is theirs to make.
    [
      set.API_KEY && !set.API_URL && set.API_KEY.length < 32,
      "API_KEY is too short: give it 32 random characters or more",
    ],
    [!origin, "ORIGIN is missing: the public address, such as https://members.example.org"],
    [origin && !isSafeOrigin(origin), "ORIGIN must be https (http only on localhost)"],
    [!set.CONTACT_URL, "CONTACT_URL is missing: the page behind “Contact us”"],
    [!set.CONTACT_EMAIL, "CONTACT_EMAIL is missing: the address members write to"],
  );
}

function grammarMistakes(set: Settings): string[] {
  const { SESSION_SECRET, CMS_WEBHOOK_SECRET, API_KEY, API_URL, ORIGIN: origin } = set;
  // What operators make up. Node reads a `#` in a file of settings as a comment, systemd a backslash as an escape.
  const ownSecrets = Object.entries({ SESSION_SECRET, CMS_WEBHOOK_SECRET, ...(API_URL ? {} : { API_KEY }) });
  const peers = listOf(set.TRUST_PROXY).filter((peer) => !proxy.safeParse(peer).success);
  return [
    ...ownSecrets
      .filter(([, secret]) => secret && /[#\\]/.test(secret))
      .map(
        ([name]) =>
          `${name} must be without # and \\: not everything that reads it from a file leaves them as they are`,
      ),
    ...messageOf(() => basePathOf(set.BASE_PATH)),
    ...peers.map(
      (peer) => `TRUST_PROXY does not understand “${peer}”: give addresses, ranges such as 10.0.0.0/8, or loopback`,
    ),
    ...say(
      [
        origin && new URL(origin).href !== `${new URL(origin).origin}/`,
        "ORIGIN must be scheme and host alone, without a path (that is BASE_PATH), a query or a user",
      ],
      [
        set.SOCIAL_LINKS && !parseSocialLinks(set.SOCIAL_LINKS),
        "SOCIAL_LINKS must look like facebook=https://…,instagram=https://…",
      ],
    ),
  ];
}

/** `test` or `live`: whether a key of Stripe's moves money. */
function modeOf(key: string): string | undefined {
  return key.split("_")[1];
}

function stripeMistakes(set: Settings): string[] {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable, STRIPE_WEBHOOK_SECRET: webhook } = set;
  if (!secret) {
    return say([
      publishable || webhook || set.STRIPE_API_BASE,
      "STRIPE_SECRET_KEY is missing: the other settings of Stripe are of no use without it",
    ]);
  }
  return say(
    [!publishable, "STRIPE_PUBLISHABLE_KEY is missing: the card fields need it beside STRIPE_SECRET_KEY"],
    [
      publishable && modeOf(publishable) !== modeOf(secret),
      "STRIPE_PUBLISHABLE_KEY is of another mode than STRIPE_SECRET_KEY: take both live or both test",
    ],
    [
      !webhook && !set.DEMO,
      "STRIPE_WEBHOOK_SECRET is missing: Stripe shows it beside the webhook endpoint, as whsec_…",
    ],
    [set.DEMO && modeOf(secret) === "live", "STRIPE_SECRET_KEY is a live one: a demo takes test keys only"],
  );
}

function goCardlessMistakes(set: Settings): string[] {
  const { GOCARDLESS_ACCESS_TOKEN: token, GOCARDLESS_WEBHOOK_SECRET: webhook, GOCARDLESS_API_BASE: base } = set;
  if (!token) {
    return say([
      webhook || base,
      "GOCARDLESS_ACCESS_TOKEN is missing: the other settings of GoCardless are of no use without it",
    ]);
  }
  return say(
    [
      !base && !/^(live|sandbox)_/.test(token),
      "GOCARDLESS_ACCESS_TOKEN must start with live_ or sandbox_: that says which GoCardless it is for",
    ],
    [!webhook && !set.DEMO, "GOCARDLESS_WEBHOOK_SECRET is missing: GoCardless shows it beside the webhook endpoint"],
    [set.DEMO && token.startsWith("live_"), "GOCARDLESS_ACCESS_TOKEN is a live one: a demo takes sandbox tokens only"],
  );
}

/** Keys and passwords travel to these addresses. */
const addresses = ["API_URL", "CMS_URL", "STRIPE_API_BASE", "GOCARDLESS_API_BASE"] as const;

function addressMistakes(set: Settings): string[] {
  const found = addresses.flatMap((name) => {
    const address = set[name];
    if (!address) return [];
    const { protocol, hostname, username, search, hash } = new URL(address);
    const isOwn = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
    return say(
      [username || search || hash, `${name} must be an address alone, without a user, a query or a fragment`],
      [!set.DEMO && protocol !== "https:" && !isOwn, `${name} must be https (http only on this machine)`],
    );
  });
  return [
    ...found,
    ...say(
      [set.API_URL && !set.API_KEY, "API_KEY is missing: the provider at API_URL asks for it"],
      [
        !set.CMS_URL && (set.CMS_TOKEN || set.CMS_WEBHOOK_SECRET),
        "CMS_URL is missing: the other settings of the CMS are of no use without it",
      ],
    ),
  ];
}

function mailMistakes({ SMTP_URL: url }: Settings): string[] {
  return messageOf(() => url && readSmtpUrl(url)).map((message) => `SMTP_URL ${message}`);
}

/** What a reader of a setting says against it. */
function messageOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

function isSafeOrigin(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** An address, alone or after a name: one without what ends or divides addresses, or one in quotes. */
function isSender(sender: string): boolean {
  const named = /^(?:"[^"\\\p{C}]+"|[^"<>@,;:()[\]\\\p{C}]+) <([^<>]+)>$/u;
  return z.email().safeParse(named.exec(sender)?.[1] ?? sender).success;
}

/** `facebook=https://…,instagram=https://…`; `undefined` for what is no such list. */
function parseSocialLinks(list: string): { network: string; url: string }[] | undefined {
  const links = listOf(list).map((part) => {
    const at = part.indexOf("=");
    return { network: part.slice(0, at).trim().toLowerCase(), url: part.slice(at + 1).trim() };
  });
  return links.every(({ network, url }) => network !== "" && httpUrl.safeParse(url).success) ? links : undefined;
}

/** The parts of a list with commas. */
function listOf(list: string): string[] {
  return list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
