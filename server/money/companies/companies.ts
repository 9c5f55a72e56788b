import { cleanEmail, isEmail } from "../../platform/email-address.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import { levelOfFault } from "../../platform/database/faults.ts";
import type { GatewayEvent } from "../../platform/webhooks/webhooks.ts";
import { type AgreementLinks, agreementTokens, openFlow } from "./agreement.ts";
import type { NewCodeRefusal } from "./codes.ts";
import { exportCollections } from "./collections-csv.ts";
import { listCollections } from "./collections.ts";
import {
  type CompaniesPage,
  type CompanyDetails,
  findCompany,
  findCompanyRow,
  listCompanies,
  listCompaniesPage,
  listCompanyIds,
  toDetails,
  toNameKey,
} from "./company.ts";
import { type CompaniesContext, settleCompany } from "./company-status.ts";
import {
  changeContract,
  type ContractChange,
  type ContractTerms,
  fitFreedSeats,
  lockCompany,
  planChange,
} from "./contract-change.ts";
import { type Contract, findContract } from "./contract.ts";
import { countSeats } from "./seats.ts";
import { cleanText } from "../../platform/text.ts";

export type NewCompany = {
  name: string;
  contactEmail: string;
  accounts: number;
  priceInPence: number;
  code?: string | undefined;
};

export type NewCompanyRefusal =
  | "name-invalid"
  | "name-taken"
  | "email-invalid"
  | "accounts-invalid"
  | "price-invalid"
  | NewCodeRefusal;

export type CreateCompanyResult =
  | { ok: true; company: CompanyDetails; code: string; authorisationUrl: string; expiresAt: Date }
  | { ok: false; reason: NewCompanyRefusal };

/**
 * The companies that pay for their people, once a year by Direct Debit. A company's code works from its agreement on
 * (the money comes three working days later), until fourteen days after a payment or the agreement failed.
 */
export type Companies = ReturnType<typeof createCompanies>;

export function createCompanies(ctx: CompaniesContext) {
  return {
    /**
     * Adds a company and its code, then opens the gateway's page for its agreement. Throws if the gateway cannot be
     * reached: company and code exist then, and `openFlow` continues.
     */
    create: (company: NewCompany, links: AgreementLinks) => createCompany(ctx, { company, links }),
    /** For a company that has not agreed, or whose agreement is no longer valid. Throws like `create`. */
    openFlow: (companyId: number, links: AgreementLinks) => openFlow(ctx, { companyId, links }),
    /**
     * Looks up the company that an event names; the event's own contents are not trusted, so order and repeats do not
     * matter. Returns whether it is one of ours. Throws if the gateway cannot be reached: try it again.
     */
    handleEvent: (webhook: Pick<GatewayEvent, "kind" | "subject">) => handleEvent(ctx, webhook),
    /** Ends grace that is over, collects what is due, and settles whatever is open. One company's failure is logged. */
    upkeep: () => settleOpenCompanies(ctx),
    /** Predicts the effect of new terms; `undefined` where nothing would change. */
    async predictChange(companyId: number, wanted: ContractTerms): Promise<ContractChange | undefined> {
      const row = await findCompanyRow(ctx.db, companyId);
      const collections = await listCollections(ctx.db, companyId);
      return row && planChange({ row, collections }, wanted, ctx.clock())?.change;
    },
    /** Changes the contract (`contract-change.ts`); `undefined` where nothing changes. */
    changeContract: (companyId: number, wanted: ContractTerms, trx: Queries) =>
      changeContract(ctx, { companyId, wanted }, trx),
    correct: (companyId: number, details: CompanyCorrection, trx: Queries) =>
      correctCompany(trx, { companyId, ...details }),
    /** Ordered by name. `stalled`: those that are not live, without those whose code was ended. */
    list: (which?: "stalled") => listCompanies(ctx, which),
    /** At most `limit` companies after the one with the number `after`. */
    listPage: (page: CompaniesPage) => listCompaniesPage(ctx, page),
    find: (nameOrId: string) => findCompany(ctx, nameOrId),
    async findById(companyId: number): Promise<CompanyDetails | undefined> {
      const row = await findCompanyRow(ctx.db, companyId);
      return row && toDetails(ctx.db, { row, now: ctx.clock() });
    },
    /** The company that returned from the gateway's page with this token, valid for a month. */
    async findAgreed(token: string): Promise<Contract | undefined> {
      const companyId = agreementTokens(ctx).read(token);
      return companyId === undefined ? undefined : findContract(ctx.db, { companyId, now: ctx.clock() });
    },
    findName: async (companyId: number, on: Queries = ctx.db) => (await findCompanyRow(on, companyId))?.name,
    /** Contains nothing that depends on its people. */
    findContract: (companyId: number) => findContract(ctx.db, { companyId, now: ctx.clock() }),
    listIds: (which: { before: Date; above: number; limit: number }) => listCompanyIds(ctx.db, which),
    /** Counts people; `page/` decides what a company may see of it. */
    countSeats: (which: { companyIds: number[]; from: Date; to: Date }) => countSeats(ctx.db, which),
    exportCollections: (companyId?: number) => exportCollections(ctx.db, companyId),
  };
}

