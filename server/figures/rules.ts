/** The measures of a day, in the order in which the desk shows them. A level is not added up over days. */
export const measures = {
  "sign-ups": { label: "Sign-ups", unit: "count", isLevel: false, says: "New members." },
  members: {
    label: "Members",
    unit: "count",
    isLevel: true,
    says: "Members with a running term at the end of the day.",
  },
  income: { label: "Income by card", unit: "pence", isLevel: false, says: "Before refunds and the provider's fees." },
  refunds: { label: "Refunds", unit: "pence", isLevel: false, says: "Paid back to cards." },
} as const;

export type Measure = keyof typeof measures;
