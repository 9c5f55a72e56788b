import { join, resolve } from "node:path";

import { cardGateways, debitGateways, type GatewayConfig } from "./adapters/gateways.ts";
import { readBasePath } from "./platform/base-path.ts";
import { type Letterhead, toLetterhead } from "./money/letterhead.ts";
import { findLegalMistakes, type LegalSettings } from "./operations/legal/files.ts";
import type { logLevels } from "./platform/log.ts";
import { readSearchWords } from "./content/search/sayings.ts";
import { readUrgentHelp } from "./content/urgent-help/urgent-help.ts";
import { readList, parseSettings, parseSocialLinks, type Settings, toMailFrom } from "./settings.ts";

/** All settings, read once and checked; `.env.example` explains each. */
export type Config = {
  isDemo: boolean;
  basePath: string;
  buildDir: string;
  dataDir: string;
  sessionSecret: string;
  http: HttpConfig;
  database: { kind: "sqlite"; path: string } | { kind: "postgres"; url: string; poolSize: number };
  /** For links in emails that no request caused; ends with a slash. */
  site: string;
  /** `webhookSecret`: of a CMS that reports changes. */
  content:
    | { kind: "bundled" }
    | { kind: "provider" }
    | {
        kind: "wordpress";
        url: string;
        editorToken: string | undefined;
        readerToken: string | undefined;
        webhookSecret: string | undefined;
      };
  /** Copies of the content's files for browsers; `undefined`: this server sends them. */
  media: MediaConfig | undefined;
  cardGateway: Embedded | GatewayConfig;
  debits: Embedded | GatewayConfig;
  /** `from` may have a name before its address: `Dormouse <hello@example.org>`. */
  mail: ({ kind: "files"; folder: string } | { kind: "smtp"; url: string }) & { from: string; replyTo: string };
  /** The API that we serve. `takesQueryCredentials`: codes and passwords may be in a query. */
  api: { key: string; takesQueryCredentials: boolean } | undefined;
  /**
   * The API that we use, where another back end owns accounts, subscriptions, content and orders. We serve none then.
   */
  provider: { url: string; key: string } | undefined;
  /** Addresses and ranges that may reach the desk; empty: all. */
  deskAllowed: string[];
  product: ProductConfig;
  /** Replaces the bundled file of urgent help. */
  urgentHelpFile: string | undefined;
  /** Has the words that members use, beside our sayings. */
  searchWordsFile: string | undefined;
  legal: LegalSettings;
  /** Members ask, before they pay, to start at once, and give up the days in which they may cancel. */
  startsAtOnce: boolean;
  logLevel: (typeof logLevels)[number];
  /** `undefined`: nothing is measured. */
  metrics: MetricsConfig | undefined;
};

/** `url`: browsers fetch from it. `bucketUrl`: the bucket behind a CDN. Without a key nothing is signed or sent. */
type MediaConfig = {
  url: string;
  bucketUrl: string | undefined;
  key: { accessKeyId: string; secretAccessKey: string; region: string } | undefined;
};

/** Without a port, metrics are below the product's address and always need a token. */
export type MetricsConfig = { listen: { host: string; port: number } | undefined; token: string | undefined };

/** `none`: no gateway is configured, and outside a demo nothing replaces it. */
type Embedded = { kind: "demo" } | { kind: "none" };

export type HttpConfig = {
  host: string;
  port: number;
  /** `https://members.example.org`; without one each request's own origin counts (demo only). */
  origin: string | undefined;
  /** Peers whose `X-Forwarded-*` headers are trusted: addresses, ranges or `loopback`. */
  trustedProxies: string[];
};

/** A provider's name for the product, and its contact addresses. */
export type ProductConfig = {
  name: string;
  contactUrl: string;
  contactEmail: string;
  /** Companies write there, and answer our emails there. */
  companyEmail: string;
  /** The sender of receipts and invoices, on one line: name, address. */
  invoiceSender: string;
  letterhead: Letterhead;
  socialLinks: { network: string; url: string }[];
  agency: { name: string; url: string };
};

export class ConfigError extends Error {
  readonly mistakes: string[];

  constructor(mistakes: string[]) {
    super(`The configuration cannot be used:\n${mistakes.map((mistake) => `  - ${mistake}`).join("\n")}`);
    this.name = "ConfigError";
    this.mistakes = mistakes;
  }
}

