import type { Collection } from "../codes/collections.ts";
import type { Company } from "../codes/company-rows.ts";
import type { CompanyState } from "../codes/company-states.ts";
import { formatPenceInFull } from "../format.ts";
import { printInstant } from "./print-instant.ts";
import { printFacts, type Cell } from "./print-table.ts";

/** How a company stands, in an operator's words. */
export const companyWords: Record<CompanyState, string> = {
  "setting-up": "has not agreed yet",
  live: "live",
  grace: "in grace",
  stopped: "stopped",
};

export const collectionWords: Record<Collection["state"], string> = {
  due: "to be collected",
  again: "to be collected again",
  pending: "on its way",
  confirmed: "collected",
  "paid-out": "paid out",
  failed: "failed",
  "charged-back": "claimed back",
  cancelled: "cancelled",
};

/** A company, with more facts about it if there are any. */
export function describeCompany(company: Company, more: [string, Cell][] = []): string {
  return printFacts([
    ["Company", company.name],
    ["Number", company.id],
    ["State", companyWords[company.state]],
    ["Code", company.code],
    ["Seats taken", `${company.seatsTaken} of ${company.accounts}`],
    ["Price a year", formatPenceInFull(company.priceInPence)],
    ["Contact", company.contactEmail],
    ["Live since", printInstant(company.liveSince)],
    ["Grace ends", printInstant(company.graceEndsAt)],
    ...more,
  ]);
}

export function companyJson(company: Company) {
  const { id, name, contactEmail, state, code, accounts, seatsTaken, priceInPence } = company;
  const { liveSince, graceEndsAt, createdAt } = company;
  const dates = { liveSince, graceEndsAt, createdAt };
  return { id, name, contactEmail, state, code, accounts, seatsTaken, priceInPence, ...dates };
}
