import { z } from "zod";

import { cardGateways, debitGateways } from "./adapters/gateways.ts";
import { isTooWide } from "./platform/addresses.ts";
import { readBasePath } from "./platform/base-path.ts";
import { readSmtpUrl } from "./platform/email/smtp-url.ts";
import { isVatNumber } from "./money/letterhead.ts";
import { logLevels } from "./platform/log.ts";
import { httpUrl, isKnownSecret, listMistakes, matching, text, weakSecretMistakes } from "./platform/setting-checks.ts";
import { decodePercents } from "./platform/text.ts";

const flag = z.stringbool({ error: "must be true or false" }).default(false);
const digits = (max: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${max}}$`), "must be a number")
    .transform(Number);

const portNumber = digits(5).refine((number) => number <= 65_535, "must be at most 65535");

const addressOrRange = z.union([z.literal("loopback"), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const gateways = [...cardGateways, ...debitGateways];
/** Typed as empty: only their gateways read them. */
const settingsOfGateways: object = Object.assign({}, ...gateways.map((gateway) => gateway.settings));

/** One field a setting. A part without a setting is the embedded one. */
const settings = z.object({
  DEMO: flag,
  HOST: z.string().default("0.0.0.0"),
  PORT: portNumber.default(3000),
  ORIGIN: httpUrl.optional(),
  BASE_PATH: z.string().default("/"),
  BUILD_DIR: z.string().default("build"),
  DATA_DIR: text,
  SESSION_SECRET: text,
  TRUST_PROXY: z.string().default(""),
  DESK_ALLOWED: z.string().default(""),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` }).default("info"),
  METRICS_PORT: portNumber.optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  METRICS_TOKEN: matching(/^[\x21-\x7e]+$/, "may only have letters, digits and signs, without spaces"),
  API_KEY: matching(/^[\x21-\x7e]+$/, "may only have letters, digits and signs, without spaces"),
  API_QUERY_CREDENTIALS: flag,
  PRODUCT_NAME: z.string().max(40, "must be at most 40 characters").default("Dormouse"),
  CONTACT_URL: httpUrl.optional(),
  CONTACT_EMAIL: z.email("must be an email address").optional(),
  COMPANY_EMAIL: z.email("must be an email address").optional(),
  INVOICE_SENDER: z.string().max(300, "must be at most 300 characters").optional(),
  COMPANY_NUMBER: matching(
    /^(?:\d{8}|[A-Z]{2}\d{6})$/,
    "must be a Companies House number: eight digits, or two letters and six digits",
  ),
  VAT_NUMBER: z.string().refine(isVatNumber, "must be a valid British VAT number, such as GB 123 4567 82").optional(),
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
  CMS_READER_TOKEN: text,
  CMS_WEBHOOK_SECRET: text,
  MEDIA_URL: httpUrl.optional(),
  S3_URL: httpUrl.optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z\d-]{1,40}$/, "must be the name of a region, such as eu-west-2")
    .default("us-east-1"),
  S3_ACCESS_KEY_ID: matching(
    /^[\w.~+=@:-]{3,128}$/,
    "may only have letters, digits and signs, without spaces or slashes",
  ),
  S3_SECRET_ACCESS_KEY: matching(/^[\x21-\x7e]+$/, "may only have letters, digits and signs, without spaces"),
  URGENT_HELP_FILE: text,
  SEARCH_WORDS_FILE: text,
  PRIVACY_URL: httpUrl.optional(),
  TERMS_URL: httpUrl.optional(),
  LEGAL_DIR: text,
  START_AT_ONCE: flag,
  ...settingsOfGateways,
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must start with smtp:// or smtps://" }).optional(),
  MAIL_FROM: z
    .string()
    .refine(isSender, "must be an email address, with or without a name: Dormouse <hello@example.org>")
    .optional(),
});

/** Each setting has passed its own check; `readConfig` checks what two of them say together. */
export type Settings = z.infer<typeof settings>;

/**
 * Reads all valid settings, so that one mistake hides no other, with a sentence for each mistake. An empty value counts
 * as not set.
 */
export function parseSettings(env: Record<string, string | undefined>): { set: Settings; mistakes: string[] } {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const issues = settings.safeParse(given).error?.issues ?? [];
  const bad = new Set(issues.map((issue) => String(issue.path[0])));
  const set = settings.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !bad.has(name))));
  const further = [
    ...productionMistakes(set),
    ...grammarMistakes(set),
    ...gateways.flatMap((gateway) => gateway.findMistakes(set)),
    ...rivalMistakes(set, cardGateways),
    ...rivalMistakes(set, debitGateways),
    ...addressMistakes(set),
    ...metricsMistakes(set),
    ...mailMistakes(set),
    ...mediaMistakes(set),
  ];
  return {
    set,
    mistakes: [
      ...issues.map((issue) => `${String(issue.path[0])} ${issue.message}`),
      ...further.filter((mistake) => !bad.has(mistake.split(" ")[0] ?? "")),
    ],
  };
}

