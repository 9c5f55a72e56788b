import { type Section, sectionNames, sections } from "../../content/items/kinds.ts";

type Row = { label: string; unit: "count" | "pence"; isLevel: boolean; description: string };

const plays = Object.fromEntries(
  sectionNames.map((section) => [
    `plays-${section}`,
    {
      label: sections[section].plays,
      unit: "count",
      isLevel: false,
      description: "By members who save their progress.",
    },
  ]),
) as Record<`plays-${Section}`, Row>;

/** In the desk's order. A level is not added up over days. */
export const measures: Record<Measure, Row> = {
  "sign-ups": { label: "Sign-ups", unit: "count", isLevel: false, description: "New members." },
  members: {
    label: "Members",
    unit: "count",
    isLevel: true,
    description: "Members with access at the end of the day.",
  },
  income: {
    label: "Income by card",
    unit: "pence",
    isLevel: false,
    description: "Before refunds and the provider's fees.",
  },
  refunds: { label: "Refunds", unit: "pence", isLevel: false, description: "Refunded to cards." },
  gifts: { label: "Gifts", unit: "count", isLevel: false, description: "Plans bought for someone else." },
  ...plays,
  searches: {
    label: "Searches with no results",
    unit: "count",
    isLevel: false,
    description: "Searches that found nothing.",
  },
};

/** Counted as it happens, not after the end of its day. */
export type Tallied = "searches" | `plays-${Section}`;

/** Oldest first. A week begins on Monday. */
export type FigureSpan = { unit: "day" | "week" | "month"; count: number };

export type Measure = "sign-ups" | "members" | "income" | "refunds" | "gifts" | Tallied;
