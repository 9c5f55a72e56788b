import type { Member } from "../../accounts/accounts.ts";
import {
  countPasswordAttempt,
  type Credentials,
  giveBackPasswordAttempt,
  type LogInResult,
  refuseLogIn,
} from "../../accounts/log-in.ts";
import type { KnownElsewhere } from "../../accounts/member-mirror.ts";
import { findMember } from "../../accounts/members.ts";
import {
  cleanFields,
  isEdited,
  isOtherAddress,
  isOvertaken,
  listFaults,
  type SaveProfileResult,
  type SaveWish,
} from "../../accounts/profile.ts";
import { toEmailKey } from "../../accounts/rules.ts";
import { MINUTE_IN_MS } from "../../clock.ts";
import type { Session } from "../../sessions/sessions.ts";
import type { ProviderAnswer } from "./answers.ts";
import type { ProviderContext } from "./context.ts";
import { ProviderError, type ProviderRefusal } from "./line.ts";

/** A member by their address. Here are only the members who have been seen; of others nothing but the number is known. */
export async function findMemberByEmail({ client, db }: ProviderContext, email: string): Promise<Member | undefined> {
  const outcome = await client.call("grabuserid", { email: email.trim() });
  if (!outcome.ok) return undefined;
  const { id } = outcome.answer;
  const known = await findMember(id, db);
  return known ?? { id, email: email.trim(), firstName: "", lastName: "", accountType: "individual" };
}

/**
 * Sessions of ours live as long as the provider's token behind them, each as long as its own: a member who is logged in elsewhere with
 * a newer one keeps no other alive.
 */
export async function findSession(
  { sessions, acting, access, tokens }: ProviderContext,
  token: string,
): Promise<Session | undefined> {
  const session = await sessions.find(token);
  if (!session) return undefined;
  const { memberId } = session;
  // Where the provider no longer takes the token, this ends the session.
  await acting.act({ token, memberId }, () => access.find(memberId));
  return (await tokens.isKept(token)) ? session : undefined;
}

export type EnterResult =
  | { ok: true; member: Member; token: string }
  | { ok: false; reason: "wrong-credentials" }
  | { ok: false; reason: "too-many-attempts"; waitInMs: number };

/**
 * Asks the provider whether this password is this member's. If so, the member is known here from then on, and there is a token to act
 * for them.
 * @throws {ProviderError} when it cannot be asked.
 */
export async function enter(
  ctx: Pick<ProviderContext, "client" | "mirror" | "requireKey">,
  { email, password, address }: Pick<Credentials, "email" | "password" | "address">,
): Promise<EnterResult> {
  // Some providers know an address by one name, some by the other.
  const credentials = { email, username: email, password };
  const given = await ctx.client.call("grabtoken", credentials, { address });
  if (!given.ok) return refuseToEnter(ctx, given);
  const token = given.answer;
  const found = await ctx.client.call("login", { ...credentials, token }, { token, address });
  if (!found.ok) return refuseToEnter(ctx, found);
  return { ok: true, member: await ctx.mirror.remember(toKnown(found.answer, email)), token };
}

const USUAL_WAIT_IN_MS = MINUTE_IN_MS;

/** @throws {ProviderError} where nobody has looked at the password. */
async function refuseToEnter(
  { requireKey }: Pick<ProviderContext, "requireKey">,
  { status, waitInMs = USUAL_WAIT_IN_MS }: ProviderRefusal,
): Promise<EnterResult> {
  if (status === 429) return { ok: false, reason: "too-many-attempts", waitInMs };
  if (status === 401 || status === 403) await requireKey();
  if (status >= 500) throw new ProviderError(`logging in answered ${status}`, { isUnreachable: true });
  return { ok: false, reason: "wrong-credentials" };
}

/** Reads a member from a provider's answer; `email` stands in where the answer has none. */
function toKnown(user: ProviderAnswer<"login">, email: string): KnownElsewhere {
  const { id, firstName, lastName, accountType } = user;
  return { id, email: user.email || email, firstName, lastName, accountType };
}

