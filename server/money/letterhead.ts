import { formatPenceInFull } from "../platform/format.ts";

/** The head of receipts and invoices: the seller, and the numbers that the law and a tax office require. */
export type Letterhead = {
  name: string;
  /** Line by line; empty where the operator has not set it. */
  address: string[];
  companyNumber: string | undefined;
  vatNumber: string | undefined;
};

/** @param sender name and address on one line, divided by commas: `INVOICE_SENDER`. */
export function toLetterhead(sender: string, numbers: Pick<Letterhead, "companyNumber" | "vatNumber">): Letterhead {
  const [name = "", ...address] = sender
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return { name, address, ...numbers };
}

/** Britain's standard rate since 4 January 2011 (gov.uk/vat-rates). Prices include it. */
const VAT_PERCENT = 20;

/** In whole pence, rounded down as an invoice's total may be (HMRC, VAT Notice 700, 17.5.1). */
export function findVatIn(amountInPence: number): number {
  return Math.floor((amountInPence * VAT_PERCENT) / (100 + VAT_PERCENT));
}

/** Empty without a VAT number, or where nothing is paid. */
export function listVatLines({ vatNumber }: Letterhead, amountInPence: number): { label: string; value: string }[] {
  if (vatNumber === undefined || amountInPence === 0) return [];
  return [{ label: `Including VAT at ${VAT_PERCENT}%`, value: formatPenceInFull(findVatIn(amountInPence)) }];
}

const vatNumber = /^(?:GB|XI)(\d{9})(?:\d{3})?$/;
const weights = [8, 7, 6, 5, 4, 3, 2];

/** Accepts spaces. The last two of nine digits prove the others (modulus 97, and 9755). */
export function isVatNumber(text: string): boolean {
  const [, digits] = vatNumber.exec(text.replaceAll(" ", "")) ?? [];
  if (digits === undefined) return false;
  const sum = weights.reduce((total, weight, at) => total + weight * Number(digits[at]), Number(digits.slice(7)));
  return sum % 97 === 0 || (sum + 55) % 97 === 0;
}
