import { z } from "zod";

import type { PasswordReset } from "../../members/accounts/password-reset.ts";
import { checkNewPassword } from "../../members/accounts/passwords.ts";
import { isEmail } from "../../platform/email-address.ts";
import { CODE_LIFE_IN_MS, type CodeRefusal } from "../../members/challenges/challenges.ts";
import { after, MINUTE_IN_MS } from "../../platform/clock.ts";
import { isUnrelated, type ProviderRefusal, toError } from "./answers.ts";
import type { ProviderContext } from "./context.ts";
import { logIn } from "./members.ts";
import { cleanText, tidyDigits, toPasswordText } from "../../platform/text.ts";

/**
 * Resets a password at the provider, by its own service, emails and links; here a code is typed. A step that gets no
 * answer throws, and nothing has changed.
 */

/**
 * A grant of our pages is the sealed email and code: the provider needs both again to set the password, and counts
 * tries by network.
 */
const grantNote = z.object({
  email: z.string(),
  code: z.string(),
  address: z.string().optional(),
  endsAt: z.iso.datetime(),
});

/** Where a provider does not say how long. */
const USUAL_WAIT_IN_MS = MINUTE_IN_MS;

type Step<Name extends keyof PasswordReset> = Parameters<PasswordReset[Name]>[0];

export async function requestReset(
  { client, db }: ProviderContext,
  { email, address, note }: Step<"request">,
): ReturnType<PasswordReset["request"]> {
  if (!isEmail(cleanText(email))) return { ok: false, reason: "email-invalid" };
  const outcome = await client.call("resetPassword", { email: cleanText(email) }, { address });
  if (!outcome.ok && outcome.status === 429) return toWait(outcome);
  if (!outcome.ok && isUnrelated(outcome)) throw toError(outcome);
  await note?.(db);
  // No visitor learns which addresses have an account, whatever the provider answers here.
  return { ok: true };
}

export async function checkResetCode(
  { client, clock, seals }: ProviderContext,
  { email, code, address }: Step<"checkCode">,
): ReturnType<PasswordReset["checkCode"]> {
  const checked = await client.call("validateCode", { email: cleanText(email), code: tidyDigits(code) }, { address });
  if (!checked.ok) return refuseCode(checked);
  const endsAt = after(clock(), CODE_LIFE_IN_MS).toISOString();
  const note = { email: cleanText(email), code: tidyDigits(code), address, endsAt };
  return { ok: true, grant: seals.grant.seal(JSON.stringify(note)) };
}

export async function setPassword(
  ctx: ProviderContext,
  { grant, browser, password, confirmation }: Step<"setPassword">,
): ReturnType<PasswordReset["setPassword"]> {
  const note = readGrant(ctx, grant);
  if (!note) return { ok: false, reason: "grant-over" };
  const { email, code, address } = note;
  const person = { productName: ctx.productName, email, firstName: "", lastName: "" };
  const [fault] = checkNewPassword({ password, confirmation }, person);
  if (fault) return { ok: false, reason: fault };
  // Find the member first: afterwards the provider might not answer.
  const memberId = await findMemberId(ctx, email);
  const set = await ctx.client.call("setPassword", { email, code, password: toPasswordText(password) }, { address });
  if (set.ok && memberId !== undefined) await ctx.sessions.endAll(memberId);
  const refusal = set.ok ? undefined : refusePassword(set);
  if (refusal && refusal.reason !== "grant-over") return refusal;
  // Also after a used-up code: an earlier answer may have been lost, and this be the password already.
  const entered = browser && (await logIn(ctx, { email, password, address: address ?? "unknown", ...browser }));
  if (entered?.ok) return { ok: true, session: entered.session };
  return refusal ?? { ok: true };
}

/** @throws {ProviderError} when the provider does not answer now. If it refuses, earlier visits identify the member. */
async function findMemberId({ client, mirror }: ProviderContext, email: string): Promise<number | undefined> {
  const found = await client.call("grabuserid", { email });
  if (found.ok) return found.answer.id;
  if (isUnrelated(found)) throw toError(found);
  return mirror.findId(email);
}

function readGrant({ clock, seals }: ProviderContext, grant: string) {
  const opened = seals.grant.open(grant);
  const note = opened === undefined ? undefined : grantNote.safeParse(JSON.parse(opened)).data;
  return note && clock() < new Date(note.endsAt) ? note : undefined;
}

function toWait({ waitInMs = USUAL_WAIT_IN_MS }: ProviderRefusal) {
  return { ok: false, reason: "too-many-attempts", waitInMs } as const;
}

function refuseCode(refusal: ProviderRefusal) {
  if (refusal.status === 429) return toWait(refusal);
  if (isUnrelated(refusal)) throw toError(refusal);
  return { ok: false, reason: readCodeRefusal(refusal.code) } as const;
}

/** A code refused without a reason is wrong: other words of a provider might reveal which addresses have an account. */
function readCodeRefusal(code: string | undefined): CodeRefusal {
  return code === "expired-code" || code === "too-many-tries" ? code : "wrong-code";
}

const passwordCodes = ["password-short", "password-long", "password-common", "password-mismatch"] as const;
const overCodes = new Set<string | undefined>(["wrong-code", "expired-code", "too-many-tries"]);

/** @throws {ProviderError} when it was neither the password nor the code. */
function refusePassword(refusal: ProviderRefusal) {
  if (isUnrelated(refusal)) throw toError(refusal);
  const { code, message } = refusal;
  if (overCodes.has(code)) return { ok: false, reason: "grant-over" } as const;
  const reason = passwordCodes.find((each) => each === code);
  return reason ? ({ ok: false, reason } as const) : ({ ok: false, reason: "refused", message } as const);
}
