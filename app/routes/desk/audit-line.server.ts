import { href } from "react-router";

import { actionText } from "../../../server/operations/acts/acts.ts";
import type { AuditEntry } from "../../../server/platform/audit/audit.ts";
import { authorText, factsText } from "../../../server/platform/audit/labels.ts";
import { formatDateTime } from "../../../server/platform/format.ts";

export type AuditLine = ReturnType<typeof toAuditLine>;

/** `gateway`: as operators call the card gateway. */
export function toAuditLine({ id, at, operator, reason, memberId, action, facts }: AuditEntry, gateway?: string) {
  return {
    id,
    at: formatDateTime(at),
    operator: authorText(operator, gateway),
    action: actionText(action),
    about: factsText(facts),
    reason,
    member:
      memberId === undefined ? undefined : { id: memberId, path: href("/desk/members/:id", { id: String(memberId) }) },
  };
}
