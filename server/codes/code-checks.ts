import { formatDate } from "../format.ts";
import { isAnySold } from "../membership/plans.ts";
import { stateAt, type CompanyStanding } from "./company-states.ts";

/** Why nobody can join by a code now. `stopped` and `setting-up` are its company's. */
export type CodeFault = "not-started" | "ended" | "revoked" | "full" | "stopped" | "setting-up" | "not-sold";

/** What decides whether a code is good. */
export type CodeFacts = {
  products: number[];
  seats: number;
  seatsTaken: number;
  startsAt: Date;
  endsAt: Date | undefined;
  revokedAt: Date | undefined;
  company: CompanyStanding | undefined;
};

/** The first thing that is wrong with a code at an instant; what more seats would not mend comes before `full`. */
export function findFault(facts: CodeFacts, now: Date): CodeFault | undefined {
  if (!isAnySold(facts.products)) return "not-sold";
  if (facts.revokedAt) return "revoked";
  if (now < facts.startsAt) return "not-started";
  if (facts.endsAt && now >= facts.endsAt) return "ended";
  const company = facts.company && stateAt(facts.company, now);
  if (company === "setting-up" || company === "stopped") return company;
  return facts.seatsTaken < facts.seats ? undefined : "full";
}

/**
 * What a visitor is told, with what to do about it (spec, section 5). They cannot mend a code: their employer can. How their
 * employer pays is not for them to read.
 */
export function toSentence(fault: CodeFault, { startsAt, endsAt }: CodeFacts): string {
  switch (fault) {
    case "not-started":
      return `This code can be used from ${formatDate(startsAt)}. If you think it should work now, ask whoever gave you the code.`;
    case "ended":
      return `This code ended${endsAt ? ` on ${formatDate(endsAt)}` : ""}. Please ask whoever gave you the code for a new one.`;
    case "revoked":
      return "This code is no longer in use. Please ask whoever gave you the code for a new one.";
    case "full":
      return "Every place on this code is taken. Please ask whoever gave you the code for another one.";
    case "stopped":
      return "This code cannot be used at the moment. Please ask whoever gave you the code.";
    case "setting-up":
      return "This code is not ready yet. Please try again in a few days, or ask whoever gave you the code.";
    case "not-sold":
      return NOT_SOLD_SENTENCE;
  }
}

export const UNKNOWN_SENTENCE =
  "We do not know this code. Please check it letter by letter, or ask whoever gave you the code.";
export const NOT_SOLD_SENTENCE = "This code is for something else. Please ask whoever gave you the code.";
export const EMPTY_SENTENCE = "Please enter the code from your employer. If you have none, ask them for it.";
