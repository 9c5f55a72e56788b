import type { Section } from "../../content/catalogue/kinds.ts";

/** In the desk's order. A level is not added up over days. */
export const measures = {
  "sign-ups": { label: "Sign-ups", unit: "count", isLevel: false, description: "New members." },
  members: {
    label: "Members",
    unit: "count",
    isLevel: true,
    description: "Members with a running term at the end of the day.",
  },
  income: {
    label: "Income by card",
    unit: "pence",
    isLevel: false,
    description: "Before refunds and the provider's fees.",
  },
  refunds: { label: "Refunds", unit: "pence", isLevel: false, description: "Paid back to cards." },
  "plays-watch": { label: "Videos played", unit: "count", isLevel: false, description: "By members who keep places." },
  "plays-listen": { label: "Recordings", unit: "count", isLevel: false, description: "Played, as videos are." },
  "plays-read": { label: "Articles opened", unit: "count", isLevel: false, description: "Each once by a member." },
  "plays-learn": { label: "Webinars played", unit: "count", isLevel: false, description: "As videos are." },
  searches: { label: "Searches in vain", unit: "count", isLevel: false, description: "Searches that found nothing." },
} as const;

/** Counted as it happens, not after the end of its day. */
export type Tallied = "searches" | `plays-${Section}`;

/** Oldest first. A week begins on Monday. */
export type FigureSpan = { unit: "day" | "week" | "month"; count: number };

export type Measure = keyof typeof measures;
