import type { Accounts, Member } from "../../members/accounts/accounts.ts";
import { toEmailKey } from "../../platform/email-address.ts";
import { isOwnHash, makeUnusableHash } from "../../members/accounts/passwords.ts";
import type { Codes } from "../../money/companies/codes.ts";
import { itemKinds, type ItemRef, parseItemKey } from "../../content/items/kinds.ts";
import type { Catalogue } from "../../content/catalogue/catalogue.ts";
import type { Context } from "../../context.ts";
import { hasChanged } from "../../platform/database/changes.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Favourites } from "../../members/favourites/favourites.ts";
import { formatDate } from "../../platform/format.ts";
import type { Membership } from "../../money/membership/membership.ts";
import { plans } from "../../money/membership/plans.ts";
import { exportMembers } from "./export.ts";
import type { ForeignMember } from "./member-line.ts";

export { MemberFileError, readMemberFile } from "./member-file.ts";

/** Members come from other products with their passwords, and leave for them (docs/moving.md). */
export type Moving = ReturnType<typeof createMoving>;

export type MovingContext = Context & {
  accounts: Accounts;
  membership: Membership;
  codes: Codes;
  favourites: Favourites;
  catalogue: Pick<Catalogue, "findItem">;
  emails: { moved(email: MovedEmail, trx: Queries): Promise<void> };
};

/** `endsAt`: of their access; `needsPassword`: they brought none, and choose a new one. */
export type MovedEmail = { member: Member; endsAt: Date | undefined; needsPassword: boolean };

export type ImportOptions = {
  /** Tries everything and stores nothing. */
  isRehearsal: boolean;
  /** Emails each imported member, from this or an earlier run, once. */
  isMailed: boolean;
  /**
   * Replaces the hash of an account that still has one of another system. Only for operators with a shell: its password
   * opens the account.
   */
  renewsHashes: boolean;
  /** Unknown favourites are left out; otherwise their member is refused. */
  skipsUnknownItems: boolean;
};

/** `added`: a new account; `completed`: an existing one got something; `same`: nothing was missing. */
export type ImportResult =
  | { outcome: "added" | "completed" | "same"; did: string[] }
  | { outcome: "refused"; reason: string };

/** A run of an import. `rehearsed`: what a rehearsal's members would have taken, as text. */
export type MemberImport = { add(member: ForeignMember): Promise<ImportResult>; rehearsed(): string | undefined };

/** A member to import, or why their line is unreadable; `number`: their line or place. */
export type Arriving = { number: number } & ({ ok: true; member: ForeignMember } | { ok: false; refusal: string });

export type ImportCounts = Record<ImportResult["outcome"], number>;

export const noCounts = { added: 0, completed: 0, same: 0, refused: 0 } as const satisfies ImportCounts;

export function createMoving(ctx: MovingContext) {
  return {
    /**
     * Starts an import, each member in a transaction: all or nothing. A repeat changes nothing. `rehearsed`: from the
     * previous part of a rehearsal.
     */
    begin(options: ImportOptions, rehearsed?: string): MemberImport {
      const rehearsal = options.isRehearsal ? readRehearsal(rehearsed) : undefined;
      return {
        add: (member) => importMember({ ...ctx, ...options, rehearsal }, member),
        rehearsed: () => rehearsal && JSON.stringify([[...rehearsal.added], [...rehearsal.seats]]),
      };
    },
    exportMembers: (options: { hasHashes: boolean }) => exportMembers(ctx, options),
    /** `broughtAt`: of the import; `mailedAt`: of the email about it. */
    async findRecord(memberId: number): Promise<{ broughtAt: Date; mailedAt: Date | undefined } | undefined> {
      const found = ctx.db.selectFrom("broughtMembers").select(["broughtAt", "mailedAt"]);
      const row = await found.where("memberId", "=", memberId).executeTakeFirst();
      return row && { broughtAt: row.broughtAt, mailedAt: row.mailedAt ?? undefined };
    },
  };
}

type ImportContext = MovingContext & ImportOptions & { rehearsal: Rehearsal | undefined };

/** Rolls a transaction back: a member is refused, or it was a rehearsal. */
class Undo extends Error {
  readonly result: ImportResult;
  constructor(result: ImportResult) {
    super("undone");
    this.result = result;
  }
}

function refuse(reason: string): never {
  throw new Undo({ outcome: "refused", reason });
}

type Rehearsal = { added: Set<string>; seats: Map<string, number> };

function readRehearsal(text = "[[], []]"): Rehearsal {
  const [added, seats] = JSON.parse(text) as [string[], [string, number][]];
  return { added: new Set(added), seats: new Map(seats) };
}

async function importMember(ctx: ImportContext, member: ForeignMember): Promise<ImportResult> {
  try {
    return await ctx.db.transaction().execute(async (trx) => {
      const result = await addWithin({ ...ctx, db: trx }, member);
      if (ctx.isRehearsal) throw new Undo(result);
      return result;
    });
  } catch (error) {
    if (error instanceof Undo) return error.result;
    throw error;
  }
}

