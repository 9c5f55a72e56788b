import { type Section, sectionNames, sections } from "../../../../server/content/catalogue/kinds.ts";
import { defaultAuthor } from "../../../../server/content/catalogue/item-facts.ts";
import { formatList, formatPence } from "../../../../server/platform/format.ts";
import type { Plan } from "../../../../server/money/membership/plans.ts";
import type { Services } from "../../../../server/services.ts";

export type WelcomeScreen = ReturnType<typeof toWelcomeScreen>;

const TOPIC_COUNT = 6;

/** Contents and plans in numbers, without items; none of a catalogue that was not read yet. */
export function toWelcomeScreen({ catalogue, cardFields, plans, product }: Services) {
  const { counts, topics, authors } = catalogue.overview();
  const shown = sectionNames.filter((section) => counts[section] > 0);
  return {
    name: "welcome" as const,
    amounts: shown.map((section) => toAmount(section, counts[section])),
    topics: topics.slice(0, TOPIC_COUNT),
    authors: authorsText(authors, product.name),
    /** Missing where no card can be taken: a company pays for everyone then. */
    price: cardFields.kind === "none" ? undefined : welcomePriceText(plans),
  };
}

function toAmount(section: Section, count: number) {
  const { one, many } = sections[section];
  return { section, count: count.toLocaleString("en-GB"), noun: count === 1 ? one.toLowerCase() : many };
}

const NAMED_AUTHORS = 2;

/** "the Dormouse Team,", "Ann Lee and Tom Hart,", "Ann Lee, Tom Hart and 5 others,"; "people" without authors. */
export function authorsText(authors: string[], productName: string): string {
  const team = defaultAuthor(productName);
  const names = authors.map((author) => (author === team ? `the ${team}` : author));
  const others = names.length - NAMED_AUTHORS;
  const named = others > 1 ? [...names.slice(0, NAMED_AUTHORS), `${others} others`] : names;
  return named.length > 0 ? `${formatList(named)},` : "people";
}

/** The shortest plan, and a cheaper one by the month: "£15 a month, from £5 a month for a year". */
export function welcomePriceText(plans: Plan[]): string | undefined {
  const [shortest] = plans.toSorted((a, b) => a.months - b.months);
  const [cheapest] = plans.toSorted((a, b) => a.monthlyPriceInPence - b.monthlyPriceInPence);
  if (!shortest || !cheapest) return undefined;
  const first = shortest.months === 1 ? monthText(shortest) : monthForTermText(shortest);
  return shortest === cheapest ? first : `${first}, from ${monthForTermText(cheapest)}`;
}

function monthText({ monthlyPriceInPence }: Plan): string {
  return `${formatPence(monthlyPriceInPence)} a month`;
}

function monthForTermText(plan: Plan): string {
  return `${monthText(plan)} for ${plan.months === 12 ? "a year" : plan.periodText}`;
}
