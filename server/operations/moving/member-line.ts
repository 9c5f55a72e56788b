import { readHash } from "../../members/accounts/password-forms.ts";
import { checkName, cleanName, NAME_MAX_LENGTH } from "../../members/accounts/profile-fields.ts";
import { cleanEmail, isEmail } from "../../platform/email-address.ts";
import { parseDay } from "../acts/fields.ts";
import { toCodeKey } from "../../money/companies/labels.ts";
import { readEntities } from "../../content/items/entities.ts";
import type { AccountType } from "../../platform/database/schema.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { listPlans, type Plan, type PlanType } from "../../money/membership/plans.ts";
import { cleanText, tidyCode } from "../../platform/text.ts";

/** A member of another product, from a line of a file or from a shop. */
export type ForeignMember = {
  email: string;
  firstName: string;
  lastName: string;
  /** Only a checkable hash. Without one the member chooses a new password. */
  passwordHash: string | undefined;
  accountType: AccountType;
  term: ForeignTerm | undefined;
  code: string | undefined;
  /** Numbers of items, or keys such as `read-1001`. */
  favourites: string[];
  joinedAt: Date | undefined;
};

export type ForeignTerm = { planType: PlanType; startsAt: Date; endsAt: Date };

/** The heading that we write, then others that we read. Capitals, spaces and punctuation are ignored. */
export const columns = {
  email: ["email", "address", "email address", "user_email"],
  firstName: ["first_name", "first name"],
  lastName: ["surname", "last_name", "last name"],
  name: ["name", "display_name"],
  password: ["password_hash", "user_pass", "hash"],
  type: ["type", "account_type"],
  plan: ["plan", "membership", "variation_id"],
  start: ["start", "start_date", "startdate"],
  end: ["end", "end_date", "expires", "enddate"],
  code: ["code", "coupon"],
  favourites: ["favourites", "favorites"],
  joined: ["joined", "created_at", "user_registered"],
} satisfies Record<string, string[]>;

export type ColumnName = keyof typeof columns;

export type Heading = { places: Partial<Record<ColumnName, number>>; width: number; ignored: string[] };

const columnsByHeading = new Map(
  Object.entries(columns).flatMap(([column, headings]) =>
    headings.map((heading): [string, ColumnName] => [toPlainHeading(heading), column as ColumnName]),
  ),
);

export function countKnownHeadings(cells: string[]): number {
  return cells.filter((cell) => columnsByHeading.has(toPlainHeading(cell))).length;
}

/** The first line must name a column of addresses, and no column twice. */
export function readHeading(cells: string[]): Heading | { refusal: string } {
  const places: Heading["places"] = {};
  const ignored: string[] = [];
  for (const [place, cell] of cells.entries()) {
    const column = columnsByHeading.get(toPlainHeading(cell));
    if (!column) ignored.push(cleanText(cell) || "(no heading)");
    else if (places[column] !== undefined) return { refusal: `The heading has two columns for ${columns[column][0]}.` };
    else places[column] = place;
  }
  if (places.email === undefined) {
    return {
      refusal: `The first line must name the columns, and one of them must be email. It has: ${cells.join(", ")}.`,
    };
  }
  return { places, width: cells.length, ignored };
}

