import { formatDate } from "../format.ts";
import { isAnySold } from "../membership/plans.ts";
import { stateAt, type CompanyStanding } from "./company-states.ts";
import { codes } from "../refusals.ts";

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

const words = codes.ours;

/** What a visitor is told, with what to do about it (spec, section 5). */
export function toSentence(fault: CodeFault, { startsAt, endsAt }: CodeFacts): string {
  switch (fault) {
    case "not-started":
      return words["not-started"](formatDate(startsAt));
    case "ended":
      return endsAt ? words.ended(formatDate(endsAt)) : words.revoked;
    case "revoked":
    case "full":
    case "stopped":
    case "setting-up":
    case "not-sold":
      return words[fault];
  }
}
