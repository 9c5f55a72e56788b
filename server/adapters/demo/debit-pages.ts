import type { Clock } from "../../clock.ts";
import { demoGateway } from "../../refusals.ts";
import { DEMO_DEBIT, flow, request, toBillingRequest } from "./debits.ts";
import type { DemoStore } from "./store.ts";

/** The gateway's own page, on which a company agrees to a Direct Debit. */
export type DemoDebitPages = {
  findDebitPage(flowId: string): Promise<DebitPage | undefined>;
  /** Takes the company's bank account and makes the mandate, once; answers where the browser goes next. */
  agreeDebit(flowId: string, bank: BankAccount): Promise<{ ok: true; url: string } | BankRefusal>;
  /** The company leaves without agreeing; it may come back. */
  leaveDebit(flowId: string): Promise<{ url: string }>;
};

/** `over`: agreed already, cancelled, or older than a week. */
export type DebitPage = { companyName: string; state: "open" | "over"; returnUrl: string; exitUrl: string };

export type BankAccount = { accountHolderName: string; accountNumber: string; sortCode: string };

export type BankRefusal = { ok: false; problems: { field: keyof BankAccount; sentence: string }[] };

export function createDemoDebitPages({ store, clock }: { store: DemoStore; clock: Clock }): DemoDebitPages {
  async function findFlow(flowId: string) {
    const found = await store.find("brf", flowId);
    const page = found && flow.parse(found.body);
    const asked = page && (await store.find("brq", page.billingRequestId));
    return page && asked && { ...page, asked: toBillingRequest(asked).state };
  }

  async function requireFlow(flowId: string) {
    const page = await findFlow(flowId);
    if (!page) throw new Error("The demo gateway knows no such page");
    return page;
  }

  return {
    async findDebitPage(flowId) {
      const found = await findFlow(flowId);
      if (!found) return undefined;
      const { companyName, returnUrl, exitUrl, asked, expiresAt } = found;
      const isOpen = asked === "pending" && clock() < new Date(expiresAt);
      return { companyName, returnUrl, exitUrl, state: isOpen ? "open" : "over" };
    },

    async agreeDebit(flowId, bank) {
      const { billingRequestId, asked, expiresAt, returnUrl, exitUrl } = await requireFlow(flowId);
      if (asked === "fulfilled") return { ok: true, url: returnUrl };
      if (asked === "cancelled" || clock() >= new Date(expiresAt)) return { ok: true, url: exitUrl };
      const account = readBankAccount(bank);
      if (!account.ok) return account;
      // The request is the key: two presses make one mandate.
      const made = await store.put(
        { state: "active", accountEnding: account.accountEnding },
        { kind: "mdt", key: billingRequestId, parent: billingRequestId },
      );
      await store.change("brq", billingRequestId, (body) =>
        request.parse(body).state === "pending" ? { state: "fulfilled", mandateId: made.id } : undefined,
      );
      await store.addEvent({ gateway: DEMO_DEBIT, kind: "mandate", subject: made.id });
      await store.addEvent({ gateway: DEMO_DEBIT, kind: "billing-request", subject: billingRequestId });
      return { ok: true, url: returnUrl };
    },

    async leaveDebit(flowId) {
      const { exitUrl } = await requireFlow(flowId);
      return { url: exitUrl };
    },
  };
}

type ReadBankAccount = { ok: true; accountEnding: string } | BankRefusal;

/** The message of each field, in the order of the page. */
const problems: BankRefusal["problems"] = [
  { field: "accountHolderName", sentence: demoGateway.ours["account-holder-missing"] },
  { field: "accountNumber", sentence: demoGateway.ours["account-number-wrong"] },
  { field: "sortCode", sentence: demoGateway.ours["sort-code-wrong"] },
];

/** Checks a British bank account as a bank's form does, and keeps two digits of it. Answers everything that is wrong. */
function readBankAccount({ accountHolderName, accountNumber, sortCode }: BankAccount): ReadBankAccount {
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