function toPlainHeading(text: string): string {
  return cleanText(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}

export type Defaults = { plan?: Plan | undefined; endsAt?: Date | undefined };

/** Caught in this file: why a line is refused, in a sentence. */
class LineRefusal extends Error {}

export function readLine(
  cells: string[],
  { places, width }: Pick<Heading, "places" | "width">,
  defaults: Defaults = {},
): { ok: true; member: ForeignMember } | { ok: false; refusal: string } {
  try {
    if (cells.length !== width) {
      throw new LineRefusal(`It has ${cells.length} cells, but the heading has ${width}.`);
    }
    const read = (column: ColumnName) => {
      const place = places[column];
      return place === undefined ? "" : withoutMark(cells[place] ?? "");
    };
    return { ok: true, member: toMember(read, defaults) };
  } catch (error) {
    if (error instanceof LineRefusal) return { ok: false, refusal: error.message };
    throw error;
  }
}

/** Undoes the mark by which `toCsv` keeps a spreadsheet from reading a formula. */
function withoutMark(cell: string): string {
  if (cell.includes("\uFFFD")) throw new LineRefusal("It isn't in UTF-8.");
  return /^'[\s\p{C}]*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20|%\t\r\n]/u.test(cell) ? cell.slice(1) : cell;
}

function toMember(read: (column: ColumnName) => string, defaults: Defaults): ForeignMember {
  const email = cleanEmail(read("email"));
  if (email === "") throw new LineRefusal("It has no email address.");
  if (!isEmail(email)) throw new LineRefusal(`“${email}” isn't an email address.`);
  const code = tidyCode(read("code")) || undefined;
  if (code !== undefined && toCodeKey(code) === undefined) throw new LineRefusal(`“${code}” can't be a code.`);
  return {
    email,
    ...readNames(read),
    passwordHash: readPassword(read("password")),
    accountType: readType(read("type"), code),
    term: readTerm(read, defaults),
    code,
    favourites: read("favourites")
      .split(/[\s,;|]+/)
      .filter((text) => text !== ""),
    joinedAt: readInstant(read("joined"), "first", "joined"),
  };
}

function readNames(read: (column: ColumnName) => string): Pick<ForeignMember, "firstName" | "lastName"> {
  const readName = (column: ColumnName) => cleanName(readEntities(read(column)));
  const [first = "", ...rest] = readName("name").split(" ");
  const names = { firstName: readName("firstName") || first, lastName: readName("lastName") || rest.join(" ") };
  for (const name of Object.values(names)) {
    if (checkName(name) === "long") throw new LineRefusal(`A name has more than ${NAME_MAX_LENGTH} characters.`);
  }
  return names;
}

/** An unknown form of hash counts as missing. */
function readPassword(text: string): string | undefined {
  const stored = text.trim();
  const hash = readHash(stored);
  if (hash.ok) return stored;
  if (hash.reason === "costly")
    throw new LineRefusal(
      "Its password hash takes too long to check. Empty its cell, and the member chooses a new password.",
    );
  return undefined;
}

function readType(text: string, code: string | undefined): AccountType {
  const type = cleanText(text).toLowerCase() || (code === undefined ? "individual" : "corporate");
  if (type !== "individual" && type !== "corporate") {
    throw new LineRefusal(`The type must be individual or corporate, not “${type}”.`);
  }
  if (type === "individual" && code !== undefined) throw new LineRefusal("Only a corporate member can have a code.");
  return type;
}

/** From the plan with its start or its end, or with both. */
function readTerm(read: (column: ColumnName) => string, defaults: Defaults): ForeignTerm | undefined {
  const plan = readPlan(read("plan")) ?? defaults.plan;
  const start = readInstant(read("start"), "first", "start");
  const end = readInstant(read("end"), "last", "end") ?? defaults.endsAt;
  if (!plan) {
    if (start ?? end) throw new LineRefusal("It has dates but no plan.");
    return undefined;
  }
  const startsAt = start ?? (end && addMonths(end, -plan.months));
  const endsAt = end ?? (start && addMonths(start, plan.months));
  if (!startsAt || !endsAt) throw new LineRefusal("It has a plan but no start or end date.");
  if (startsAt >= endsAt) throw new LineRefusal("Its term ends before it starts.");
  return { planType: plan.type, startsAt, endsAt };
}

/** By label, months in words, type or variation; `undefined` for an empty text. */
function readPlan(text: string): Plan | undefined {
  const wanted = cleanText(text).toLowerCase();
  if (wanted === "") return undefined;
  const plan = findForeignPlan(wanted);
  if (plan) return plan;
  const known = listPlans().map(({ label }) => label);
  throw new LineRefusal(`“${cleanText(text)}” isn't a plan. The plans are ${known.join(", ")}.`);
}

export function findForeignPlan(wanted: string): Plan | undefined {
  return listPlans().find(({ label, periodText, type, variationId }) =>
    [label.toLowerCase(), periodText, String(type), String(variationId)].includes(wanted.toLowerCase()),
  );
}

const EMPTY_DATES = /^(?:0000-00-00(?:[ T]00:00:00)?|never|null|\\N)?$/i;
const INSTANT = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:?\d\d)?$/;
/** Texts of instants sort as they read while years have four digits. */
const LAST_YEAR = 2999;

/** A day in London (31/01/2027, 2027-01-31), or an instant, which without a zone is in UTC. */
function readInstant(text: string, edge: "first" | "last", name: string): Date | undefined {
  const trimmed = text.trim();
  if (EMPTY_DATES.test(trimmed)) return undefined;
  const [, day, time, zone = "Z"] = INSTANT.exec(trimmed) ?? [];
  const instant = day === undefined ? parseDay(trimmed, edge) : toRealInstant(day, `${time}${zone}`);
  if (!instant || instant.getUTCFullYear() > LAST_YEAR) {
    throw new LineRefusal(`“${trimmed}” isn't a day for ${name}. Write it like 2027-01-31.`);
  }
  return instant;
}

function toRealInstant(day: string, time: string): Date | undefined {
  const instant = new Date(`${day}T${time}`);
  return Number.isNaN(instant.getTime()) || !parseDay(day, "first") ? undefined : instant;
}
