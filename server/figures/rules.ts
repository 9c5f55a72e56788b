/** The measures of a day, in the order in which the desk shows them. A level is not added up over days. */
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
} as const;

export type Measure = keyof typeof measures;
