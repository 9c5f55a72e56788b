import type { Member } from "../../members/accounts/accounts.ts";
import { type Credentials, type LogInResult, refuseLogIn } from "../../members/accounts/log-in.ts";
import { findAccount, findMember, toUnknownMember } from "../../members/accounts/members.ts";
import { mapProfile } from "../../members/accounts/profile-fields.ts";
import { countPasswordAttempt, giveBackPasswordAttempt } from "../../members/accounts/password-attempts.ts";
import {
  cleanFields,
  isOtherAddress,
  isOvertaken,
  listFaults,
  pickEdited,
  type SaveProfileResult,
  type ProfileChange,
} from "../../members/accounts/profile.ts";
import { cleanEmail, toEmailKey } from "../../platform/email-address.ts";
import { MINUTE_IN_MS } from "../../platform/clock.ts";
import { type FoundCaller, findCaller as findOwnCaller } from "../../members/accounts/callers.ts";
import { hashToken, type Session } from "../../members/sessions/sessions.ts";
import { toTypedProfile, toWire } from "../wire.ts";
import { findAccess, forgetAccess } from "./access.ts";
import { catchProviderError, type ProviderRefusal, unavailable } from "./answers.ts";
import type { ProviderContext } from "./context.ts";
import { act, callForMember, findSessionToken, keepToken } from "./tokens.ts";
import { cleanText, toPasswordText } from "../../platform/text.ts";

export async function findMemberByEmail({ client, db }: ProviderContext, email: string): Promise<Member | undefined> {
  const outcome = await client.call("grabuserid", { email: cleanText(email) });
  if (!outcome.ok) return undefined;
  const { id } = outcome.answer;
  return (await findMember(id, db)) ?? toUnknownMember(id, cleanEmail(email));
}

/**
 * Each of our sessions lives only as long as its own provider token: a newer session elsewhere does not extend others.
 */
export async function findSession(ctx: ProviderContext, token: string): Promise<Session | undefined> {
  const session = await ctx.sessions.find(token);
  return session && (await isAccepted(ctx, token, session)) ? session : undefined;
}

/** The same with the member. */
export async function findCaller(ctx: ProviderContext, token: string): Promise<FoundCaller | undefined> {
  const found = await findOwnCaller(ctx, token);
  return found && (await isAccepted(ctx, token, found.session)) ? found : undefined;
}

async function isAccepted(ctx: ProviderContext, token: string, { memberId }: Session): Promise<boolean> {
  // Where the provider no longer accepts the token, this ends the session.
  await act(ctx, { token, memberId }, () => findAccess(ctx, memberId));
  return (await findSessionToken(ctx, hashToken(ctx, token))) !== undefined;
}

export type EnterResult =
  | { ok: true; member: Member; token: string }
  | { ok: false; reason: "wrong-credentials" }
  | { ok: false; reason: "too-many-attempts"; waitInMs: number };

/**
 * Checks a password at the provider. If right, stores the member here, and returns a token for them.
 * @throws {ProviderError} when it does not answer.
 */
export async function enter(ctx: ProviderContext, typed: ProviderCredentials): Promise<EnterResult> {
  const password = toPasswordText(typed.password);
  const entered = await enterBy(ctx, { ...typed, password });
  // The provider may have an older password as typed.
  const isOver = entered.ok || entered.reason !== "wrong-credentials" || password === typed.password;
  return isOver ? entered : enterBy(ctx, typed);
}

type ProviderCredentials = Pick<Credentials, "email" | "password" | "address">;

async function enterBy(
  { client, mirror }: ProviderContext,
  { email, password, address }: ProviderCredentials,
): Promise<EnterResult> {
  // Providers know an address by one name or the other.
  const credentials = { email, username: email, password };
  const given = await client.call("grabtoken", credentials, { address });
  if (!given.ok) return refuseToEnter(client, given);
  const token = given.answer;
  const found = await client.call("login", { ...credentials, token }, { token, address });
  if (!found.ok) return refuseToEnter(client, found);
  return { ok: true, member: await mirror.remember({ ...found.answer, email: found.answer.email || email }), token };
}

