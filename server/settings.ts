import { isIP } from "node:net";
import { z } from "zod";

import { basePathOf } from "./base-path.ts";
import { logLevels } from "./log.ts";
import { partMistakes, partSettings } from "./settings-of-parts.ts";

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
  TRUST_PROXY: z.string().default(""),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` }).default("info"),
  API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be of letters, digits and signs, without spaces")
    .optional(),
  API_QUERY_CREDENTIALS: z.stringbool({ error: "must be true or false" }).default(false),
  PRODUCT_NAME: z.string().max(40, "must be at most 40 characters").default("Dormouse"),
  CONTACT_URL: httpUrl.optional(),
  CONTACT_EMAIL: z.email("must be an e-mail address").optional(),
  SOCIAL_LINKS: z.string().optional(),
  AGENCY_NAME: z.string().default("Hedgerow Web Works"),
  AGENCY_URL: httpUrl.default("https://hedgerow.example"),
  ...partSettings,
});

export type Settings = z.infer<typeof settings>;

/**
 * Reads what can be read, so that one bad setting hides no other: the values, and a sentence for each mistake. An empty value
 * counts as not set.
 */
export function parseSettings(env: Record<string, string | undefined>): { set: Settings; mistakes: string[] } {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const issues = settings.safeParse(given).error?.issues ?? [];
  const bad = new Set(issues.map((issue) => String(issue.path[0])));
  const set = settings.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !bad.has(name))));
  const further = [...weaknesses(set), ...unreadable(set), ...partMistakes(set)];
  return {
    set,
    mistakes: [
      ...issues.map((issue) => `${String(issue.path[0])} ${issue.message}`),
      ...further.filter((mistake) => !bad.has(mistake.split(" ")[0] ?? "")),
    ],
  };
}

/** `facebook=https://…,instagram=https://…`; `undefined` for what is no such list. */
export function parseSocialLinks(text: string): { network: string; url: string }[] | undefined {
  const links = listOf(text).map((part) => {
    const at = part.indexOf("=");
    return { network: part.slice(0, at).trim().toLowerCase(), url: part.slice(at + 1).trim() };
  });
  return links.every(({ network, url }) => network !== "" && httpUrl.safeParse(url).success) ? links : undefined;
}

/** The parts of a list with commas. */
export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** What a demo may leave out and production may not. */
function weaknesses(set: Settings): string[] {
  if (set.DEMO) return [];
  const mistakes: string[] = [];
  if (!set.SESSION_SECRET) mistakes.push("SESSION_SECRET is missing: give it 32 random characters or more");
  else if (set.SESSION_SECRET.length < 32)
    mistakes.push("SESSION_SECRET is too short: give it 32 random characters or more");
  else if (new Set(set.SESSION_SECRET).size < 12)
    mistakes.push("SESSION_SECRET is too regular: take random characters");
  // The key of a provider is theirs to make.
  if (set.API_KEY && !set.API_URL && set.API_KEY.length < 32)
    mistakes.push("API_KEY is too short: give it 32 random characters or more");
  if (!set.ORIGIN) mistakes.push("ORIGIN is missing: the public address, such as https://members.example.org");
  else if (!isSafeOrigin(set.ORIGIN)) mistakes.push("ORIGIN must be https (http only on localhost)");
  if (!set.CONTACT_URL) mistakes.push("CONTACT_URL is missing: the page behind “Contact us”");
  if (!set.CONTACT_EMAIL) mistakes.push("CONTACT_EMAIL is missing: the address members write to");
  return mistakes;
}

/** What operators make up. Node reads a `#` in a file of settings as a comment, systemd a backslash as the beginning of another sign. */
function listOwnSecrets({ SESSION_SECRET, CMS_WEBHOOK_SECRET, API_KEY, API_URL }: Settings) {
  return Object.entries({ SESSION_SECRET, CMS_WEBHOOK_SECRET, ...(API_URL ? {} : { API_KEY }) });
}

/** Settings with a grammar of their own. */
function unreadable(set: Settings): string[] {
  const mistakes = listOwnSecrets(set)
    .filter(([, secret]) => secret && /[#\\]/.test(secret))
    .map(
      ([name]) => `${name} must be without # and \\: not everything that reads it from a file leaves them as they are`,
    );
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
