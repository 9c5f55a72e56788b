import { after, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import type {
  BegunPasskey,
  BegunProof,
  PasskeyAnswer,
  PasskeyOwner,
  PasskeySite,
  PasskeyView,
} from "../../platform/passkeys/passkeys.ts";
import { toNetwork, type TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { type Browser, describeDevice, type StartedSession } from "../sessions/sessions.ts";
import type { AccountsContext } from "./context.ts";
import { provePassword, refuseLogIn } from "./log-in.ts";
import { findAccount, holdOpenMember } from "./members.ts";
import { displayFullName } from "./profile-fields.ts";

/**
 * A member's log-in by a finger, a face or a screen lock. Operators have no act for it: only the member adds and
 * removes passkeys, after proving who they are, and each change is emailed. With two, they may turn the password off
 * (password-switch.ts).
 */
export type MemberPasskeys = {
  list(memberId: number): Promise<PasskeyView[]>;
  /** Needs no address: the browser offers the passkeys that it has for this site. */
  beginLogIn(site: PasskeySite): Promise<BegunProof>;
  logIn(answer: PasskeyLogIn): Promise<PasskeyLogInResult>;
  /** Whether the password was typed, or a passkey used, in this session within ten minutes. */
  isFresh(token: string): Promise<boolean>;
  /** Makes a session fresh, with the password or with a passkey of the same member. */
  prove(proof: FreshProof): Promise<FreshResult>;
  /** `undefined` in a session that is not fresh. */
  beginAdding(owner: { memberId: number; token: string }, site: PasskeySite): Promise<BegunPasskey | undefined>;
  /** Named after the browser's device. */
  add(passkey: AddedPasskey): Promise<"added" | "not-fresh" | "refused" | "full">;
  /** `endsSessions`: logs out where it was used, except here. */
  remove(passkey: RemovedPasskey): Promise<RemovePasskeyResult>;
  /** Whether a member without a passkey was never offered one. */
  isOffered(memberId: number): Promise<boolean>;
  /** Once the offer was shown, or declined. */
  endOffer(memberId: number): Promise<void>;
};

/** `too-few`: the password is off, so two passkeys must be left. */
export type RemovePasskeyResult = "removed" | "not-fresh" | "unknown" | "too-few";

export type PasskeyLogIn = PasskeyAnswer & Browser & { address: string };

export type PasskeyLogInResult =
  | { ok: true; session: StartedSession; memberId: number }
  | { ok: false; reason: "wrong-credentials" }
  | TooMany;

type OwnSession = { memberId: number; token: string };

export type FreshProof = OwnSession & { address: string } & ({ password: string } | PasskeyAnswer);

export type FreshResult = { ok: true } | { ok: false; reason: "password-wrong" | "passkey-refused" } | TooMany;

/** `site`: of the links in the email. */
export type AddedPasskey = OwnSession & { answer: PasskeyAnswer; userAgent: string | undefined; site: string };

export type RemovedPasskey = OwnSession & { id: string; endsSessions: boolean; site: string };

const FRESH_FOR_IN_MS = 10 * MINUTE_IN_MS;
/** One may be lost: without a password there must be another. */
export const LEAST_PASSKEYS = 2;
/** More devices than anyone has. */
const MOST_PASSKEYS = 20;
/** Wrong answers of one network. A right one is never refused. */
const WRONG_PASSKEYS = { attempts: 60, windowInMs: 15 * MINUTE_IN_MS };

function toPasskeyOwner(memberId: number): PasskeyOwner {
  return { kind: "member", id: memberId };
}

export function createMemberPasskeys(ctx: AccountsContext): MemberPasskeys {
  const { db, clock, passkeys } = ctx;
  return {
    list: (memberId) => listMemberPasskeys(ctx, memberId),
    beginLogIn: (site) => passkeys.beginProof(site),
    logIn: (answer) => logInByPasskey(ctx, answer),
    isFresh: (token) => isFresh(ctx, token),
    prove: (proof) => proveFresh(ctx, proof),
    beginAdding: (owner, site) => beginAdding(ctx, owner, site),
    add: (passkey) => addPasskey(ctx, passkey),
    remove: (passkey) => removePasskey(ctx, passkey),
    async isOffered(memberId) {
      const offered = db.selectFrom("members").select("id").where("id", "=", memberId);
      const row = await offered.where("passkeyOfferOverAt", "is", null).executeTakeFirst();
      return row !== undefined && (await listMemberPasskeys(ctx, memberId)).length === 0;
    },
    async endOffer(memberId) {
      await db.updateTable("members").set({ passkeyOfferOverAt: clock() }).where("id", "=", memberId).execute();
    },
  };
}

export async function isFresh({ sessions, clock }: AccountsContext, token: string): Promise<boolean> {
  const provedAt = await sessions.findProof(token);
  return provedAt !== undefined && after(provedAt, FRESH_FOR_IN_MS) > clock();
}

async function logInByPasskey(
  ctx: AccountsContext,
  { address, userAgent, replacedToken, ...answer }: PasskeyLogIn,
): Promise<PasskeyLogInResult> {
  const { db, log, passkeys, sessions } = ctx;
  const proved = await passkeys.prove("member", answer);
  if (!proved) return refuseLogIn(await countWrong(ctx, address, "wrong-credentials"), log);
  const { ownerId: memberId, passkeyId } = proved;
  const session = await sessions.start(memberId, { userAgent, replacedToken, proof: { passkeyId } });
  // The account may have been closed meanwhile, or the passkey removed with the sessions that it had then.
  const isOpen = (await holdOpenMember(memberId, db)) !== undefined;
  if (!isOpen || !(await isListed(ctx, memberId, passkeyId))) {
    await sessions.end(session.token);
    return refuseLogIn({ ok: false, reason: "wrong-credentials" } as const, log);
  }
  log.info({ member: memberId, by: "passkey" }, "a member logged in");
  return { ok: true, session, memberId };
}

export function listMemberPasskeys(
  { passkeys }: Pick<AccountsContext, "passkeys">,
  memberId: number,
  on?: Queries,
): Promise<PasskeyView[]> {
  return passkeys.list(toPasskeyOwner(memberId), on);
}

async function isListed(ctx: AccountsContext, memberId: number, id: string): Promise<boolean> {
  return (await listMemberPasskeys(ctx, memberId)).some((passkey) => passkey.id === id);
}

async function countWrong<Reason extends string>(
  { rateLimiter }: AccountsContext,
  address: string,
  reason: Reason,
): Promise<{ ok: false; reason: Reason } | TooMany> {
  const blocked = await rateLimiter.count(`passkeys ${toNetwork(address)}`, WRONG_PASSKEYS);
  return blocked ?? { ok: false, reason };
}

async function proveFresh(ctx: AccountsContext, proof: FreshProof): Promise<FreshResult> {
  const { memberId, token, address } = proof;
  if ("password" in proof) {
    const proved = await provePassword(ctx, { memberId, password: proof.password, address });
    if (!proved.ok) return proved;
  } else {
    const proved = await ctx.passkeys.prove("member", proof);
    if (proved?.ownerId !== memberId) return countWrong(ctx, address, "passkey-refused");
  }
  await ctx.sessions.noteProof(token);
  return { ok: true };
}

async function beginAdding(
  ctx: AccountsContext,
  { memberId, token }: OwnSession,
  site: PasskeySite,
): Promise<BegunPasskey | undefined> {
  const account = await findAccount(memberId, ctx.db);
  if (!account || !(await isFresh(ctx, token))) return undefined;
  const names = { rpName: ctx.productName, email: account.email, name: displayFullName(account) };
  return ctx.passkeys.beginAdding({ ...toPasskeyOwner(memberId), ...names }, site);
}

async function addPasskey(
  ctx: AccountsContext,
  { memberId, token, answer, userAgent, site }: AddedPasskey,
): Promise<"added" | "not-fresh" | "refused" | "full"> {
  if (!(await isFresh(ctx, token))) return "not-fresh";
  const passkey = await ctx.passkeys.verifyNew(answer);
  if (!passkey) return "refused";
  const owner = toPasskeyOwner(memberId);
  return ctx.db.transaction().execute(async (trx) => {
    const held = await holdOpenMember(memberId, trx);
    const others = await ctx.passkeys.list(owner, trx);
    if (!held) return "refused";
    if (others.length >= MOST_PASSKEYS) return "full";
    const name = findFreeName(describeDevice(userAgent), others);
    if (!(await ctx.passkeys.add(owner, { ...passkey, name }, trx))) return "refused";
    await ctx.emails.passkeyAdded({ member: held, name, at: ctx.clock(), site }, trx);
    ctx.log.info({ member: memberId }, "a member added a passkey");
    return "added";
  });
}

/** "Chrome on Android", then "Chrome on Android 2". */
function findFreeName(device: string, others: PasskeyView[]): string {
  const taken = new Set(others.map(({ name }) => name));
  let name = device;
  for (let number = 2; taken.has(name); number += 1) name = `${device} ${number}`;
  return name;
}

async function removePasskey(
  ctx: AccountsContext,
  { memberId, token, id, endsSessions, site }: RemovedPasskey,
): Promise<RemovePasskeyResult> {
  if (!(await isFresh(ctx, token))) return "not-fresh";
  const owner = toPasskeyOwner(memberId);
  return ctx.db.transaction().execute(async (trx) => {
    const held = await holdOpenMember(memberId, trx);
    const all = await ctx.passkeys.list(owner, trx);
    const passkey = all.find((each) => each.id === id);
    if (held?.passwordOffAt && passkey && all.length <= LEAST_PASSKEYS) return "too-few";
    if (!held || !passkey || !(await ctx.passkeys.remove(owner, id, trx))) return "unknown";
    if (endsSessions) await ctx.sessions.endOfPasskey({ memberId, passkeyId: id, exceptToken: token }, trx);
    await ctx.emails.passkeyRemoved({ member: held, name: passkey.name, at: ctx.clock(), site }, trx);
    ctx.log.info({ member: memberId }, "a member removed a passkey");
    return "removed";
  });
}

/** For a closing, and for an address that its owner takes back: a stranger may have added one. */
export async function removeAllPasskeys({ passkeys }: AccountsContext, memberId: number, trx: Queries): Promise<void> {
  await passkeys.removeAll(toPasskeyOwner(memberId), trx);
}
