import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { z } from "zod";

import { basePathOf } from "./base-path.ts";
import { logLevels } from "./log.ts";

/** Every setting, read once and checked. `.env.example` says what each is for. */
export type Config = {
  isDemo: boolean;
  basePath: string;
  buildDir: string;
  dataDir: string;
  sessionSecret: string;
  http: HttpConfig;
  database: { kind: "sqlite"; path: string } | { kind: "postgres"; url: string };
  /** Where links in letters lead when no request says how the site is reached; ends with a slash. */
  site: string;
  /** `none`: nothing real is configured, and outside a demo nothing pretended takes its place. */
  cards: { kind: "demo" } | { kind: "none" };
  debits: { kind: "demo" } | { kind: "none" };
  mail: { kind: "files"; folder: string; from: string };
  product: ProductConfig;
  logLevel: (typeof logLevels)[number];
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

/** Settings that cannot be used, one sentence each. */
export class ConfigError extends Error {
  readonly mistakes: string[];

  constructor(mistakes: string[]) {
    super(`The configuration cannot be used:\n${mistakes.map((mistake) => `  - ${mistake}`).join("\n")}`);
    this.name = "ConfigError";
    this.mistakes = mistakes;
  }
}

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http(s) address" });

const settings = z.object({
  DEMO: z.stringbool({ error: "must be true or false" }).default(false),
  HOST: z.string().default("0.0.0.0"),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, "must be a number")
    .transform(Number)
    .refine((port) => port <= 65_535, "must be at most 65535")
    .default(3000),
  ORIGIN: httpUrl.optional(),
  BASE_PATH: z.string().default("/"),
  BUILD_DIR: z.string().default("build"),
  DATA_DIR: z.string().optional(),
  SESSION_SECRET: z.string().optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must start with postgres://" }).optional(),
  TRUST_PROXY: z.string().default(""),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` }).default("info"),
  PRODUCT_NAME: z.string().max(40, "must be at most 40 characters").default("Dormouse"),
  CONTACT_URL: httpUrl.optional(),
  CONTACT_EMAIL: z.email("must be an e-mail address").optional(),
  MAIL_FROM: z.email("must be an e-mail address").optional(),
  SOCIAL_LINKS: z.string().optional(),
  AGENCY_NAME: z.string().default("Hedgerow Web Works"),
  AGENCY_URL: httpUrl.default("https://hedgerow.example"),
});

type Settings = z.infer<typeof settings>;

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
  const provider = { kind: set.DEMO ? ("demo" as const) : ("none" as const) };
  return {
    isDemo: set.DEMO,
    basePath,
    buildDir: resolve(set.BUILD_DIR),
    dataDir,
    sessionSecret: set.SESSION_SECRET ?? demoSecret,
    http: {
      host: set.HOST,
      port: set.PORT,
      origin,
      trustedProxies: listOf(set.TRUST_PROXY),
    },
    database: set.DATABASE_URL
      ? { kind: "postgres", url: set.DATABASE_URL }
      : { kind: "sqlite", path: join(dataDir, "dormouse.sqlite") },
    site: (origin ?? `http://localhost:${set.PORT}`) + basePath,
    cards: provider,
    debits: provider,
    mail: { kind: "files", folder: join(dataDir, "outbox"), from: set.MAIL_FROM ?? contactEmail },
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

/** Reads what can be read, so that one bad setting hides no other. */
function parseSettings(env: Record<string, string | undefined>): { set: Settings; mistakes: string[] } {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const issues = settings.safeParse(given).error?.issues ?? [];
  const bad = new Set(issues.map((issue) => String(issue.path[0])));
  const set = settings.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !bad.has(name))));
  const further = [...weaknesses(set), ...unreadable(set)].filter((mistake) => !bad.has(mistake.split(" ")[0] ?? ""));
  return { set, mistakes: [...issues.map((issue) => `${String(issue.path[0])} ${issue.message}`), ...further] };
}

const demoSecret = "a demo keeps nothing worth guessing a secret for";
const demoSocialLinks = ["facebook", "instagram", "x", "linkedin", "youtube"]
  .map((network) => `${network}=https://dormouse.example/${network}`)
  .join(",");

/** What a demo may leave out and production may not. */
function weaknesses(set: Settings): string[] {
  if (set.DEMO) return [];
  const mistakes: string[] = [];
  if (!set.SESSION_SECRET) mistakes.push("SESSION_SECRET is missing: give it 32 random characters or more");
  else if (set.SESSION_SECRET.length < 32)
    mistakes.push("SESSION_SECRET is too short: give it 32 random characters or more");
  else if (new Set(set.SESSION_SECRET).size < 12)
    mistakes.push("SESSION_SECRET is too regular: take random characters");
  if (!set.ORIGIN) mistakes.push("ORIGIN is missing: the public address, such as https://members.example.org");
  else if (!isSafeOrigin(set.ORIGIN)) mistakes.push("ORIGIN must be https (http only on localhost)");
  if (!set.CONTACT_URL) mistakes.push("CONTACT_URL is missing: the page behind “Contact us”");
  if (!set.CONTACT_EMAIL) mistakes.push("CONTACT_EMAIL is missing: the address members write to");
  return mistakes;
}

/** Settings with a grammar of their own. */
function unreadable(set: Settings): string[] {
  const mistakes: string[] = [];
  try {
    basePathOf(set.BASE_PATH);
  } catch (error) {
    mistakes.push((error as Error).message);
  }
  for (const peer of listOf(set.TRUST_PROXY)) {
    if (!isPeer(peer))
      mistakes.push(
        `TRUST_PROXY does not understand “${peer}”: give addresses, ranges such as 10.0.0.0/8, or loopback`,
      );
  }
  if (set.ORIGIN && new URL(set.ORIGIN).href !== `${new URL(set.ORIGIN).origin}/`) {
    mistakes.push("ORIGIN must be scheme and host alone, without a path (that is BASE_PATH), a query or a user");
  }
  if (set.SOCIAL_LINKS && !parseSocialLinks(set.SOCIAL_LINKS)) {
    mistakes.push("SOCIAL_LINKS must look like facebook=https://…,instagram=https://…");
  }
  return mistakes;
}

function isSafeOrigin(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

function isPeer(peer: string): boolean {
  if (peer === "loopback") return true;
  const [address = "", prefix, ...rest] = peer.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

function parseSocialLinks(text: string): ProductConfig["socialLinks"] | undefined {
  const links = listOf(text).map((part) => {
    const at = part.indexOf("=");
    return { network: part.slice(0, at).trim().toLowerCase(), url: part.slice(at + 1).trim() };
  });
  return links.every(({ network, url }) => network !== "" && httpUrl.safeParse(url).success) ? links : undefined;
}

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
