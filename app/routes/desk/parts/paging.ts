import { href } from "react-router";

import type { CodeView } from "../../../../server/money/companies/code.ts";
import type { Company } from "../../../../server/money/companies/company.ts";
import { companyLabels, faultLabels, worksText } from "../../../../server/money/companies/labels.ts";
import { formatDate, formatPenceInFull } from "../../../../server/platform/format.ts";
import { toCount } from "../../../../server/platform/count.ts";
import type { StateText, Tone } from "./pill.tsx";

export const PAGE_SIZE = 50;
/** One more than a page shows, to know whether another follows. */
export const READ_SIZE = PAGE_SIZE + 1;

/** `found` has up to `READ_SIZE` rows. */
export function cutPage<Row>(found: Row[], pathAfter: (last: Row) => string): { shown: Row[]; nextPath?: string } {
  const shown = found.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  return found.length > PAGE_SIZE && last !== undefined ? { shown, nextPath: pathAfter(last) } : { shown };
}

/** `undefined` for anything but a number. */
export function readNumber(params: URLSearchParams, name: string): number | undefined {
  return toCount(params.get(name) ?? "");
}

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
    path: href("/desk/companies/:id", { id: String(id) }),
    name,
    state: { text: companyLabels[state], tone: companyTones[state] },
    code: { text: code, path: href("/desk/codes/:code", { code }) },
    seats: `${seatsTaken} of ${accounts}`,
    price: formatPenceInFull(priceInPence),
    liveSince: liveSince && formatDate(liveSince),
  };
}

export function toCodeLine(view: CodeView) {
  const { code, fault, seats, seatsTaken, startsAt, endsAt, company } = view;
  return {
    code,
    path: href("/desk/codes/:code", { code }),
    works: worksText(fault),
    state: toCodeState(view),
    seats: `${seatsTaken} of ${seats}`,
    from: formatDate(startsAt),
    until: endsAt ? formatDate(endsAt) : "for good",
    company: company && { name: company.name, path: href("/desk/companies/:id", { id: String(company.id) }) },
  };
}
