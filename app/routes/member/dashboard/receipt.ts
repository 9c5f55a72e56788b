import { formatDate, formatPenceInFull } from "../../../../server/platform/format.ts";
import { findPaidState } from "../../../../server/money/payments/labels.ts";
import type { Services } from "../../../../server/services.ts";
import { listVatLines } from "../../../../server/money/letterhead.ts";
import type { SheetTexts } from "../../../paper/sheet.tsx";

/** Texts alone. */
export type ReceiptScreen = {
  name: "receipt";
  number: string;
  sheet: SheetTexts;
  /** The payment's present state. */
  note: string;
  contactEmail: string;
  /** The member may see content too; receipts outlive subscriptions. */
  isActive: boolean;
};

type Wanted = { memberId: number; number: string; isActive: boolean };

/** `undefined` for a number that is not the member's. */
export async function findReceipt(
  { payments, product }: Services,
  { memberId, number, isActive }: Wanted,
): Promise<ReceiptScreen | undefined> {
  const receipt = await payments.findReceipt(memberId, number);
  if (!receipt) return undefined;
  const { amountInPence, partsInPence } = receipt;
  const isOwn = receipt.accountType === "individual";
  const { letterhead } = product;
  const { title, sentence, endsEarly } = findPaidState(receipt);
  return {
    name: "receipt",
    number,
    sheet: {
      letterhead,
      status: isOwn || endsEarly ? title : "Paid",
      facts: [
        { label: "Number", value: number },
        { label: "Date", value: formatDate(receipt.paidAt) },
        { label: "Name", value: receipt.name },
        { label: "Email", value: receipt.email },
        { label: "Postal code", value: receipt.postcode },
        { label: "Plan", value: receipt.planLabel },
        { label: "Membership starts", value: formatDate(receipt.startsAt) },
        { label: "Membership ends", value: endsEarly ? "Ended with the refund" : formatDate(receipt.endsAt) },
        ...(partsInPence > 0
          ? [{ label: endsEarly ? "Refunded earlier" : "Refunded", value: formatPenceInFull(partsInPence) }]
          : []),
        ...(isOwn ? listVatLines(letterhead, amountInPence) : []),
      ],
      total: { label: "Total", value: isOwn ? formatPenceInFull(amountInPence) : "Paid by your company" },
    },
    note: isOwn ? sentence : "It doesn't renew.",
    contactEmail: product.contactEmail,
    isActive,
  };
}
