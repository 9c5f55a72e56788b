import { actionText, listActions } from "../../../server/operations/acts/acts.ts";
import { toSpan } from "../../../server/operations/figures/days.ts";
import type { AuditEntry, AuditFilter } from "../../../server/platform/audit/audit.ts";
import { authors, authorText, factsText } from "../../../server/platform/audit/labels.ts";
import { formatDateTime } from "../../../server/platform/format.ts";
import type { Services } from "../../../server/services.ts";
import { toCount } from "../../../server/platform/count.ts";
import { memberPath } from "./parts/paths.ts";

/** As an address has it; empty for all. */
export type AuditQuery = { by: string; act: string; member: string; from: string; to: string };

export type AuditErrors = Partial<Record<"member" | "from" | "to", string>>;

const MOST_LETTERS = 254;

export function readAuditQuery(params: URLSearchParams): AuditQuery {
  const read = (name: string) => (params.get(name) ?? "").trim().slice(0, MOST_LETTERS);
  return { by: read("by"), act: read("act"), member: read("member"), from: read("from"), to: read("to") };
}

type Found = { filter: AuditFilter; errors: AuditErrors };

/** With errors the filter is incomplete: do not query the log by it. */
export async function toAuditFilter({ accounts, dashboards }: Services, query: AuditQuery): Promise<Found> {
  const { by, act, member, from, to } = query;
  const [fromSpan, toSpanOfDay] = [from, to].map(readDay);
  const errors: AuditErrors = {
    ...(fromSpan === "wrong" && { from: WRONG_DAY }),
    ...(toSpanOfDay === "wrong" && { to: WRONG_DAY }),
  };
  const span = {
    from: typeof fromSpan === "object" ? fromSpan.from : undefined,
    to: typeof toSpanOfDay === "object" ? toSpanOfDay.to : undefined,
  };
  if (span.from && span.to && span.from >= span.to) errors.to = "Choose a day that isn't before the first day.";
  const memberId = member === "" ? undefined : await findMember(accounts, member);
  if (member !== "" && memberId === undefined) errors.member = "No member has this number or email.";
  const filter = {
    operator:
      by === "" ? undefined : by === authorText(authors.gateway, dashboards.cards?.title) ? authors.gateway : by,
    action: act === "" ? undefined : act,
    memberId,
    span,
  };
  return { filter, errors };
}

const WRONG_DAY = "Enter a day such as 2026-11-20.";

function readDay(text: string) {
  if (text === "") return undefined;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDay ? toSpan(text) : ("wrong" as const);
}

/** The number may belong to an erased member: the log outlives them. */
async function findMember(accounts: Services["accounts"], text: string): Promise<number | undefined> {
  return toCount(text) ?? (await accounts.findByEmail(text))?.id;
}

/** Includes the act in the address, even one of an older version. */
export function listActOptions({ act }: AuditQuery): { value: string; label: string }[] {
  const options = listActions().map(({ action, text }) => ({ value: action, label: text }));
  const isKnown = act === "" || options.some(({ value }) => value === act);
  return [{ value: "", label: "All" }, ...options, ...(isKnown ? [] : [{ value: act, label: actionText(act) }])];
}

/** Suggestions. Users of commands are in the log, too. */
export async function listAuthors({ operators, dashboards }: Services): Promise<string[]> {
  const listed = await operators.list();
  return [...listed.map(({ email }) => email), authors.member, authorText(authors.gateway, dashboards.cards?.title)];
}

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
    member: memberId === undefined ? undefined : { id: memberId, path: memberPath(memberId) },
  };
}
