import { formatDate, formatPence } from "../../../server/format.ts";
import type { Draft } from "../../../server/sign-up/sign-up.ts";

/** How it ended: the fourth step. */
export type Outcome =
  | ConfirmationScreen
  | { name: "checking" }
  | { name: "refunded"; amount: string }
  /** Nothing was bought at all. */
  | { name: "improve" };

export type ConfirmationScreen = {
  name: "confirmation";
  purpose: Draft["purpose"];
  accountType: Draft["accountType"];
  email: string;
  receiptNumber: string;
  amount: string;
  startsOn: string;
  endsOn: string;
  /** Whether this browser is logged in, so that the way on leads straight in. */
  hasSession: boolean;
};

export function toConfirmation(draft: Draft, hasSession: boolean): Outcome {
  const { payment, purpose, accountType, email } = draft;
  switch (payment.state) {
    case "completed":
      return {
        name: "confirmation",
        purpose,
        accountType,
        email,
        receiptNumber: payment.receiptNumber,
        amount: formatPence(payment.amountInPence),
        startsOn: formatDate(payment.startsAt),
        endsOn: formatDate(payment.endsAt),
        hasSession,
      };
    case "refunded":
      return { name: "refunded", amount: formatPence(payment.amountInPence) };
    case "none":
    case "failed":
    case "unfinished":
    case "checking":
      return { name: "checking" };
  }
}