/* Checks between settings, settings that only a demo may leave out, and settings with a grammar. */

function productionMistakes(set: Settings): string[] {
  if (set.DEMO) return [];
  const { ORIGIN: origin } = set;
  return [
    ...listMistakes([!set.SESSION_SECRET, "SESSION_SECRET is missing: give it 32 random characters or more"]),
    ...weakSecretMistakes(listOwnSecrets(set)),
    ...knownPasswordMistakes(set),
    ...listRanges(set)
      .filter(({ range }) => addressOrRange.safeParse(range).success && isTooWide(range))
      .map(({ name, range }) => `${name} has “${range}”, which is far too wide: give only your own networks`),
    ...listMistakes(
      [!origin, "ORIGIN is missing: the public address, such as https://members.example.org"],
      [origin && !isSafeOrigin(origin), "ORIGIN must be https (http only on localhost)"],
      [!set.CONTACT_URL, "CONTACT_URL is missing: the page behind “Contact us”"],
      [!set.CONTACT_EMAIL, "CONTACT_EMAIL is missing: the address members write to"],
    ),
  ];
}

/** Operators make up these secrets. A provider makes its own key. */
function listOwnSecrets(set: Settings): [name: string, secret: string][] {
  const { SESSION_SECRET, CMS_WEBHOOK_SECRET, METRICS_TOKEN, API_KEY, API_URL } = set;
  const own = { SESSION_SECRET, CMS_WEBHOOK_SECRET, METRICS_TOKEN, ...(API_URL ? {} : { API_KEY }) };
  return Object.entries(own).filter((pair): pair is [string, string] => Boolean(pair[1]));
}

/** Other services make these secrets, so only known ones are refused. */
function knownPasswordMistakes(set: Settings): string[] {
  const { SMTP_URL, DATABASE_URL } = set;
  const own = new Set(listOwnSecrets(set).map(([name]) => name));
  const isTheirs = (name: string) => /(?:(?<!PUBLISHABLE_)KEY|SECRET|TOKEN)$/.test(name) && !own.has(name);
  const inAddresses = Object.entries({ DATABASE_URL, SMTP_URL }).flatMap(([name, address]) => {
    if (!address || !URL.canParse(address)) return [];
    const { username, password, searchParams } = new URL(address);
    const given = decodePercents(searchParams.get("password") ?? password);
    return given && (isKnownSecret(given) || given === decodePercents(username)) ? [name] : [];
  });
  return [
    ...Object.entries<unknown>(set)
      .filter(([name, secret]) => isTheirs(name) && typeof secret === "string" && isKnownSecret(withoutPrefix(secret)))
      .map(([name]) => `${name} is a secret that anyone would guess: use a random one`),
    ...inAddresses.map((name) => `${name} has a password that anyone would guess: use a random one`),
  ];
}

/** Without the prefix of Stripe's and GoCardless's keys, and without WordPress's user. */
function withoutPrefix(secret: string): string {
  return secret.replace(/^(?:[a-z]+_(?:live|test)_|whsec_|live_|sandbox_|[^:]+:)/, "");
}

function listRanges({ TRUST_PROXY, DESK_ALLOWED }: Settings): { name: string; range: string }[] {
  return Object.entries({ TRUST_PROXY, DESK_ALLOWED }).flatMap(([name, list]) =>
    readList(list).map((range) => ({ name, range })),
  );
}