/** Log-in where the provider knows the passwords. Guessing is worn out here first, and so is spared there. */
export async function logIn(
  ctx: ProviderContext,
  { email, password, address, ...browser }: Credentials,
): Promise<LogInResult> {
  const { sessions, tokens, access, log } = ctx;
  const blocked = await countPasswordAttempt(ctx, { email, address });
  if (blocked) return refuseLogIn(blocked, log);

  const found = await enter(ctx, { email, password, address }).catch((error: unknown) => {
    if (error instanceof ProviderError) return { ok: false, reason: "unreachable" } as const;
    throw error;
  });
  // Nobody has looked at the password.
  if (!found.ok && found.reason !== "wrong-credentials") await giveBackPasswordAttempt(ctx, { email, address });
  if (!found.ok) return refuseLogIn(found, log);

  const session = await sessions.start(found.member.id, browser);
  // A member who has just bought something does not want to hear what was so half a minute ago.
  access.forget(found.member.id);
  await tokens.keep(session.token, { memberId: found.member.id, token: found.token });
  await giveBackPasswordAttempt(ctx, { email, address });
  log.info({ member: found.member.id }, "a member logged in");
  await ctx.welcome();
  return { ok: true, session };
}

/**
 * Names and address that the provider keeps. It asks for the proof of a new address itself, by an email that leads to its own pages;
 * so nothing waits for a code here.
 */
export async function saveProfile(ctx: ProviderContext, wish: SaveWish): Promise<SaveProfileResult> {
  try {
    return await sendProfile(ctx, wish);
  } catch (error) {
    if (error instanceof ProviderError) return { ok: false, reason: "unreachable" };
    throw error;
  }
}

async function sendProfile({ call, mirror, db }: ProviderContext, wish: SaveWish): Promise<SaveProfileResult> {
  const { memberId, address } = wish;
  const edit = { shown: wish.shown, wanted: cleanFields(wish.wanted) };
  const held = await findMember(memberId, db);
  if (!held || isOvertaken(edit, held)) {
    return { ok: false, reason: "changed-elsewhere", now: { ...(held ?? wish.shown), pendingEmail: undefined } };
  }
  const isEmailNew = isOtherAddress(edit, held);
  const refusals = [...listFaults(edit), ...(isEmailNew && !wish.password ? (["password-wanted"] as const) : [])];
  if (refusals.length > 0) return { ok: false, reason: "refused", refusals };

  const { firstName, lastName, email } = edit.wanted;
  const changes = {
    id: memberId,
    ...(isEdited("firstName", edit) && { first_name: firstName }),
    ...(isEdited("lastName", edit) && { last_name: lastName }),
    ...(isEdited("email", edit) && { email }),
    ...(isEmailNew && wish.password && { password: wish.password }),
  };
  if (Object.keys(changes).length === 1) return { ok: true, isEmailPending: false };
  const outcome = await call("patchuser", changes, { memberId, address });
  if (!outcome.ok) return toProfileRefusal(outcome);

  const saved = outcome.answer;
  const counts = saved.email || (saved.pending_email ? held.email : edit.wanted.email);
  await mirror.remember({
    id: memberId,
    email: counts,
    firstName: saved.first_name || firstName,
    lastName: saved.last_name || lastName,
  });
  const isEmailPending = isEmailNew && toEmailKey(counts) !== toEmailKey(email);
  return { ok: true, isEmailPending, ...(isEmailPending && { isProvedElsewhere: true }) };
}

function toProfileRefusal({ status, message, waitInMs }: ProviderRefusal): SaveProfileResult {
  if (waitInMs !== undefined) return { ok: false, reason: "too-many-attempts", waitInMs };
  return status >= 500 ? { ok: false, reason: "unreachable" } : { ok: false, reason: "not-taken", message };
}