async function addWithin(ctx: ImportContext, foreign: ForeignMember): Promise<ImportResult> {
  const { db: trx, rehearsal, membership, favourites } = ctx;
  const items = findItems(ctx, foreign);
  const held = await ctx.accounts.holdByEmail(foreign.email, trx);
  const member = held?.member ?? (await admit(ctx, foreign));
  const key = toEmailKey(foreign.email);
  const isNew = !held && !rehearsal?.added.has(key);
  const did = isNew
    ? [foreign.passwordHash === undefined ? "a new member, who chooses a new password" : "a new member"]
    : [];
  if (held && (await renewHash(ctx, held, foreign.passwordHash))) did.push("another password");
  const { term } = foreign;
  if (term && (await membership.importTerm({ memberId: member.id, ...term }, trx))) did.push(termText(term));
  const seat = await takeSeat(ctx, foreign, member);
  if (seat) did.push(seat);
  const saved = await favourites.importItems(member.id, items, trx);
  if (saved > 0) did.push(saved === 1 ? "a favourite" : `${saved} favourites`);
  if (ctx.isMailed && (await claimEmail(ctx, member.id))) {
    const endsAt = await membership.findCoverEnd(member.id, trx);
    await ctx.emails.moved({ member, endsAt, needsPassword: foreign.passwordHash === undefined }, trx);
    did.push("an email");
  }
  rehearsal?.added.add(key);
  return { outcome: isNew ? "added" : did.length > 0 ? "completed" : "same", did };
}

async function admit({ accounts, clock, db: trx }: ImportContext, foreign: ForeignMember): Promise<Member> {
  const { email, firstName, lastName, accountType, joinedAt: createdAt } = foreign;
  const passwordHash = foreign.passwordHash ?? makeUnusableHash();
  const person = { email, firstName, lastName, accountType, passwordHash, createdAt };
  const member = await accounts.admit(person, trx);
  if (!member) return refuse("An account with this address was made just now. Import the line again.");
  await trx.insertInto("broughtMembers").values({ memberId: member.id, broughtAt: clock(), mailedAt: null }).execute();
  return member;
}

/** A member who has logged in here has a hash of ours, which stays. */
async function renewHash(
  { accounts, renewsHashes, db: trx }: ImportContext,
  { member, passwordHash: from }: { member: Member; passwordHash: string },
  to: string | undefined,
): Promise<boolean> {
  if (!renewsHashes || to === undefined || to === from || isOwnHash(from)) return false;
  return accounts.replaceHash({ memberId: member.id, from, to }, trx);
}

function termText({ planType, endsAt }: NonNullable<ForeignMember["term"]>): string {
  return `${plans[planType].label} until ${formatDate(endsAt)}`;
}

/** A term that is over needs no seat, and a member with a seat keeps it. */
async function takeSeat(
  ctx: ImportContext,
  { code, term }: ForeignMember,
  member: Member,
): Promise<string | undefined> {
  const { codes, clock, rehearsal, db: trx } = ctx;
  const isOver = term !== undefined && term.endsAt <= clock();
  if (code === undefined || isOver || member.accountType !== "corporate") return undefined;
  if ((await codes.listSeatsFor(member.id, trx)).length > 0) return undefined;
  const taken = rehearsal?.seats.get(code) ?? 0;
  const before = rehearsal && (await codes.findView(code, trx));
  if (before && before.seatsTaken + taken >= before.seats) refuse(`Code ${code} has no seats left.`);
  const seat = await codes.takeSeat({ code, memberId: member.id }, trx);
  if (!seat.isValid) refuse(`Code ${code}: ${seat.message}`);
  rehearsal?.seats.set(code, taken + 1);
  return `a seat on ${code}`;
}

/** A number alone may be of any kind. */
function findItems({ catalogue, skipsUnknownItems }: ImportContext, { favourites }: ForeignMember): ItemRef[] {
  const found = favourites.flatMap((text) => {
    const named = parseItemKey(text);
    const candidates = named ? [named] : toCandidates(text);
    const item = candidates.find(({ kind, id }) => catalogue.findItem(kind, id));
    if (!item && !skipsUnknownItems) refuse(`Its favourites include ${text}, which isn't an item here.`);
    return item ? [item] : [];
  });
  return [...new Map(found.map((item) => [`${item.kind} ${item.id}`, item])).values()];
}

function toCandidates(text: string): ItemRef[] {
  return /^[1-9]\d{0,8}$/.test(text) ? itemKinds.map((kind) => ({ kind, id: Number(text) })) : [];
}

/** Returns whether the member was imported and has not had the email. */
function claimEmail({ clock, db: trx }: ImportContext, memberId: number): Promise<boolean> {
  const claim = trx.updateTable("broughtMembers").set({ mailedAt: clock() }).where("memberId", "=", memberId);
  return hasChanged(claim.where("mailedAt", "is", null));
}

/** Imports one member after another, and reports each. The counts are those of the whole run. */
export async function importAll<Each extends Arriving>(
  memberImport: MemberImport,
  arriving: AsyncIterable<Each> | Iterable<Each>,
  report: (each: Each, result: ImportResult, counts: ImportCounts) => Promise<void> | void,
): Promise<ImportCounts> {
  const counts: ImportCounts = { ...noCounts };
  for await (const each of arriving) {
    const result: ImportResult = each.ok
      ? await memberImport.add(each.member)
      : { outcome: "refused", reason: each.refusal };
    counts[result.outcome] += 1;
    await report(each, result, counts);
  }
  return counts;
}
