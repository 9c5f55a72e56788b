import { isDeepStrictEqual } from "node:util";

import { after, DAY_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { BillingRequest, Debit, DebitGateway, Mandate } from "../payments/debit-gateway.ts";
import type { Codes } from "./codes.ts";
import {
  addCollection,
  type Collection,
  isPaid,
  isToBeCollected,
  isUnpaid,
  listCollections,
  MONTHS_PER_PERIOD,
  nextPeriod,
  unpaidStates,
} from "./collections.ts";
import {
  type CompanyDetails,
  type CompanyRow,
  type CompanyState,
  findCompanyEvent,
  findCompanyRow,
  keyOfCompany,
  nextCompanyState,
  toDetails,
} from "./company.ts";
import { beginContract, lockCompany } from "./contract-change.ts";

export type CompaniesContext = Context & {
  codes: Codes;
  gateway: DebitGateway;
  productName: string;
  emails?: CompanyEmails | undefined;
};

/** Emails are queued in the transaction of the change. */
export type CompanyEmails = {
  /** Its code works for fourteen more days, unless it pays. */
  onGrace(company: CompanyDetails, trx: Queries): Promise<void>;
  /** Its first mandate is active, so its code works from now on. */
  onLive(company: CompanyDetails, trx: Queries): Promise<void>;
};

/** Enough for a company that was not looked up for years: each year takes two rounds. */
const MAX_ROUNDS = 50;

/**
 * Brings our records of a company in line with the gateway, and does what follows. Repeats until nothing changes, so
 * concurrent processes reach the same end. Throws if the gateway cannot be reached: completed steps stay, and the next
 * call continues. `debitId`: a settled debit to look up again.
 */
export async function settleCompany(
  ctx: CompaniesContext,
  { companyId, debitId }: { companyId: number; debitId?: string },
): Promise<void> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const company = await findCompanyRow(ctx.db, companyId);
    if (!company) return;
    const collections = await listCollections(ctx.db, companyId);
    const atGateway = await lookUpCompany(ctx.gateway, { company, collections, debitId });
    const snapshot = { company, collections, atGateway };
    const hasChanged = (await applySnapshot(ctx, snapshot)) || (await collectNext(ctx, snapshot));
    if (!hasChanged) return;
  }
  throw new Error(`Company ${companyId} does not come to rest`);
}

type GatewayStatus = {
  request: BillingRequest | undefined;
  /** The current mandate, after all replacements. */
  mandate: Mandate | undefined;
  /** It comes from an agreement that is new to us. */
  isNewAgreement: boolean;
  debits: Map<string, Debit>;
};

type Subject = { company: CompanyRow; collections: Collection[]; debitId?: string | undefined };

/** Throws if the gateway cannot be reached, or does not know an id that it gave us. */
export async function lookUpCompany(
  gateway: DebitGateway,
  { company, collections, debitId }: Subject,
): Promise<GatewayStatus> {
  const { mandateId, billingRequestId: requestId } = company;
  const request = requestId === null ? undefined : await gateway.findBillingRequest(requestId);
  const current = mandateId === null ? undefined : await followMandate(gateway, mandateId);
  const agreedId = request?.state === "fulfilled" ? request.mandateId : undefined;
  const isOther = agreedId !== undefined && agreedId !== mandateId;
  const agreed = isOther ? await followMandate(gateway, agreedId) : undefined;
  const debits = new Map<string, Debit>();
  for (const { gatewayId, state } of collections) {
    const isCurrent = state !== "paid-out" || gatewayId === debitId;
    if (gatewayId === undefined || !isCurrent) continue;
    const debit = await gateway.findDebit(gatewayId);
    if (!debit) throw new Error(`The gateway does not know debit ${gatewayId}`);
    debits.set(gatewayId, debit);
  }
  // An agreement always names its first mandate, even if we know the replacement.
  const isNewAgreement = agreed !== undefined && agreed.id !== current?.id;
  return { request, mandate: isNewAgreement ? agreed : current, isNewAgreement, debits };
}

/** More replacements than this are a circle. */
const MAX_REPLACEMENTS = 20;

/** D7: future debits are collected under the replacement. */
async function followMandate(gateway: DebitGateway, id: string): Promise<Mandate> {
  let nextId: string | undefined = id;
  for (let step = 0; step <= MAX_REPLACEMENTS && nextId !== undefined; step += 1) {
    const mandate = await gateway.findMandate(nextId);
    if (!mandate) throw new Error(`The gateway does not know mandate ${nextId}`);
    if (mandate.state !== "replaced") return mandate;
    nextId = mandate.replacementId;
  }
  throw new Error(`The gateway does not say what has replaced mandate ${id}`);
}

export function isCollectable(mandate: Mandate | undefined): boolean {
  return mandate?.state === "pending" || mandate?.state === "active";
}

/** A company as it was read, and then its state at the gateway. */
type Snapshot = { company: CompanyRow; collections: Collection[]; atGateway: GatewayStatus };

/**
 * Saves the gateway's state and its consequences in one transaction. A snapshot of a company that has changed since is
 * dropped, so processes never overwrite each other. Returns whether anything has changed, here or elsewhere.
 */
