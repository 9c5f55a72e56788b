/** What is counted for each day, in the order in which the desk shows it. A sum of pence is of a day, as the other counts are. */
export const measures = {
  "sign-ups": { label: "Sign-ups", unit: "count", says: "New members" },
  members: { label: "Members", unit: "count", says: "Members with a running term at the end of the day" },
  income: { label: "Income by card", unit: "pence", says: "Paid by card, before refunds and the provider's fees" },
  refunds: { label: "Refunds", unit: "pence", says: "Paid back to cards" },
} as const;

export type Measure = keyof typeof measures;
