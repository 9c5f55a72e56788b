import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";

import { after, DAY_IN_MS } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import {
  addCollection,
  isPaid,
  isUnpaid,
  listCollections,
  nextPeriod,
  unpaidStates,
  type Collection,
} from "./collections.ts";
import { findCompanyRow, toDetails, type CompanyDetails, type CompanyRow } from "./company-rows.ts";
import { findCompanyEvent, nextCompanyState, type CompanyEvent, type CompanyState } from "./company-states.ts";
import { isCollectable, type Sight } from "./look.ts";

/** A company as it was read, and what the gateway said of it after that. */
export type Picture = { company: CompanyRow; collections: Collection[]; sight: Sight };

/** Letters to write when something happens to a company, in the transaction in which it happens. */
export type CompanyLetters = {
  /** Its code works for fourteen days more, unless it pays. */
  onGrace(company: CompanyDetails, trx: Queries): Promise<void>;
};

/** Design, section 4. */
const GRACE_IN_MS = 14 * DAY_IN_MS;

type Taking = { db: Queries; now: Date; log: Log; tell: CompanyLetters | undefined };

/**
 * Writes down what the gateway said and what follows from it, in one transaction. A picture that somebody has changed since it was
 * taken is thrown away: two who are at one company never write over one another. Answers whether anything has changed, by whomever.
 */
export function takeIn(picture: Picture, taking: Taking): Promise<boolean> {
  const { company, sight } = picture;
  const { db, now, log, tell } = taking;
  return db.transaction().execute(async (trx) => {
    if (!(await isUpToDate(picture, trx))) return true;
    await noteDebits(picture, { trx, now });
    if (sight.mandate && sight.mandate.id !== company.mandate_id) await noteMandate(company.id, sight, { trx, now });
    const collections = await listCollections(company.id, trx);
    const event = findEvent({ company, collections, sight }, now);
    const state = event && nextCompanyState(company.state, event);
    if (state) {
      await turn(company, { state, now, trx, tell });
      log.info({ company: company.id, from: company.state, to: state }, "a company stands differently");
    }
    await schedule(company.id, { now, trx });
    return !(await isUpToDate(picture, trx));
  });
}

type Step = { now: Date; trx: Queries };

/** Takes hold of the company until the transaction ends, and answers whether it is still as it was read. */
async function isUpToDate({ company, collections }: Picture, trx: Queries): Promise<boolean> {
  const held = await trx
    .updateTable("companies")
    .set({ name_key: sql`name_key` })
    .where("id", "=", company.id)
    .returningAll()
    .executeTakeFirst();
  return isDeepStrictEqual(held, company) && isDeepStrictEqual(await listCollections(company.id, trx), collections);
}

async function noteDebits({ company, collections, sight }: Picture, { now, trx }: Step): Promise<void> {
  for (const { period, gatewayId, state } of collections) {
    const debit = gatewayId === undefined ? undefined : sight.debits.get(gatewayId);
    if (!debit || debit.state === state) continue;
    // What is to be collected again stays so, unless the bank has taken up the debit that was lost.
    if (state === "again" && isUnpaid(debit)) continue;
    await trx
      .updateTable("collections")
      .set({ state: debit.state, updated_at: now.toISOString() })
      .where("company_id", "=", company.id)
      .where("period", "=", period)
      .execute();
  }
}

/** Whoever agrees anew agrees to be asked again for what was not paid. A bank that merely replaces a mandate does not. */
async function noteMandate(companyId: number, sight: Sight, { now, trx }: Step): Promise<void> {
  await trx
    .updateTable("companies")
    .set({ mandate_id: sight.mandate?.id ?? null })
    .where("id", "=", companyId)
    .execute();
  if (!sight.isNewAgreement) return;
  await trx
    .updateTable("collections")
    .set({ state: "again", updated_at: now.toISOString() })
    .where("company_id", "=", companyId)
    .where("state", "in", unpaidStates)
    .execute();
}

function findEvent({ company, collections, sight }: Picture, now: Date): CompanyEvent | undefined {
  return findCompanyEvent(
    {
      state: company.state,
      graceEndsAt: company.grace_ends_at === null ? undefined : new Date(company.grace_ends_at),
      isCollectable: isCollectable(sight.mandate),
      isUnpaid: collections.some(isUnpaid),
      isPaid: collections.every(isPaid),
    },
    now,
  );
}

type Turn = Step & { state: CompanyState; tell: CompanyLetters | undefined };

async function turn(company: CompanyRow, { state, now, trx, tell }: Turn): Promise<void> {
  const turned = await trx
    .updateTable("companies")
    .set({
      state,
      ...(state === "grace" && { grace_ends_at: after(now, GRACE_IN_MS).toISOString() }),
      ...(state === "live" && { grace_ends_at: null }),
      ...(state === "live" && company.state !== "grace" && { live_since: now.toISOString() }),
    })
    .where("id", "=", company.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (state === "grace") await tell?.onGrace(await toDetails(turned, { db: trx, now }), trx);
}

/** A live company's next year is written down at its beginning; a company in trouble is asked for no further year (D6). */
async function schedule(companyId: number, { now, trx }: Step): Promise<void> {
  const company = await findCompanyRow(companyId, trx);
  if (company?.state !== "live" || company.live_since === null) return;
  const collections = await listCollections(companyId, trx);
  const next = nextPeriod(collections, new Date(company.live_since));
  if (now < next.dueAt) return;
  await addCollection({ companyId, ...next, amountInPence: company.price_in_pence, now }, trx);
}
