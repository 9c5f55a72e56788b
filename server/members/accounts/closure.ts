import { after, DAY_IN_MS } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import { levelOfFault } from "../../platform/database/faults.ts";
import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { type AccountsContext, entryPurposes, linkPurposes, memberIdIn, toSubject, TAKE_BACK_DAYS } from "./context.ts";
import { removeAllPasskeys } from "./passkeys.ts";
import type { Person } from "./person.ts";
import { proveMember } from "./password-switch.ts";
import {
  changeHeld,
  emailColumns,
  findAccount,
  type Account,
  holdMember,
  noPending,
  requireFree,
  toAccount,
  unlessTaken,
} from "./members.ts";
import { toEmailKey } from "../../platform/email-address.ts";

/** A member leaves: closed at once, erased two weeks later, and reopened unchanged in between. */
export type Closure = {
  /**
   * Closes now: sessions end, and the address is free for another account. A job erases the account after 14 days;
   * until then the link in an email reopens it. The paid term stays until the erasure, and so does a company's seat.
   */
  close(request: ClosureRequest): Promise<CloseResult>;
  /** The data that the page behind that link may show before its button is pressed. */
  findReopening(token: string): Promise<{ email: string } | undefined>;
  /**
   * With the password that it had; `reopened-without` where that is off, and the passkeys are gone. `email-taken` leaves
   * the link valid.
   */
  reopen(token: string): Promise<ReopenResult>;
  /** A job: erases due accounts and queues the last email; returns how many. A payment under way delays it. */
  eraseDue(personalData: ErasesClosed): Promise<number>;
};

export type ReopenResult = "reopened" | "reopened-without" | "email-taken" | "over";

/** `address`: the form's network address. `token`: of the session; where the password is off, it must be fresh. */
export type ClosureRequest = {
  memberId: number;
  password: string;
  token?: string | undefined;
  address: string;
  site: string;
};

export type CloseResult = { ok: true; eraseAt: Date } | { ok: false; reason: "password-wrong" | "not-fresh" } | TooMany;

export type ErasesClosed = {
  eraseClosed(
    person: Person,
    closure: { dueBy: Date; sendFarewell: (trx: Queries) => Promise<void> },
  ): Promise<{ ok: boolean }>;
};

const GRACE_IN_MS = TAKE_BACK_DAYS * DAY_IN_MS;
const ERASED_AT_ONCE = 100;
const { reopen: purpose } = linkPurposes;

export async function closeAccount(ctx: AccountsContext, { site, ...typed }: ClosureRequest): Promise<CloseResult> {
  const proof = await proveMember(ctx, typed);
  if (!proof.ok) return proof;
  return ctx.db.transaction().execute(async (trx) => {
    const held = await holdMember(typed.memberId, trx);
    if (held?.passwordHash !== proof.passwordHash) return { ok: false, reason: "password-wrong" };
    // A second click finds the account closed.
    return { ok: true, eraseAt: held.eraseAt ?? (await closeHeld(ctx, held, { site, trx })) };
  });
}

export async function closeHeld(
  ctx: AccountsContext,
  held: Account,
  { site, trx }: { site: string; trx: Queries },
): Promise<Date> {
  const { sessions, challenges, emails } = ctx;
  const eraseAt = after(ctx.clock(), GRACE_IN_MS);
  const closed = { closedEmail: held.email, ...noPending, eraseAt };
  await changeHeld(held, { columns: { ...emailColumns(toTombstone(held.id)), ...closed }, trx });
  await removeAllPasskeys(ctx, held.id, trx);
  await sessions.endAll(held.id, trx);
  await challenges.voidAll({ owner: held.id, purposes: entryPurposes }, trx);
  const subject = toSubject(ctx, held.id, held.email);
  // The link from an earlier closing is void.
  const token = await challenges.restart({ purpose, subject, linkLifeInMs: GRACE_IN_MS }, trx);
  await emails.accountClosed({ member: held, site, token, eraseAt }, trx);
  return eraseAt;
}

/** Frees the address. RFC 2606 reserves the domain, so no visitor can prove the new one. */
function toTombstone(memberId: number): string {
  return `closed-${memberId}@closed.invalid`;
}

export async function findReopening(
  { db, challenges }: AccountsContext,
  token: string,
): Promise<{ email: string } | undefined> {
  const subject = await challenges.peekLink(purpose, token);
  const account = subject === undefined ? undefined : await findAccount(memberIdIn(subject), db);
  return account?.closedEmail === undefined ? undefined : { email: account.closedEmail };
}

export async function reopenAccount({ db, challenges }: AccountsContext, token: string): Promise<ReopenResult> {
  const subject = await challenges.peekLink(purpose, token);
  if (subject === undefined) return "over";
  const work = db.transaction().execute(async (trx) => {
    const held = await holdMember(memberIdIn(subject), trx);
    const isClaimed = (await challenges.claimLink(purpose, token, trx)) !== undefined;
    if (!isClaimed || held?.closedEmail === undefined) return "over";
    await requireFree(held.closedEmail, { held, trx });
    const columns = { ...emailColumns(held.closedEmail), closedEmail: null, eraseAt: null };
    await changeHeld(held, { columns, trx });
    return held.passwordOffAt ? "reopened-without" : "reopened";
  });
  return unlessTaken(work, "email-taken");
}

type ClosedAccount = Account & { closedEmail: string };

export async function eraseDueAccounts(ctx: AccountsContext, personalData: ErasesClosed): Promise<number> {
  const { db, log } = ctx;
  const dueBy = ctx.clock();
  let count = 0;
  for (const account of await listDue(dueBy, db)) {
    try {
      const member = { ...account, email: account.closedEmail };
      const sendFarewell = (trx: Queries) => ctx.emails.accountErased({ member }, trx);
      const erased = await personalData.eraseClosed(await findPerson(account, db), { dueBy, sendFarewell });
      if (erased.ok) count += 1;
      else log.warn({ member: account.id }, "a closed account could not be erased yet");
    } catch (error) {
      log[levelOfFault(error)]({ member: account.id, error }, "a closed account could not be erased");
    }
  }
  return count;
}

async function listDue(dueBy: Date, db: Queries): Promise<ClosedAccount[]> {
  const rows = await db
    .selectFrom("members")
    .selectAll()
    .where("eraseAt", "<=", dueBy)
    .orderBy("eraseAt")
    .orderBy("id")
    .limit(ERASED_AT_ONCE)
    .execute();
  return rows.flatMap((row) => {
    const account = toAccount(row);
    return account.closedEmail === undefined ? [] : [{ ...account, closedEmail: account.closedEmail }];
  });
}

/** Rows known by address alone belong to another account, if one has the address now. */
async function findPerson({ id, email, closedEmail }: ClosedAccount, db: Queries): Promise<Person> {
  const others = db.selectFrom("members").select("id").where("emailKey", "=", toEmailKey(closedEmail));
  const isTaken = (await others.executeTakeFirst()) !== undefined;
  return { memberId: id, email: isTaken ? email : closedEmail };
}
