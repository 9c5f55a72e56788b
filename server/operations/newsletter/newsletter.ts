import type { Accounts, Member } from "../../members/accounts/accounts.ts";
import { toEmailKey } from "../../platform/email-address.ts";
import { after, DAY_IN_MS, HOUR_IN_MS } from "../../platform/clock.ts";
import type { Catalogue } from "../../content/catalogue/catalogue.ts";
import { byNewest } from "../../content/items/cards.ts";
import { itemKinds, sections } from "../../content/items/kinds.ts";
import { findSection, itemPath } from "../../content/items/item-facts.ts";
import type { Context } from "../../context.ts";
import { hasChanged } from "../../platform/database/changes.ts";
import type { Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import { EMAILS_A_TRANSACTION, type Outbox } from "../../platform/email/outbox.ts";
import type { Membership } from "../../money/membership/membership.ts";
import { monthBefore, toMonth, toStart } from "../../platform/london-calendar.ts";
import { createSignedIds, type SignedIds } from "../../platform/seal.ts";

/** The email "New this month", for members who request it (docs/behaviour.md, New this month). */
export type Newsletter = ReturnType<typeof createNewsletter>;

/** `returned`: it ended because the member's address refused an email. */
export type NewsletterState = "off" | "on" | "returned";

/** About a month such as `2026-11`. All members get the same items. */
export type MonthlyEmail = { member: Member; month: string; items: NewItem[]; endLink: string };

/** `what`: "Article"; `path`: of its page, below the site. */
type NewItem = { title: string; what: string; path: string };

export type NewsletterContext = Context & {
  accounts: Accounts;
  membership: Membership;
  catalogue: Pick<Catalogue, "isReady" | "listItems">;
  outbox: Pick<Outbox, "cancel" | "listRefused">;
  emails: { newsletter(email: MonthlyEmail, trx: Queries): Promise<void> };
  capabilities: { canGetNewsletter: boolean };
  site: string;
};

/** An email's link must work however old it is. */
export function createEndLinks({ keyedHash }: Pick<Context, "keyedHash">): SignedIds {
  return createSignedIds(keyedHash("newsletter"));
}

export function createNewsletter(ctx: NewsletterContext) {
  const { db, clock, outbox, capabilities } = ctx;
  const links = createEndLinks(ctx);
  return {
    async find(memberId: number): Promise<NewsletterState> {
      const row = await findRow(db, memberId);
      if (!row) return "off";
      return row.returnedAt ? "returned" : "on";
    },

    /** The first email comes after the end of this month. `false` where another back end has the members. */
    async start(memberId: number): Promise<boolean> {
      if (!capabilities.canGetNewsletter) return false;
      await switchOn(db, memberId, clock());
      return true;
    },

    /** Takes back unsent emails too; `note` is written in the same transaction. Returns whether it was on. */
    end: (memberId: number, note?: (trx: Queries) => Promise<void>) => switchOff(ctx, memberId, note),

    /** Moves a request to an account without one, and takes back unsent emails to the first. */
    async move({ from, to }: { from: number; to: number }, trx: Queries): Promise<void> {
      await outbox.cancel({ kind: "newsletter", memberId: from }, trx);
      const row = await findRow(trx, from);
      if (!row) return;
      const moved = { ...row, memberId: to, returnedAt: null };
      await trx
        .insertInto("newsletters")
        .values(moved)
        .onConflict((conflict) => conflict.column("memberId").doNothing())
        .execute();
    },

    /** `undefined` when the link is not ours. */
    readEndLink: (token: string) => links.read(token),

    /** A job: in the first days of a month, emails each member once about the month before. Returns how many. */
    async send(): Promise<number> {
      if (!capabilities.canGetNewsletter) return 0;
      await endReturned(ctx);
      return await writeToAll(ctx, (memberId) => links.make(memberId));
    },

    /** For the export of a member's data; `undefined` where it is off. */
    async findRecord(memberId: number) {
      const row = await findRow(db, memberId);
      return row && { startedAt: row.startedAt, lastMonth: row.lastMonth, returnedAt: row.returnedAt ?? undefined };
    },
  };
}

async function findRow(db: Queries, memberId: number) {
  return (await selectRow(db, { memberId }))[0];
}

const selectRow = prepareQuery((db, { memberId }: { memberId: number }) =>
  db.selectFrom("newsletters").selectAll().where("memberId", "=", memberId),
);

async function switchOn(db: Queries, memberId: number, now: Date): Promise<void> {
  // This month counts as written: the email about it comes after its end.
  const begun = { startedAt: now, lastMonth: toMonth(now), returnedAt: null };
  await db
    .insertInto("newsletters")
    .values({ memberId, ...begun })
    .onConflict((conflict) =>
      conflict.column("memberId").doUpdateSet(begun).where("newsletters.returnedAt", "is not", null),
    )
    .execute();
}

async function switchOff(
  { db, outbox }: NewsletterContext,
  memberId: number,
  note?: (trx: Queries) => Promise<void>,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const wasOn = await hasChanged(trx.deleteFrom("newsletters").where("memberId", "=", memberId));
    await outbox.cancel({ kind: "newsletter", memberId }, trx);
    await note?.(trx);
    return wasOn;
  });
}

