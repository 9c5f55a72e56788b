import { formatDateTime, formatPenceInFull } from "../format.ts";

/**
 * The lines of the audit log that are no act's, or that an act writes under another name than its own, in words. An act's own words
 * stand with it (`server/acts`). The keys are what the database and exports hold; one that is missing here does not compile.
 */
const actions = {
  "member erase": "Erased the member",
  "members import": "Brought members from elsewhere",
  "members file": "Sent a file of members",
  "members export": "Exported all members",
  "subscription end": "Ended the subscription over the API",
  "order refund": "Gave an order back",
  "order cancel": "Cancelled an order within 14 days",
  "order part refund": "Gave a part of an order back",
  "dispute open": "A bank disputes a charge",
  "dispute won": "A dispute was won",
  "dispute lost": "A dispute was lost",
  "mail test": "Sent a test email",
  "company contact removed": "Removed a company's contact",
  "code seat freed": "Freed a seat",
  "desk log-in": "Logged in to the desk",
  "desk invitation accepted": "Accepted an invitation to the desk",
  "desk passkey added": "Added a passkey",
  "desk passkey removed": "Removed a passkey",
  "desk recovery codes": "Made new recovery codes",
  "desk sessions ended": "Ended other sessions at the desk",
  "database restore": "Restored the database from a backup",
  "database move": "Moved the database to PostgreSQL",
};

export type AuditAction = keyof typeof actions;

/** An action in words. One of an older version stays as it was recorded. */
export function actionText(action: string): string {
  return Object.hasOwn(actions, action) ? actions[action as AuditAction] : action;
}

/** Numbers, names of things, dates as text. Never personal data: an erased member must be gone from here too. */
export type Facts = { [name: string]: Fact };

type Fact = string | number | boolean | null | Fact[] | Facts;

/** Labels that differ from the name of the fact. */
const labels: Record<string, string> = {
  by: "with",
  change: "access",
  draft: "sign-up",
  endsAt: "until",
  eraseAt: "erased on",
  ended: "sessions ended",
  isRevoked: "term ended",
  leftOut: "items left out",
  mail: "email",
  newStatus: "status",
  resent: "emails tried again",
  sessions: "sessions ended",
  acknowledged: "failures noted",
  terms: "terms ended",
  webhook: "webhook event",
};

/** The facts of an action, such as "Receipt: D-2026-000042, amount: £60.00, ended: yes"; empty without facts. */
export function factsText(facts: Facts): string {
  const parts = Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${factLabel(name)}: ${valueText(name, value)}`);
  const text = parts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `isMailed` is "mailed" and `eraseAt` is "erase at", where the table has no better word. */
function factLabel(name: string): string {
  if (Object.hasOwn(labels, name)) return labels[name] ?? name;
  return name
    .replace(/^is(?=[A-Z])|InPence$/g, "")
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function valueText(name: string, value: Fact): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return name.endsWith("InPence") ? formatPenceInFull(value) : String(value);
  if (typeof value === "string") return instant.test(value) ? formatDateTime(new Date(value)) : value;
  if (value === null) return "none";
  if (Array.isArray(value)) return value.map((each) => valueText(name, each)).join(" and ");
  return `(${factsText(value)})`;
}
