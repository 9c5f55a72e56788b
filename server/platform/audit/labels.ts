import { formatDateTime, formatPenceInFull } from "../format.ts";

/**
 * Actions that no act records under its own name. Databases and exports hold these keys; a missing one does not
 * compile.
 */
const actions = {
  "member erase": "Erased the member",
  "member password off": "Turned the password off",
  "member password on": "Turned the password on again",
  "members import": "Imported members",
  "members file": "Uploaded a file of members",
  "members export": "Exported all members",
  "subscription end": "Ended the subscription over the API",
  "order refund": "Refunded an order",
  "order cancel": "Cancelled an order within 14 days",
  "order part refund": "Refunded part of an order",
  "gift end": "Ended a gift whose money went back",
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
  "desk sessions ended": "Logged out everywhere else",
  "database restore": "Restored the database from a backup",
  "database move": "Moved the database to PostgreSQL",
};

export type AuditAction = keyof typeof actions;

export const otherActions = Object.keys(actions) as AuditAction[];

/** An action of an older version stays as it was recorded. */
export function actionText(action: string): string {
  return Object.hasOwn(actions, action) ? actions[action as AuditAction] : action;
}

/** Authors who are no operators, as entries have them. */
export const authors = { gateway: "handle-webhooks", member: "the member" };

/** `gateway`: as operators call the card gateway. */
export function authorText(author: string, gateway = "The card gateway"): string {
  return author === authors.gateway ? gateway : author;
}

/** Numbers, names of things, dates as text. Never personal data: an erased member must be gone from here too. */
export type Facts = { [name: string]: Fact };

type Fact = string | number | boolean | null | Fact[] | Facts;

/**
 * A sentence for each fact, with `{}` for its value, or one for yes and one for no; other facts show name and value.
 */
const sentences: Record<string, string | { yes: string; no: string }> = {
  acknowledged: "Failures dismissed: {}",
  amountInPence: "{}",
  by: "With {}",
  change: "Access: {}",
  draft: "Sign-up {}",
  endsAt: "Until {}",
  eraseAt: "Erased on {}",
  ended: "Sessions ended: {}",
  isEnded: { yes: "Access ended", no: "Access continues" },
  isMailboxLost: { yes: "The old address is lost", no: "The old address is still in use" },
  isMailed: { yes: "An email went out", no: "No email went out" },
  isRehearsal: { yes: "Only a rehearsal", no: "Not a rehearsal" },
  isRevoked: { yes: "The term ended", no: "No term ended" },
  isSent: { yes: "The email was sent", no: "The email could not be sent" },
  leftOut: "Items left out: {}",
  mail: "Email {}",
  newStatus: "The status is {}",
  resent: "Emails tried again: {}",
  seat: "Seat on {}",
  sessions: "Sessions ended: {}",
  terms: "Terms ended: {}",
  webhook: "Webhook event {}",
};

const things = new Set([
  "code",
  "company",
  "contact",
  "dispute",
  "file",
  "gift",
  "job",
  "list",
  "note",
  "operator",
  "order",
  "receipt",
]);

/** A sentence a fact: "Order 3. Receipt D-2026-000042. £60.00. The access ended." */
export function factsText(facts: Facts): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${factText(name, value)}.`)
    .join(" ");
}

function factText(name: string, value: Fact): string {
  const sentence = Object.hasOwn(sentences, name) ? sentences[name] : undefined;
  if (typeof sentence === "object" && typeof value === "boolean") return value ? sentence.yes : sentence.no;
  const text = valueText(name, value);
  if (typeof sentence === "string") return sentence.replace("{}", () => text);
  const label = factLabel(name);
  return label.charAt(0).toUpperCase() + label.slice(1) + (things.has(name) ? ` ${text}` : `: ${text}`);
}

function factLabel(name: string): string {
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
  return `(${factsText(value).slice(0, -1)})`;
}
