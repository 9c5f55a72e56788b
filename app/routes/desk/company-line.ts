import { href } from "react-router";

import type { Company } from "../../../server/codes/company.ts";
import { companyLabels } from "../../../server/codes/rules.ts";
import { formatDate, formatPenceInFull } from "../../../server/format.ts";

/** A company as the list and its own screen show it. */
export function toCompanyLine({ id, name, state, code, seatsTaken, accounts, priceInPence, liveSince }: Company) {
  return {
    path: href("/desk/companies/:id", { id: String(id) }),
    name,
    state: companyLabels[state],
    code: { text: code, path: href("/desk/codes/:code", { code }) },
    seats: `${seatsTaken} of ${accounts}`,
    price: formatPenceInFull(priceInPence),
    liveSince: liveSince && formatDate(liveSince),
  };
}
