import { type Section, sectionNames, sections } from "../../../../server/content/items/kinds.ts";
import { defaultAuthor } from "../../../../server/content/items/item-facts.ts";
import { formatList, formatPence } from "../../../../server/platform/format.ts";
import type { Plan } from "../../../../server/money/membership/plans.ts";
import type { Services } from "../../../../server/services.ts";
import { giveText } from "../give/gift-texts.ts";

export type WelcomeScreen = ReturnType<typeof toWelcomeScreen>;

const TOPIC_COUNT = 6;

/** Contents and plans in numbers, without items; none of a catalogue that was not read yet. */
export function toWelcomeScreen({ catalogue, cardFields, gifts, plans, product }: Services) {
  const { counts, topics, authors } = catalogue.overview();
  const shown = sectionNames.filter((section) => counts[section] > 0);
  return {
    name: "welcome" as const,
    amounts: shown.map((section) => toAmount(section, counts[section])),
    topics: topics.slice(0, TOPIC_COUNT),
    authors: authorsText(authors, product.name),
    /** Missing where no card can be taken: a company pays for everyone then. */
    price: cardFields.kind === "none" ? undefined : welcomePriceText(plans),
    give: gifts.isOffered && cardFields.kind !== "none" ? giveText(plans, product.name) : undefined,
  };
}

function toAmount(section: Section, count: number) {
  const { one, many } = sections[section];
  return { section, count: count.toLocaleString("en-GB"), noun: count === 1 ? one.toLowerCase() : many };
}

const NAMED_AUTHORS = 2;

/** "the Dormouse Team", "Ann Lee and Tom Hart", "Ann Lee, Tom Hart and 5 others"; empty without authors. */
export function authorsText(authors: string[], productName: string): string {
  const team = defaultAuthor(productName);
  const names = authors.map((author) => (author === team ? `the ${team}` : author));
  const others = names.length - NAMED_AUTHORS;
  const named = others > 1 ? [...names.slice(0, NAMED_AUTHORS), `${others} others`] : names;
  return formatList(named);
}

/** The plan that is cheapest by the month, and the shortest: "£5 a month if you pay for a year, or £15 month by month". */
export function welcomePriceText(plans: Plan[]): string | undefined {
  const [shortest] = plans.toSorted((a, b) => a.months - b.months);
  const [cheapest] = plans.toSorted((a, b) => a.monthlyPriceInPence - b.monthlyPriceInPence);
  if (!shortest || !cheapest) return undefined;
  const price = formatPence(shortest.monthlyPriceInPence);
  const isMonthly = shortest.months === 1;
  if (shortest === cheapest) return isMonthly ? `${price} a month` : `${price} a month for ${termText(shortest)}`;
  const other = isMonthly ? `${price} month by month` : `${price} a month for ${termText(shortest)}`;
  return `${formatPence(cheapest.monthlyPriceInPence)} a month if you pay for ${termText(cheapest)}, or ${other}`;
}

function termText({ months, periodText }: Plan): string {
  return months === 12 ? "a year" : periodText;
}
