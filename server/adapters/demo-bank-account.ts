import type { BankAccount, BankRefusal } from "./demo-gateways.ts";

export type ReadBankAccount = { ok: true; accountEnding: string } | BankRefusal;

/** Checks a British bank account as a bank's form does, and keeps two digits of it. Answers the first thing that is wrong. */
export function readBankAccount({ accountHolderName, accountNumber, sortCode }: BankAccount): ReadBankAccount {
  if (accountHolderName.trim() === "") return refuse("accountHolderName", "Please enter the name on the account.");
  if (!/^\d{6}$/.test(digitsOf(sortCode))) return refuse("sortCode", "A sort code has six digits, such as 20-00-00.");
  const number = digitsOf(accountNumber);
  if (!/^\d{8}$/.test(number)) return refuse("accountNumber", "An account number has eight digits, such as 55779911.");
  return { ok: true, accountEnding: number.slice(-2) };
}

/** Without the spaces and dashes that people put between digits. */
function digitsOf(text: string): string {
  return text.replaceAll(/[\s-]/g, "");
}

function refuse(field: BankRefusal["field"], sentence: string): BankRefusal {
  return { ok: false, field, sentence };
}
