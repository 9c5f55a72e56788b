import { demoGateway } from "../../refusals.ts";
import { DEMO_DEBIT, flow, request, toBillingRequest } from "./debits.ts";
import { addEvent, changeObject, findObject, putObject, type DemoStore } from "./store.ts";

/* The gateway's page on which a company agrees to a Direct Debit. */

/** `over`: agreed, cancelled, or older than a week. */
export type DebitPage = { companyName: string; state: "open" | "over"; returnUrl: string; exitUrl: string };

export type BankAccount = { accountHolderName: string; accountNumber: string; sortCode: string };

export type BankRefusal = { ok: false; problems: { field: keyof BankAccount; sentence: string }[] };

async function findFlow(store: DemoStore, flowId: string) {
  const found = await findObject(store, "brf", flowId);
  const page = found && flow.parse(found.body);
  const billingRequest = page && (await findObject(store, "brq", page.billingRequestId));
  return page && billingRequest && { ...page, billingState: toBillingRequest(billingRequest).state };
}

async function requireFlow(store: DemoStore, flowId: string) {
  const page = await findFlow(store, flowId);
  if (!page) throw new Error("The demo gateway knows no such page");
  return page;
}

export async function findDebitPage(store: DemoStore, flowId: string): Promise<DebitPage | undefined> {
  const found = await findFlow(store, flowId);
  if (!found) return undefined;
  const { companyName, returnUrl, exitUrl, billingState, expiresAt } = found;
  const isOpen = billingState === "pending" && store.clock() < new Date(expiresAt);
  return { companyName, returnUrl, exitUrl, state: isOpen ? "open" : "over" };
}

/** Stores the account and makes the mandate, once; returns where the browser continues. */
export async function agreeDebit(
  store: DemoStore,
  flowId: string,
  bank: BankAccount,
): Promise<{ ok: true; url: string } | BankRefusal> {
  const { billingRequestId, billingState, expiresAt, returnUrl, exitUrl } = await requireFlow(store, flowId);
  if (billingState === "fulfilled") return { ok: true, url: returnUrl };
  if (billingState === "cancelled" || store.clock() >= new Date(expiresAt)) return { ok: true, url: exitUrl };
  const account = readBankAccount(bank);
  if (!account.ok) return account;
  // The request is the key: two clicks make one mandate.
  const made = await putObject(
    store,
    { state: "active", accountEnding: account.accountEnding },
    { kind: "mdt", key: billingRequestId, parent: billingRequestId },
  );
  await changeObject(store, { kind: "brq", id: billingRequestId }, (body) =>
    request.parse(body).state === "pending" ? { state: "fulfilled", mandateId: made.id } : undefined,
  );
  await addEvent(store, { gateway: DEMO_DEBIT, kind: "mandate", subject: made.id });
  await addEvent(store, { gateway: DEMO_DEBIT, kind: "billing-request", subject: billingRequestId });
  return { ok: true, url: returnUrl };
}

export async function leaveDebit(store: DemoStore, flowId: string): Promise<{ url: string }> {
  const { exitUrl } = await requireFlow(store, flowId);
  return { url: exitUrl };
}

type ReadBankAccount = { ok: true; accountEnding: string } | BankRefusal;

const problems: BankRefusal["problems"] = [
  { field: "accountHolderName", sentence: demoGateway["account-holder-missing"] },
  { field: "accountNumber", sentence: demoGateway["account-number-wrong"] },
  { field: "sortCode", sentence: demoGateway["sort-code-wrong"] },
];

/** Checks a British bank account as a bank's form does, and stores two digits. Returns every mistake. */
function readBankAccount({ accountHolderName, accountNumber, sortCode }: BankAccount): ReadBankAccount {
  const number = toDigits(accountNumber);
  const isRight = {
    accountHolderName: accountHolderName.trim() !== "",
    accountNumber: /^\d{8}$/.test(number),
    sortCode: /^\d{6}$/.test(toDigits(sortCode)),
  };
  const found = problems.filter(({ field }) => !isRight[field]);
  return found.length > 0 ? { ok: false, problems: found } : { ok: true, accountEnding: number.slice(-2) };
}

function toDigits(text: string): string {
  return text.replaceAll(/[\s-]/g, "");
}
