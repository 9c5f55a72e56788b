import type { CodeView } from "../../../../server/money/companies/code.ts";
import type { Company } from "../../../../server/money/companies/company.ts";
import { companyLabels, faultLabels, worksText } from "../../../../server/money/companies/labels.ts";
import { formatDate, formatPenceInFull } from "../../../../server/platform/format.ts";
import { codePath, companyPath } from "./paths.ts";
import type { StateText, Tone } from "./pill.tsx";

/** Companies and their codes, as lists and their own screens show them. */

const companyTones: Record<Company["state"], Tone> = {
  "setting-up": "waits",
  live: "good",
  grace: "bad",
  stopped: "bad",
};

const faultTones: Partial<Record<NonNullable<CodeView["fault"]>, Tone>> = {
  "not-started": "waits",
  "setting-up": "waits",
  full: "bad",
  stopped: "bad",
};

function toCodeState({ fault }: CodeView): StateText {
  return fault ? { text: faultLabels[fault], tone: faultTones[fault] ?? "plain" } : { text: "works", tone: "good" };
}

export function toCompanyLine({ id, name, state, code, seatsTaken, accounts, priceInPence, liveSince }: Company) {
  return {
    path: companyPath(id),
    name,
    state: { text: companyLabels[state], tone: companyTones[state] },
    code: { text: code, path: codePath(code) },
    seats: `${seatsTaken} of ${accounts}`,
    price: formatPenceInFull(priceInPence),
    liveSince: liveSince && formatDate(liveSince),
  };
}

export function toCodeLine(view: CodeView) {
  const { code, fault, seats, seatsTaken, startsAt, endsAt, company } = view;
  return {
    code,
    path: codePath(code),
    works: worksText(fault),
    state: toCodeState(view),
    seats: `${seatsTaken} of ${seats}`,
    from: formatDate(startsAt),
    until: endsAt ? formatDate(endsAt) : "for good",
    company: company && { name: company.name, path: companyPath(company.id) },
  };
}
