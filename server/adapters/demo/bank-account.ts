import type { BankAccount, BankRefusal } from "./gateways.ts";
import { demoGateway } from "../../refusals.ts";

export type ReadBankAccount = { ok: true; accountEnding: string } | BankRefusal;

const words = demoGateway.ours;

/** What is wrong with each field, in the order of the page. */
const problems: BankRefusal["problems"] = [
  { field: "accountHolderName", sentence: words["account-holder-missing"] },
  { field: "accountNumber", sentence: words["account-number-wrong"] },
  { field: "sortCode", sentence: words["sort-code-wrong"] },
];

/** Checks a British bank account as a bank's form does, and keeps two digits of it. Answers everything that is wrong. */
export function readBankAccount({ accountHolderName, accountNumber, sortCode }: BankAccount): ReadBankAccount {
  const number = digitsOf(accountNumber);
  const isRight = {
    accountHolderName: accountHolderName.trim() !== "",
    accountNumber: /^\d{8}$/.test(number),
    sortCode: /^\d{6}$/.test(digitsOf(sortCode)),
  };
  const found = problems.filter(({ field }) => !isRight[field]);
  return found.length > 0 ? { ok: false, problems: found } : { ok: true, accountEnding: number.slice(-2) };
}

/** Without the spaces and dashes that people put between digits. */
function digitsOf(text: string): string {
  return text.replaceAll(/[\s-]/g, "");
}
