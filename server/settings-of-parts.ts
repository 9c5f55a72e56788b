import { z } from "zod";

import { readSmtpUrl } from "./email/smtp-url.ts";

/** The settings of what others run for us: database, content, payments, mail. Each part that is not set stays the embedded one. */

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http(s) address" });

/** A name without what ends or divides addresses, or one in quotes, before an address in brackets. */
const named = /^(?:"[^"\\\p{C}]+"|[^"<>@,;:()[\]\\\p{C}]+) <([^<>]+)>$/u;

function isSender(text: string): boolean {
  return z.email().safeParse(named.exec(text)?.[1] ?? text).success;
}

export const partSettings = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must start with postgres://" }).optional(),
  DATABASE_POOL_SIZE: z
    .string()
    .regex(/^\d{1,3}$/, "must be a number")
    .transform(Number)
    .refine((size) => size >= 2 && size <= 200, "must be between 2 and 200")
    .default(10),
  API_URL: httpUrl.optional(),
  CMS_URL: httpUrl.optional(),
  CMS_TOKEN: z.string().optional(),
  CMS_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_/, "must start with sk_test_ or sk_live_ (rk_ for a restricted key)")
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_/, "must start with pk_test_ or pk_live_")
    .optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: httpUrl.optional(),
  GOCARDLESS_ACCESS_TOKEN: z.string().optional(),
  GOCARDLESS_WEBHOOK_SECRET: z.string().optional(),
  GOCARDLESS_API_BASE: httpUrl.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must start with smtp:// or smtps://" }).optional(),
  MAIL_FROM: z
    .string()
    .refine(isSender, "must be an e-mail address, alone or after a name: Dormouse <hello@example.org>")
    .optional(),
};

const parts = z.object(partSettings);
type PartSettings = z.infer<typeof parts> & { DEMO: boolean; API_KEY?: string | undefined };

/** One sentence for each setting of a part that contradicts another, or is missing beside it. */
export function partMistakes(set: PartSettings): string[] {
  return [...stripeMistakes(set), ...goCardlessMistakes(set), ...addressMistakes(set), ...mailMistakes(set)];
}

/** `test` or `live`: whether a key of Stripe's moves money. */
function modeOf(key: string): string | undefined {
  return key.split("_")[1];
}

function stripeMistakes(set: PartSettings): string[] {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable, STRIPE_WEBHOOK_SECRET: webhook } = set;
  const mistakes: string[] = [];
  if (!secret) {
    if (publishable || webhook || set.STRIPE_API_BASE) {
      mistakes.push("STRIPE_SECRET_KEY is missing: the other settings of Stripe are of no use without it");
    }
    return mistakes;
  }
  if (!publishable)
    mistakes.push("STRIPE_PUBLISHABLE_KEY is missing: the card fields need it beside STRIPE_SECRET_KEY");
  else if (modeOf(publishable) !== modeOf(secret)) {
    mistakes.push("STRIPE_PUBLISHABLE_KEY is of another mode than STRIPE_SECRET_KEY: take both live or both test");
  }
  if (!webhook && !set.DEMO) {
    mistakes.push("STRIPE_WEBHOOK_SECRET is missing: Stripe shows it beside the webhook endpoint, as whsec_…");
  }
  if (set.DEMO && modeOf(secret) === "live") {
    mistakes.push("STRIPE_SECRET_KEY is a live one: a demo takes test keys only");
  }
  return mistakes;
}

function goCardlessMistakes(set: PartSettings): string[] {
  const { GOCARDLESS_ACCESS_TOKEN: token, GOCARDLESS_WEBHOOK_SECRET: webhook, GOCARDLESS_API_BASE: base } = set;
  if (!token) {
    return webhook || base
      ? ["GOCARDLESS_ACCESS_TOKEN is missing: the other settings of GoCardless are of no use without it"]
      : [];
  }
  const mistakes: string[] = [];
  if (!base && !/^(live|sandbox)_/.test(token)) {
    mistakes.push("GOCARDLESS_ACCESS_TOKEN must start with live_ or sandbox_: that says which GoCardless it is for");
  }
  if (!webhook && !set.DEMO) {
    mistakes.push("GOCARDLESS_WEBHOOK_SECRET is missing: GoCardless shows it beside the webhook endpoint");
  }
  if (set.DEMO && token.startsWith("live_")) {
    mistakes.push("GOCARDLESS_ACCESS_TOKEN is a live one: a demo takes sandbox tokens only");
  }
  return mistakes;
}

/** What a mail server's address can get wrong beyond being one. */
function mailMistakes({ SMTP_URL: url }: PartSettings): string[] {
  try {
    if (url) readSmtpUrl(url);
    return [];
  } catch (error) {
    return [`SMTP_URL ${(error as Error).message}`];
  }
}

/** Keys and passwords travel to these addresses. */
const addresses = ["API_URL", "CMS_URL", "STRIPE_API_BASE", "GOCARDLESS_API_BASE"] as const;

function addressMistakes(set: PartSettings): string[] {
  const mistakes = addresses.flatMap((name) => {
    const address = set[name];
    if (!address) return [];
    const { protocol, hostname, username, search, hash } = new URL(address);
    const found: string[] = [];
    if (username || search || hash)
      found.push(`${name} must be an address alone, without a user, a query or a fragment`);
    const isOwn = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
    if (!set.DEMO && protocol !== "https:" && !isOwn) found.push(`${name} must be https (http only on this machine)`);
    return found;
  });
  if (set.API_URL && !set.API_KEY) mistakes.push("API_KEY is missing: the provider at API_URL asks for it");
  if (!set.CMS_URL && (set.CMS_TOKEN || set.CMS_WEBHOOK_SECRET)) {
    mistakes.push("CMS_URL is missing: the other settings of the CMS are of no use without it");
  }
  return mistakes;
}
