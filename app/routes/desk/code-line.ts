import { href } from "react-router";

import type { CodeView } from "../../../server/codes/code.ts";
import { faultLabels } from "../../../server/codes/rules.ts";
import { formatDate } from "../../../server/format.ts";

/** A code as the list and its own screen show it. */
export function toCodeLine(view: CodeView) {
  const { code, fault, seats, seatsTaken, startsAt, endsAt, company } = view;
  return {
    code,
    path: href("/desk/codes/:code", { code }),
    works: fault ? `no: ${faultLabels[fault]}` : "yes",
    seats: `${seatsTaken} of ${seats}`,
    from: formatDate(startsAt),
    until: endsAt ? formatDate(endsAt) : "for good",
    company: company && { name: company.name, path: href("/desk/companies/:id", { id: String(company.id) }) },
  };
}
