/** What becomes of a test card (docs.stripe.com/testing): by its number in a form, by its name in a call. */
export type CardFate = {
  last4: string;
  decline?: { code: string; decline_code?: string; message: string };
  /** Its bank wants to see the payer. */
  isAuthenticated?: boolean;
  /** What becomes of its refunds: back at once, on their way, or refused by the bank afterwards. */
  refunds?: "pending" | "failed";
  /** The payer's bank takes the money back at once. */
  isDisputed?: boolean;
};

const declined = (decline_code: string, code = "card_declined") => ({
  code,
  ...(code === "card_declined" && { decline_code }),
  message: "Your card was declined.",
});

const fates: (CardFate & { number: string; names: string[] })[] = [
  { number: "4242424242424242", last4: "4242", names: ["visa"] },
  {
    number: "4000000000000002",
    last4: "0002",
    names: ["chargeDeclined"],
    decline: declined("generic_decline"),
  },
  {
    number: "4000000000009995",
    last4: "9995",
    names: ["chargeDeclinedInsufficientFunds"],
    decline: declined("insufficient_funds"),
  },
  {
    number: "4000000000000069",
    last4: "0069",
    names: ["chargeDeclinedExpiredCard"],
    decline: declined("", "expired_card"),
  },
  {
    number: "4000000000000127",
    last4: "0127",
    names: ["chargeDeclinedIncorrectCvc"],
    decline: declined("", "incorrect_cvc"),
  },
  {
    number: "4000000000000119",
    last4: "0119",
    names: ["chargeDeclinedProcessingError"],
    decline: declined("", "processing_error"),
  },
  { number: "4000000000009987", last4: "9987", names: ["chargeDeclinedLostCard"], decline: declined("lost_card") },
  {
    number: "4000002760003184",
    last4: "3184",
    names: ["authenticationRequired", "threeDSecure2Required"],
    isAuthenticated: true,
  },
  { number: "4000000000007726", last4: "7726", names: ["pendingRefund"], refunds: "pending" },
  { number: "4000000000005126", last4: "5126", names: ["refundFail"], refunds: "failed" },
  { number: "4000000000000259", last4: "0259", names: ["createDispute"], isDisputed: true },
];

/** `undefined`: no test card, which Stripe answers with `incorrect_number` or, in test mode, a decline. */
export function findFate(number: string): CardFate | undefined {
  const digits = number.replaceAll(/\D/g, "");
  return fates.find((each) => each.number === digits);
}

/** `pm_card_visa`, `pm_card_chargeDeclined`, `pm_card_visa_chargeDeclined`. */
export function findNamedFate(methodId: string): CardFate | undefined {
  const name = /^pm_card_(?:visa_)?(\w+)$/.exec(methodId)?.[1];
  return fates.find(({ names }) => name !== undefined && names.includes(name));
}