/** Ends it for members whose address has refused an email since they requested it. */
async function endReturned({ db, accounts, outbox }: NewsletterContext): Promise<void> {
  for (const { memberId, to, failedAt } of await outbox.listRefused()) {
    const member = await accounts.findMember(memberId);
    // The member may have changed the address since.
    if (!member || toEmailKey(member.email) !== toEmailKey(to)) continue;
    await db
      .updateTable("newsletters")
      .set({ returnedAt: failedAt })
      .where("memberId", "=", memberId)
      .where("startedAt", "<=", failedAt)
      .where("returnedAt", "is", null)
      .execute();
  }
}

/** By day: an email should wake no one. */
const FROM_HOUR = 9;
/** After a longer outage a server does not write about a month long past. */
const WITHIN_IN_MS = 7 * DAY_IN_MS;
async function writeToAll(ctx: NewsletterContext, toEndToken: (memberId: number) => string): Promise<number> {
  const now = ctx.clock();
  const thisMonth = toMonth(now);
  const start = toStart(thisMonth);
  if (now < after(start, FROM_HOUR * HOUR_IN_MS) || now >= after(start, WITHIN_IN_MS)) return 0;
  const month = monthBefore(thisMonth);
  const items = listNew(ctx, month);
  if (items.length === 0) return 0;
  let written = 0;
  for (let above = 0; ;) {
    const ids = await listWaiting(ctx.db, { thisMonth, above });
    const last = ids.at(-1);
    if (last === undefined) return written;
    written += await writeToSome(ctx, ids, {
      thisMonth,
      toEmail: (member) => ({
        member,
        month,
        items,
        endLink: `${ctx.site}newsletter?end=${toEndToken(member.id)}`,
      }),
    });
    above = last;
  }
}

/** By the date that items show; the newest first. */
function listNew({ catalogue }: NewsletterContext, month: string): NewItem[] {
  if (!catalogue.isReady()) return [];
  const all = itemKinds.flatMap((kind) => catalogue.listItems(kind));
  const found = all.filter(({ date }) => date.startsWith(`${month}-`)).toSorted(byNewest);
  return found.map((item) => ({ title: item.title, what: sections[findSection(item)].one, path: itemPath(item) }));
}

async function listWaiting(db: Queries, { thisMonth, above }: { thisMonth: string; above: number }): Promise<number[]> {
  const rows = await db
    .selectFrom("newsletters")
    .select("memberId")
    .where("memberId", ">", above)
    .where("lastMonth", "<", thisMonth)
    .where("returnedAt", "is", null)
    .orderBy("memberId")
    .limit(EMAILS_A_TRANSACTION)
    .execute();
  return rows.map(({ memberId }) => memberId);
}

type Writing = { thisMonth: string; toEmail: (member: Member) => MonthlyEmail };

/** Emails those of these members who have access. The transaction of an email also records its month. */
async function writeToSome(ctx: NewsletterContext, ids: number[], { thisMonth, toEmail }: Writing): Promise<number> {
  const active: number[] = [];
  for (const id of ids) if ((await ctx.membership.findAccess(id)).isActive) active.push(id);
  if (active.length === 0) return 0;
  return await ctx.db.transaction().execute(async (trx) => {
    const claimed = await trx
      .updateTable("newsletters")
      .set({ lastMonth: thisMonth })
      .where("memberId", "in", active)
      // Checked again on the row itself: another server may have written, or the member ended it.
      .where("lastMonth", "<", thisMonth)
      .where("returnedAt", "is", null)
      .returning("memberId")
      .execute();
    let written = 0;
    for (const { memberId } of claimed) {
      const member = await ctx.accounts.findMember(memberId, trx);
      // Closed, and waiting to be erased.
      if (!member) continue;
      await ctx.emails.newsletter(toEmail(member), trx);
      written += 1;
    }
    return written;
  });
}