function grammarMistakes(set: Settings): string[] {
  const { ORIGIN: origin } = set;
  return [
    // Node reads a `#` in a file of settings as a comment, systemd a backslash as an escape.
    ...listOwnSecrets(set)
      .filter(([, secret]) => /[#\\]/.test(secret))
      .map(([name]) => `${name} must not have # or \\: some programs that read it from a file would change them`),
    ...catchMistake(() => readBasePath(set.BASE_PATH)),
    ...listRanges(set)
      .filter(({ range }) => !addressOrRange.safeParse(range).success)
      .map(({ name, range }) => `${name} has “${range}”: use addresses, ranges such as 10.0.0.0/8, or loopback`),
    ...listMistakes(
      [
        !set.INVOICE_SENDER && (set.COMPANY_NUMBER || set.VAT_NUMBER),
        "INVOICE_SENDER is missing: COMPANY_NUMBER and VAT_NUMBER need your company's name on receipts and invoices",
      ],
      [
        origin && new URL(origin).href !== `${new URL(origin).origin}/`,
        "ORIGIN must only have a scheme and a host, without a path (that's BASE_PATH), a query or a user",
      ],
      [
        set.SOCIAL_LINKS && !parseSocialLinks(set.SOCIAL_LINKS),
        "SOCIAL_LINKS must look like facebook=https://…,instagram=https://…",
      ],
    ),
  ];
}

/** The settings must not leave open which of several gateways takes the payments. */
function rivalMistakes(set: object, choices: { chosenBy: string }[]): string[] {
  const given = new Map(Object.entries(set));
  const chosen = choices.map(({ chosenBy }) => chosenBy).filter((name) => given.get(name));
  return listMistakes([
    chosen.length > 1,
    `${chosen.join(" and ")} are both set, but only one gateway can take the payments: set only one`,
  ]);
}

/** Keys and passwords travel to these addresses. */
const addresses = new Set([
  "API_URL",
  "CMS_URL",
  "MEDIA_URL",
  "S3_URL",
  ...gateways.flatMap((gateway) => gateway.addresses),
]);

function addressMistakes(set: Settings): string[] {
  const found = Object.entries(set).flatMap(([name, address]) => {
    if (!addresses.has(name) || typeof address !== "string") return [];
    const { protocol, hostname, username, search, hash } = new URL(address);
    const isOwn = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
    return listMistakes(
      [username || search || hash, `${name} must be a plain address, without a user, a query or a fragment`],
      [!set.DEMO && protocol !== "https:" && !isOwn, `${name} must be https (http only on this machine)`],
    );
  });
  return [
    ...found,
    ...listMistakes(
      [set.API_URL && !set.API_KEY, "API_KEY is missing: the provider at API_URL asks for it"],
      [
        !set.CMS_URL && (set.CMS_TOKEN || set.CMS_READER_TOKEN || set.CMS_WEBHOOK_SECRET),
        "CMS_URL is missing: the other CMS settings need it",
      ],
      [
        set.CMS_READER_TOKEN && readUser(set.CMS_READER_TOKEN) === readUser(set.CMS_TOKEN ?? ""),
        "CMS_READER_TOKEN is for the same user as CMS_TOKEN, so members would see what that user can: use a subscriber's",
      ],
    ),
  ];
}

function mediaMistakes(set: Settings): string[] {
  const { MEDIA_URL: url, S3_URL: bucket, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = set;
  const store = Object.entries({ MEDIA_URL: url, S3_URL: bucket });
  return [
    ...store
      // A signature covers the path, and stores write other characters in different ways.
      .filter(([, address]) => address && !/^[\w.~/-]*$/.test(new URL(address).pathname))
      .map(([name]) => `${name} may only have letters, digits and . _ ~ - between the slashes of its path`),
    ...listMistakes(
      [!url && (bucket || id || secret), "MEDIA_URL is missing: the S3 settings need it"],
      [
        url && bucket && toFolder(url) === toFolder(bucket),
        "S3_URL is the same as MEDIA_URL: set it only for a bucket behind a CDN",
      ],
      [secret && !id, "S3_ACCESS_KEY_ID is missing: S3_SECRET_ACCESS_KEY needs it"],
      [id && !secret, "S3_SECRET_ACCESS_KEY is missing: S3_ACCESS_KEY_ID needs it"],
      [bucket && !id && !secret, "S3_ACCESS_KEY_ID is missing: we can't write to S3_URL without it"],
    ),
  ];
}

function toFolder(address: string): string {
  return new URL(address).href.replace(/\/$/, "");
}

function metricsMistakes(set: Settings): string[] {
  const { METRICS_PORT: port } = set;
  return listMistakes([port !== undefined && port === set.PORT && port !== 0, "METRICS_PORT must differ from PORT"]);
}

/** `name` of `name:application password`, which WordPress reads without regard to capitals; a bearer token itself. */
function readUser(token: string): string {
  return token.replace(/:.*/s, "").toLowerCase();
}

function mailMistakes({ SMTP_URL: url }: Settings): string[] {
  return catchMistake(() => url && readSmtpUrl(url)).map((message) => `SMTP_URL ${message}`);
}

function catchMistake(read: () => unknown): string[] {
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

/** A bare address gets the product's name. */
export function toMailFrom(sender: string, productName: string): string {
  if (sender.includes("<")) return sender;
  return `"${productName.replace(/["\\\p{C}]/gu, "")}" <${sender}>`;
}

/** An address, alone or after a name that is quoted or has no separators of addresses. */
function isSender(sender: string): boolean {
  const named = /^(?:"[^"\\\p{C}]+"|[^"<>@,;:()[\]\\\p{C}]+) <([^<>]+)>$/u;
  return z.email().safeParse(named.exec(sender)?.[1] ?? sender).success;
}

/** `facebook=https://…,instagram=https://…`; `undefined` for anything else. */
export function parseSocialLinks(list: string): { network: string; url: string }[] | undefined {
  const links = readList(list).map((part) => {
    const at = part.indexOf("=");
    return { network: part.slice(0, at).trim().toLowerCase(), url: part.slice(at + 1).trim() };
  });
  return links.every(({ network, url }) => network !== "" && httpUrl.safeParse(url).success) ? links : undefined;
}

export function readList(list: string): string[] {
  return list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