async function createCompany(
  ctx: CompaniesContext,
  { company: wanted, links }: { company: NewCompany; links: AgreementLinks },
): Promise<CreateCompanyResult> {
  const refusal = refuseNewCompany(wanted);
  if (refusal) return { ok: false, reason: refusal };
  const added = await ctx.db.transaction().execute((trx) => addCompany({ ...ctx, db: trx }, wanted));
  if (!added.ok) return added;
  const { companyId } = added;
  const flow = await openFlow(ctx, { companyId, links });
  if (!flow.ok) throw new Error(`Company ${companyId} has agreed before it was asked`);
  const row = await findCompanyRow(ctx.db, companyId);
  if (!row) throw new Error(`Company ${companyId} has disappeared`);
  const company = await toDetails(ctx.db, { row, now: ctx.clock() });
  return { ...flow, company, code: company.code };
}

const MAX_NAME_LENGTH = 100;
const MAX_ACCOUNTS = 100_000;
/** A higher price is a typing error. */
const MAX_PRICE_IN_PENCE = 100_000_000;

export function refuseNewCompany(company: NewCompany): NewCompanyRefusal | undefined {
  const { contactEmail, accounts, priceInPence } = company;
  const name = cleanText(company.name);
  if (name === "" || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(company.name)) return "name-invalid";
  if (!isEmail(cleanEmail(contactEmail))) return "email-invalid";
  if (!isWithin(accounts, MAX_ACCOUNTS)) return "accounts-invalid";
  return isWithin(priceInPence, MAX_PRICE_IN_PENCE) ? undefined : "price-invalid";
}

function isWithin(count: number, most: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= most;
}

/** An `undefined` field stays as it is. */
export type CompanyCorrection = { name?: string | undefined; contactEmail?: string | undefined };

export type CorrectionResult =
  | { ok: true }
  | { ok: false; reason: "name-invalid" | "name-taken" | "email-invalid" | "same" | "company-unknown" };

async function correctCompany(
  trx: Queries,
  { companyId, name, contactEmail }: CompanyCorrection & { companyId: number },
): Promise<CorrectionResult> {
  const row = await lockCompany(trx, companyId);
  if (!row) return { ok: false, reason: "company-unknown" };
  const wanted = { ...row, ...(name !== undefined && { name }), ...(contactEmail !== undefined && { contactEmail }) };
  const reason = refuseNewCompany(wanted);
  if (reason === "name-invalid" || reason === "email-invalid") return { ok: false, reason };
  const columns = {
    name: cleanText(wanted.name),
    nameKey: toNameKey(wanted.name),
    contactEmail: cleanEmail(wanted.contactEmail),
  };
  if (columns.name === row.name && columns.contactEmail === row.contactEmail) return { ok: false, reason: "same" };
  const other = trx.selectFrom("companies").select("id").where("nameKey", "=", columns.nameKey);
  if (await other.where("id", "!=", companyId).executeTakeFirst()) return { ok: false, reason: "name-taken" };
  await trx.updateTable("companies").set(columns).where("id", "=", companyId).execute();
  return { ok: true };
}

