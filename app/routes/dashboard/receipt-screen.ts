import { formatDate, formatPenceInFull } from "../../../server/format.ts";
import type { Receipt } from "../../../server/payments/records.ts";
import type { Services } from "../../../server/services.ts";

/** A receipt as it is printed: texts alone. */
export type ReceiptScreen = {
  name: "receipt";
  number: string;
  facts: { label: string; value: string }[];
  amount: string;
  contactEmail: string;
  /** Whether the member may see content as well; receipts outlive subscriptions. */
  isActive: boolean;
};

type Asked = { memberId: number; number: string; isActive: boolean };

/** A member's own receipt; `undefined` for a number that is none of theirs. */
export async function findReceiptScreen(
  { payments, product }: Services,
  { memberId, number, isActive }: Asked,
): Promise<ReceiptScreen | undefined> {
  const receipt = await payments.findReceipt(memberId, number);
  if (!receipt) return undefined;
  return {
    name: "receipt",
    number,
    facts: factsOf(receipt),
    amount: receipt.accountType === "corporate" ? "Paid by your company" : formatPenceInFull(receipt.amountInPence),
    contactEmail: product.contactEmail,
    isActive,
  };
}

function factsOf({ name, email, postcode, paidAt, planLabel, startsAt, endsAt }: Receipt): ReceiptScreen["facts"] {
  return [
    { label: "Date", value: formatDate(paidAt) },
    { label: "Name", value: name },
    { label: "Email", value: email },
    { label: "Postal code", value: postcode },
    { label: "Plan", value: planLabel },
    { label: "Membership starts", value: formatDate(startsAt) },
    { label: "Membership ends", value: formatDate(endsAt) },
  ];
}
