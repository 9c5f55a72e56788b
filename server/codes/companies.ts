import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Notice } from "../notices/notices.ts";
import type { DebitGateway } from "../payments/debit-gateway.ts";
import { openFlow, type AgreementLinks, type OpenFlowResult } from "./agreement.ts";
import type { Codes } from "./codes.ts";
import {
  findCompany,
  findCompanyRow,
  listCompanies,
  toDetails,
  type Company,
  type CompanyDetails,
} from "./company-rows.ts";
import { insertCompany, refuseNewCompany, type NewCompany, type NewCompanyRefusal } from "./new-company.ts";
import { createStanding } from "./standing.ts";
import type { CompanyLetters } from "./take-in.ts";
import { createUpkeep } from "./upkeep.ts";

/**
 * The companies that pay for their people, once a year by Direct Debit. A company's code lets people join from the moment it has
 * agreed to be collected from (the money comes three working days later), until fourteen days after that has come to nothing.
 */
export type Companies = {
  /**
   * Adds a company and its code, then asks the gateway for the page on which it agrees. Throws when the gateway cannot be asked:
   * company and code are there then, and `openFlow` goes on from there.
   */
  create(company: NewCompany, links: AgreementLinks): Promise<CreateCompanyResult>;
  /** A page to agree on, for a company that has not agreed yet or whose agreement has come to nothing. Throws like `create`. */
  openFlow(companyId: number, links: AgreementLinks): Promise<OpenFlowResult>;
  /**
   * Asks the gateway how the company that a notice is about stands now. What the notice says itself is not believed, so order and
   * repeats do not matter. Answers whether it is about one of ours. Throws when the gateway cannot be asked: try it again.
   */
  handleNotice(notice: Pick<Notice, "kind" | "subject">): Promise<boolean>;
  /** Ends grace that is over, collects what is due, and looks after whatever is not settled. What fails for one company is logged. */
  upkeep(): Promise<void>;
  /** By name. */
  list(): Promise<Company[]>;
  find(nameOrId: string): Promise<CompanyDetails | undefined>;
};

export type CreateCompanyResult =
  | { ok: true; company: CompanyDetails; code: string; authorisationUrl: string; expiresAt: Date }
  | { ok: false; reason: NewCompanyRefusal };

type CompaniesRooms = {
  db: Queries;
  clock: Clock;
  gateway: DebitGateway;
  codes: Codes;
  log: Log;
  /** What stands on the company's bank statement. */
  productName?: string;
  tell?: CompanyLetters;
};

export function createCompanies(rooms: CompaniesRooms): Companies {
  const { db, clock, gateway, codes, log, productName = "Dormouse", tell } = rooms;
  const standing = createStanding({ db, clock, gateway, log, productName, tell });
  const open = (companyId: number, links: AgreementLinks) => openFlow(companyId, links, { db, gateway, standing });

  return {
    async create(wanted, links) {
      const refusal = refuseNewCompany(wanted);
      if (refusal) return { ok: false, reason: refusal };
      const added = await db.transaction().execute((trx) => add(wanted, trx));
      if (!added.ok) return added;
      const flow = await open(added.companyId, links);
      if (!flow.ok) throw new Error(`Company ${added.companyId} has agreed before it was asked`);
      const row = await findCompanyRow(added.companyId, db);
      if (!row) throw new Error(`Company ${added.companyId} has disappeared`);
      const company = await toDetails(row, { db, now: clock() });
      return { ...flow, company, code: company.code };
    },

    openFlow: open,

    async handleNotice(notice) {
      const companyId = await findSubject(notice, db);
      if (companyId === undefined) return false;
      await standing.settle(companyId, notice.subject);
      return true;
    },

    upkeep: createUpkeep({ db, clock, log, standing }),
    list: () => listCompanies(db, clock()),
    find: (nameOrId) => findCompany(nameOrId, { db, now: clock() }),
  };

  /** Company and code come together or not at all. */
  async function add(wanted: NewCompany, trx: Queries): Promise<Added> {
    const companyId = await insertCompany(wanted, { trx, now: clock() });
    if (companyId === undefined) return { ok: false, reason: "name-taken" };
    const added = await codes.create({ code: wanted.code, seats: wanted.accounts, companyId }, trx);
    if (added.ok) return { ok: true, companyId };
    await trx.deleteFrom("companies").where("id", "=", companyId).execute();
    return added;
  }
}

type Added = { ok: true; companyId: number } | { ok: false; reason: NewCompanyRefusal };

/** Which company a notice is about. What we have not noted yet, upkeep meets again. */
async function findSubject({ kind, subject }: Pick<Notice, "kind" | "subject">, db: Queries) {
  const companies = db.selectFrom("companies").select("id");
  if (kind === "mandate") return (await companies.where("mandate_id", "=", subject).executeTakeFirst())?.id;
  if (kind === "billing-request") {
    return (await companies.where("billing_request_id", "=", subject).executeTakeFirst())?.id;
  }
  if (kind !== "debit") return undefined;
  const collections = db.selectFrom("collections").select("company_id").where("gateway_id", "=", subject);
  return (await collections.executeTakeFirst())?.company_id;
}