function applySnapshot({ db, clock, log, emails }: CompaniesContext, snapshot: Snapshot): Promise<boolean> {
  const { company, atGateway } = snapshot;
  const now = clock();
  return db.transaction().execute(async (trx) => {
    if (!(await lockIfUnchanged(trx, snapshot))) return true;
    await saveDebits(trx, { ...snapshot, now });
    if (atGateway.mandate && atGateway.mandate.id !== company.mandateId) await saveMandate(trx, { ...snapshot, now });
    const collections = await listCollections(trx, company.id);
    const event = findCompanyEvent(
      {
        state: company.state,
        graceEndsAt: company.graceEndsAt ?? undefined,
        isCollectable: isCollectable(atGateway.mandate),
        isUnpaid: collections.some(isUnpaid),
        isPaid: collections.every(isPaid),
      },
      now,
    );
    const state = event && nextCompanyState(company.state, event);
    if (state) {
      const changed = await changeState(trx, { company, state, now });
      if (emails)
        await writeAbout(emails, { before: company.state, company: await toDetails(trx, { row: changed, now }), trx });
      log.info({ company: company.id, from: company.state, to: state }, "a company's state changed");
    }
    await scheduleNextYear(trx, { companyId: company.id, now });
    return !(await lockIfUnchanged(trx, snapshot));
  });
}

type Change = { before: CompanyState; company: CompanyDetails; trx: Queries };

async function writeAbout(emails: CompanyEmails, { before, company, trx }: Change): Promise<void> {
  if (company.state === "grace") await emails.onGrace(company, trx);
  if (company.state === "live" && before === "setting-up") await emails.onLive(company, trx);
}

/** Locks the company until the transaction ends; false if it has changed since the snapshot. */
async function lockIfUnchanged(trx: Queries, { company, collections }: Snapshot): Promise<boolean> {
  const locked = await lockCompany(trx, company.id);
  return isDeepStrictEqual(locked, company) && isDeepStrictEqual(await listCollections(trx, company.id), collections);
}

async function saveDebits(
  trx: Queries,
  { company, collections, atGateway, now }: Snapshot & { now: Date },
): Promise<void> {
  for (const { period, gatewayId, state } of collections) {
    const debit = gatewayId === undefined ? undefined : atGateway.debits.get(gatewayId);
    if (!debit || debit.state === state) continue;
    // A year stays `again`, unless the bank retries the failed debit.
    if (state === "again" && isUnpaid(debit)) continue;
    await trx
      .updateTable("collections")
      .set({ state: debit.state, updatedAt: now })
      .where("companyId", "=", company.id)
      .where("period", "=", period)
      .execute();
  }
}

/** A new agreement lets us collect again what was not paid; a mandate that the bank merely replaced does not. */
async function saveMandate(trx: Queries, { company, atGateway, now }: Snapshot & { now: Date }): Promise<void> {
  await trx
    .updateTable("companies")
    .set({ mandateId: atGateway.mandate?.id ?? null })
    .where("id", "=", company.id)
    .execute();
  if (!atGateway.isNewAgreement) return;
  await trx
    .updateTable("collections")
    .set({ state: "again", updatedAt: now })
    .where("companyId", "=", company.id)
    .where("state", "in", unpaidStates)
    .execute();
}

/** docs/behaviour.md, Companies and codes. */
const GRACE_IN_MS = 14 * DAY_IN_MS;

type StateChange = { company: CompanyRow; state: CompanyState; now: Date };

function changeState(trx: Queries, { company, state, now }: StateChange): Promise<CompanyRow> {
  return trx
    .updateTable("companies")
    .set({
      state,
      ...(state === "grace" && { graceEndsAt: after(now, GRACE_IN_MS) }),
      ...(state === "live" && { graceEndsAt: null }),
      ...(state === "live" && company.state !== "grace" && { liveSince: now }),
    })
    .where("id", "=", company.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Adds a live company's next year on its first day. A company in trouble is charged for no further year (D6). */
async function scheduleNextYear(trx: Queries, { companyId, now }: { companyId: number; now: Date }): Promise<void> {
  const company = await findCompanyRow(trx, companyId);
  if (company?.state !== "live" || company.liveSince === null) return;
  const collections = await listCollections(trx, companyId);
  const next = nextPeriod(collections, company.liveSince);
  if (now < next.dueAt) return;
  const amountInPence = company.nextPriceInPence ?? company.priceInPence;
  await addCollection(trx, { companyId, ...next, amountInPence, now });
  await beginContract(trx, company);
}

/** False: no year was due. */
async function collectNext(
  ctx: CompaniesContext,
  { company, collections, atGateway: { mandate } }: Snapshot,
): Promise<boolean> {
  const collection = collections.find(isToBeCollected);
  if (!collection || !mandate || !isCollectable(mandate)) return false;
  await collect(ctx, { company, collection, mandateId: mandate.id });
  return true;
}

/**
 * Collects a year: the row exists before, the key derives from it, and the debit's id is saved last. So repeats and
 * interruptions give one debit (D5); another follows only an unpaid one.
 */
async function collect(
  { db, clock, gateway, productName }: CompaniesContext,
  { company, collection, mandateId }: { company: CompanyRow; collection: Collection; mandateId: string },
): Promise<void> {
  const key = `${keyOfCompany(company)}:dd:${collection.period}`;
  const before = collection.gatewayId === undefined ? undefined : await gateway.findDebit(collection.gatewayId);
  const isResumed = before && !isUnpaid(before);
  const debit = isResumed
    ? before
    : await gateway.collect({
        key: before ? `${key}:after:${before.id}` : key,
        mandateId,
        amountInPence: collection.amountInPence,
        currency: "GBP",
        description: `${productName}, ${MONTHS_PER_PERIOD} months, ${company.accounts} accounts`,
        companyId: company.id,
      });
  const now = clock();
  await db
    .updateTable("collections")
    .set({
      gatewayId: debit.id,
      state: debit.state,
      updatedAt: now,
      // A company that was stopped pays for a year from now on.
      ...(company.state === "stopped" && { dueAt: now }),
    })
    .where("companyId", "=", company.id)
    .where("period", "=", collection.period)
    .where("state", "=", collection.state)
    .where("gatewayId", before ? "=" : "is", before?.id ?? null)
    .execute();
}