/** An empty value counts as not set. @throws {ConfigError} naming every mistake at once. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const { set, mistakes } = parseSettings(env);
  const legal = readLegal(set);
  mistakes.push(
    ...helpMistakes(set),
    ...searchMistakes(set),
    ...findLegalMistakes(legal).map((mistake) => `LEGAL_DIR: ${mistake}`),
  );
  if (mistakes.length > 0) throw new ConfigError(mistakes);

  const dataDir = resolve(set.DATA_DIR ?? (set.DEMO ? "data/demo" : "data"));
  const basePath = readBasePath(set.BASE_PATH);
  const origin = set.ORIGIN && new URL(set.ORIGIN).origin;
  const contactEmail = set.CONTACT_EMAIL ?? "hello@dormouse.example";
  const { INVOICE_SENDER: invoiceSender, COMPANY_NUMBER: companyNumber, VAT_NUMBER: vatNumber } = withDemoSender(set);
  return {
    isDemo: set.DEMO,
    basePath,
    buildDir: resolve(set.BUILD_DIR),
    dataDir,
    sessionSecret: set.SESSION_SECRET ?? demoSecret,
    http: { host: set.HOST, port: set.PORT, origin, trustedProxies: readList(set.TRUST_PROXY) },
    database: set.DATABASE_URL
      ? { kind: "postgres", url: set.DATABASE_URL, poolSize: set.DATABASE_POOL_SIZE }
      : { kind: "sqlite", path: join(dataDir, "dormouse.sqlite") },
    site: (origin ?? `http://localhost:${set.PORT}`) + basePath,
    content: readContent(set),
    media: readMedia(set),
    cardGateway: readGateway(cardGateways, set),
    debits: readGateway(debitGateways, set),
    mail: {
      ...(set.SMTP_URL ? { kind: "smtp", url: set.SMTP_URL } : { kind: "files", folder: join(dataDir, "outbox") }),
      from: toMailFrom(set.MAIL_FROM ?? contactEmail, set.PRODUCT_NAME),
      replyTo: contactEmail,
    },
    ...readApi(set),
    deskAllowed: readList(set.DESK_ALLOWED),
    product: {
      name: set.PRODUCT_NAME,
      contactUrl: set.CONTACT_URL ?? "https://dormouse.example/contact",
      contactEmail,
      companyEmail: set.COMPANY_EMAIL ?? contactEmail,
      invoiceSender,
      letterhead: toLetterhead(invoiceSender, { companyNumber, vatNumber }),
      socialLinks: parseSocialLinks(set.SOCIAL_LINKS ?? (set.DEMO ? demoSocialLinks : "")) ?? [],
      agency: { name: set.AGENCY_NAME, url: set.AGENCY_URL },
    },
    urgentHelpFile: set.URGENT_HELP_FILE,
    searchWordsFile: set.SEARCH_WORDS_FILE,
    legal,
    startsAtOnce: set.START_AT_ONCE,
    logLevel: set.LOG_LEVEL,
    metrics: readMetrics(set),
  };
}

/** Only of an operator's own file: tests check the bundled one. */
function helpMistakes({ URGENT_HELP_FILE: path }: Settings): string[] {
  return path === undefined ? [] : listFaults("URGENT_HELP_FILE", () => readUrgentHelp(path));
}

function searchMistakes({ SEARCH_WORDS_FILE: path }: Settings): string[] {
  return listFaults("SEARCH_WORDS_FILE", () => readSearchWords(path));
}

function listFaults(name: string, read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return (error as Error).message.split("\n").map((fault) => `${name}: ${fault}`);
  }
}

function readLegal({ PRIVACY_URL: privacy, TERMS_URL: terms, LEGAL_DIR: folder }: Settings): LegalSettings {
  return { urls: { ...(privacy && { privacy }), ...(terms && { terms }) }, folder: folder && resolve(folder) };
}

function readContent(set: Settings): Config["content"] {
  if (!set.CMS_URL) return { kind: set.API_URL ? "provider" : "bundled" };
  const { CMS_URL: url, CMS_TOKEN: editorToken, CMS_READER_TOKEN: readerToken } = set;
  return { kind: "wordpress", url, editorToken, readerToken, webhookSecret: set.CMS_WEBHOOK_SECRET };
}

function readMedia(set: Settings): MediaConfig | undefined {
  const { MEDIA_URL: url, S3_URL: bucketUrl, S3_REGION: region } = set;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = set;
  if (!url) return undefined;
  return { url, bucketUrl, key: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, region } : undefined };
}

function readMetrics(set: Settings): MetricsConfig | undefined {
  const { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token } = set;
  return port === undefined && !token ? undefined : { listen: port === undefined ? undefined : { host, port }, token };
}

/** One key, one direction: what we serve to others, or what we use of a provider. */
function readApi({ API_URL: url, API_KEY: key, ...set }: Settings): Pick<Config, "api" | "provider"> {
  if (!key) return { api: undefined, provider: undefined };
  if (url) return { api: undefined, provider: { url, key } };
  return { api: { key, takesQueryCredentials: set.API_QUERY_CREDENTIALS }, provider: undefined };
}

type Choice = Pick<(typeof cardGateways)[number], "readConfig">;

function readGateway(choices: Choice[], set: Settings): Embedded | GatewayConfig {
  const [chosen = pretended(set)] = choices.flatMap((gateway) => gateway.readConfig(set) ?? []);
  return chosen;
}

function pretended({ DEMO }: Settings): Embedded {
  return { kind: DEMO ? "demo" : "none" };
}

/** A demo invents a sender, so that receipts and invoices look real. */
function withDemoSender(set: Settings) {
  if (set.INVOICE_SENDER) return { ...set, INVOICE_SENDER: set.INVOICE_SENDER };
  return { ...set, INVOICE_SENDER: set.PRODUCT_NAME, ...(set.DEMO && demoSender) };
}

const demoSender = {
  INVOICE_SENDER: "Dormouse Sleep Ltd, 1 Burrow Lane, Exeter EX1 1AA",
  COMPANY_NUMBER: "01234567",
  VAT_NUMBER: "GB 123 4567 82",
};

const demoSecret = "a demo keeps nothing worth guessing a secret for";
const demoSocialLinks = ["facebook", "instagram", "x", "linkedin", "youtube"]
  .map((network) => `${network}=https://dormouse.example/${network}`)
  .join(",");