type Added = { ok: true; companyId: number } | { ok: false; reason: NewCompanyRefusal };

async function addCompany({ db, clock, codes }: CompaniesContext, wanted: NewCompany): Promise<Added> {
  const companyId = await insertCompany(db, { ...wanted, now: clock() });
  if (companyId === undefined) return { ok: false, reason: "name-taken" };
  const added = await codes.create({ code: wanted.code, seats: wanted.accounts, companyId }, db);
  if (added.ok) return { ok: true, companyId };
  await db.deleteFrom("companies").where("id", "=", companyId).execute();
  return added;
}

export async function insertCompany(db: Queries, company: NewCompany & { now: Date }): Promise<number | undefined> {
  const added = await db
    .insertInto("companies")
    .values({
      name: cleanText(company.name),
      nameKey: toNameKey(company.name),
      contactEmail: cleanEmail(company.contactEmail),
      accounts: company.accounts,
      priceInPence: company.priceInPence,
      nextAccounts: null,
      nextPriceInPence: null,
      state: "setting-up",
      graceEndsAt: null,
      billingRequestId: null,
      mandateId: null,
      liveSince: null,
      createdAt: company.now,
    })
    .onConflict((conflict) => conflict.column("nameKey").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added?.id;
}

type Event = Pick<GatewayEvent, "kind" | "subject">;

async function handleEvent(ctx: CompaniesContext, event: Event): Promise<boolean> {
  const companyId = await findEventCompany(ctx.db, event);
  if (companyId === undefined) return false;
  await settleCompany(ctx, { companyId, debitId: event.subject });
  return true;
}

/** `upkeep` later finds an id that we have not saved yet. */
async function findEventCompany(db: Queries, { kind, subject }: Event): Promise<number | undefined> {
  const companies = db.selectFrom("companies").select("id");
  if (kind === "mandate") return (await companies.where("mandateId", "=", subject).executeTakeFirst())?.id;
  if (kind === "billing-request") {
    return (await companies.where("billingRequestId", "=", subject).executeTakeFirst())?.id;
  }
  if (kind !== "debit") return undefined;
  const collections = db.selectFrom("collections").select("companyId").where("gatewayId", "=", subject);
  return (await collections.executeTakeFirst())?.companyId;
}

async function settleOpenCompanies(ctx: CompaniesContext): Promise<void> {
  await endGrace(ctx);
  await fitFreedSeats(ctx);
  for (const companyId of await listOpenCompanies(ctx)) {
    try {
      await settleCompany(ctx, { companyId });
    } catch (error) {
      ctx.log[levelOfFault(error)]({ company: companyId, error }, "a company could not be looked after");
    }
  }
}

/** Access ends by date; this only records it, without the gateway. */
async function endGrace({ db, clock, log }: Context): Promise<void> {
  const ended = await db
    .updateTable("companies")
    .set({ state: "stopped" })
    .where("state", "=", "grace")
    .where("graceEndsAt", "<=", clock())
    .returning("id")
    .execute();
  for (const { id } of ended) log.info({ company: id, from: "grace", to: "stopped" }, "a company's state changed");
}

/** Nearly a year: a company that is listed a little early is looked up and left alone. */
const NEARLY_A_YEAR_IN_MS = 363 * DAY_IN_MS;

/**
 * Companies that must not depend on an event: not live, with an unsettled debit, or with a year that may begin. The
 * mandate of a settled company is looked up when its next year begins.
 */
async function listOpenCompanies({ db, clock }: Context): Promise<number[]> {
  const now = clock();
  const rows = await db
    .selectFrom("companies")
    .select("id")
    .where((where) => {
      const collections = where
        .selectFrom("collections")
        .select("period")
        .whereRef("collections.companyId", "=", "companies.id");
      return where.or([
        where("companies.state", "!=", "live"),
        where.exists(collections.where("collections.state", "!=", "paid-out")),
        where.not(where.exists(collections.where("collections.dueAt", ">", after(now, -NEARLY_A_YEAR_IN_MS)))),
      ]);
    })
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