const USUAL_WAIT_IN_MS = MINUTE_IN_MS;

/** @throws {ProviderError} where the password was not compared. */
async function refuseToEnter(
  client: ProviderContext["client"],
  { status, waitInMs = USUAL_WAIT_IN_MS }: ProviderRefusal,
): Promise<EnterResult> {
  if (status === 429) return { ok: false, reason: "too-many-attempts", waitInMs };
  if (status === 401 || status === 403) await client.requireKey();
  if (status >= 500) throw unavailable(`logging in answered ${status}`);
  return { ok: false, reason: "wrong-credentials" };
}

const UNAVAILABLE = { ok: false, reason: "unavailable" } as const;

/** Log-in where the provider has the passwords. Our own limits on guessing apply first. */
export async function logIn(
  ctx: ProviderContext,
  { email, password, address, ...browser }: Credentials,
): Promise<LogInResult> {
  const { sessions, log } = ctx;
  const blocked = await countPasswordAttempt(ctx, { email, address });
  if (blocked) return refuseLogIn(blocked, log);

  const found = await catchProviderError(enter(ctx, { email, password, address }), () => UNAVAILABLE);
  // The password was not compared.
  if (!found.ok && found.reason !== "wrong-credentials") await giveBackPasswordAttempt(ctx, { email, address });
  if (!found.ok) return refuseLogIn(found, log);

  const session = await sessions.start(found.member.id, browser);
  // They may have just bought something, so a cached answer is outdated.
  forgetAccess(ctx, found.member.id);
  await keepToken(ctx, session.token, { memberId: found.member.id, token: found.token });
  await giveBackPasswordAttempt(ctx, { email, address });
  log.info({ member: found.member.id }, "a member logged in");
  await ctx.welcome();
  return { ok: true, session, memberId: found.member.id };
}

/**
 * Names and address at the provider. It proves a new address itself, by an email that leads to its own pages, so no
 * code is needed here.
 */
export async function saveProfile(ctx: ProviderContext, input: ProfileChange): Promise<SaveProfileResult> {
  const { mirror, db } = ctx;
  const { memberId, address } = input;
  const edit = { shown: input.shown, wanted: cleanFields(input.wanted) };
  const held = await findAccount(memberId, db);
  if (!held || isOvertaken(edit, held)) {
    const now = mapProfile((field) => (held ?? input.shown)[field]);
    return { ok: false, reason: "changed-elsewhere", now: { ...now, pendingEmail: undefined } };
  }
  const isEmailNew = isOtherAddress(edit, held);
  const refusals = [...listFaults(edit), ...(isEmailNew && !input.password ? (["password-wanted"] as const) : [])];
  if (refusals.length > 0) return { ok: false, reason: "refused", refusals };

  const changes = {
    id: memberId,
    ...toWire(pickEdited(edit)),
    ...(isEmailNew && input.password && { password: toPasswordText(input.password) }),
  };
  if (Object.keys(changes).length === 1) return { ok: true, isEmailPending: false };
  const call = callForMember(ctx, "patchuser", { input: changes, address });
  const outcome = await catchProviderError(call, () => undefined);
  if (!outcome) return UNAVAILABLE;
  if (!outcome.ok) return toProfileRefusal(outcome);

  const saved = outcome.answer;
  const counts = saved.email || (saved.pending_email ? held.email : edit.wanted.email);
  const given = Object.entries(toTypedProfile(saved)).filter(([, text]) => text !== "");
  await mirror.remember({ id: memberId, ...edit.wanted, ...Object.fromEntries(given), email: counts });
  const isEmailPending = isEmailNew && toEmailKey(counts) !== toEmailKey(edit.wanted.email);
  return { ok: true, isEmailPending, ...(isEmailPending && { isProvedElsewhere: true }) };
}

function toProfileRefusal({ status, message, waitInMs }: ProviderRefusal): SaveProfileResult {
  if (waitInMs !== undefined) return { ok: false, reason: "too-many-attempts", waitInMs };
  return status >= 500 ? UNAVAILABLE : { ok: false, reason: "refused-elsewhere", message };
}
