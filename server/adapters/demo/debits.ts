import { after, DAY_IN_MS, type Clock } from "../../clock.ts";
import type { Debit, DebitGateway, DebitNotice, Mandate } from "../../payments/debit-gateway.ts";
import { readBankAccount } from "./bank-account.ts";
import { debit, flow, mandate, request, toBillingRequest, toDebit, toMandate } from "./debit-objects.ts";
import type { BankAccount, BankRefusal } from "./gateways.ts";
import { openDemoNotices, readDemoNotices, type DemoStore } from "./store.ts";

/**
 * A Direct Debit gateway that collects from nobody. Mandates are active as soon as a company agrees and debits are confirmed as soon
 * as they are made, where Bacs takes three working days; the controls bring about what else may happen.
 */
export type DemoDebit = DebitGateway & DebitPages & DebitControls;

/** The gateway's own page, on which a company agrees. */
type DebitPages = {
  findFlowPage(flowId: string): Promise<FlowPage | undefined>;
  /** Takes the company's bank account and makes the mandate, once; answers where the browser goes next. */
  agree(flowId: string, bank: BankAccount): Promise<{ ok: true; url: string } | BankRefusal>;
  /** The company leaves without agreeing; it may come back. */
  leave(flowId: string): Promise<{ url: string }>;
};

/** `over`: agreed already, cancelled, or older than a week. */
export type FlowPage = { companyName: string; state: "open" | "over"; returnUrl: string; exitUrl: string };

/** What happens at banks, at the press of a button. Each leaves a notice, as the real thing does. */
type DebitControls = {
  failMandate(id: string): Promise<void>;
  suspendMandate(id: string): Promise<void>;
  restoreMandate(id: string): Promise<void>;
  /** The payer has moved to another bank; answers the mandate that counts from now on. */
  replaceMandate(id: string): Promise<string>;
  failDebit(id: string): Promise<void>;
  confirmDebit(id: string): Promise<void>;
  chargeBack(id: string): Promise<void>;
};

export const DEMO_DEBIT = "demo-debit";

/** As long as GoCardless keeps its own. */
const FLOW_LIFE_IN_MS = 7 * DAY_IN_MS;

type Setting = {
  store: DemoStore;
  clock: Clock;
  /** Signs the notices. */
  secret: string;
  /** The address of a page of ours. */
  pageUrl: (path: string) => string;
  /** How a debit begins: `pending` lets tests wait for the bank. */
  debitsBegin?: "pending" | "confirmed";
};

export function createDemoDebit(setting: Setting): DemoDebit {
  return { ...createGateway(setting), ...createPages(setting), ...createControls(setting) };
}

function createGateway({ store, clock, secret, pageUrl, debitsBegin = "confirmed" }: Setting): DebitGateway {
  return {
    name: DEMO_DEBIT,

    async createBillingRequest({ key, companyId }) {
      return toBillingRequest(await store.put({ state: "pending" }, { kind: "brq", key, parent: String(companyId) }));
    },

    async openFlow({ billingRequestId, companyName, returnUrl, exitUrl }) {
      const found = await store.find("brq", billingRequestId);
      if (!found || toBillingRequest(found).state !== "pending") throw new Error("Only a pending request has a page");
      const expiresAt = after(clock(), FLOW_LIFE_IN_MS);
      const body = { billingRequestId, companyName, returnUrl, exitUrl, expiresAt: expiresAt.toISOString() };
      const { id } = await store.put(body, { kind: "brf", parent: billingRequestId });
      return { authorisationUrl: pageUrl(`demo-gateway/debit/${id}`), expiresAt };
    },

    async findBillingRequest(id) {
      const found = await store.find("brq", id);
      return found && toBillingRequest(found);
    },

    async findMandate(id) {
      const found = await store.find("mdt", id);
      return found && toMandate(found);
    },

    async collect({ key, mandateId, amountInPence, description, companyId }) {
      const before = await store.findByKey("dd", key);
      if (before) return toDebit(before);
      const from = await store.find("mdt", mandateId);
      if (!from || !["pending", "active"].includes(toMandate(from).state)) throw new Error("Nothing is collected here");
      const body = { mandateId, amountInPence, description, companyId, state: debitsBegin };
      const made = await store.put(body, { kind: "dd", key, parent: mandateId });
      await store.addNotice({ gateway: DEMO_DEBIT, kind: "debit", subject: made.id });
      return toDebit(made);
    },

    async findDebit(id) {
      const found = await store.find("dd", id);
      return found && toDebit(found);
    },

    readNotices: (body, headers) => readDemoNotices(secret, { body, headers })?.map(toDebitNotice),

    async listNoticesSince(since) {
      const told = await store.listNoticesSince(DEMO_DEBIT, since);
      return told.flatMap(({ body }) => openDemoNotices(body) ?? []).map(toDebitNotice);
    },

    check: async () => ({ isWell: true, says: "the demo's own: nobody is collected from" }),
  };
}

function toDebitNotice({ id, kind, subject }: DebitNotice): DebitNotice {
  const isOurs = kind === "billing-request" || kind === "mandate" || kind === "debit";
  return { id, kind: isOurs ? kind : "other", subject };
}

function createPages({ store, clock }: Setting): DebitPages {
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
    async findFlowPage(flowId) {
      const found = await findFlow(flowId);
      if (!found) return undefined;
      const { companyName, returnUrl, exitUrl, asked, expiresAt } = found;
      const isOpen = asked === "pending" && clock() < new Date(expiresAt);
      return { companyName, returnUrl, exitUrl, state: isOpen ? "open" : "over" };
    },

    async agree(flowId, bank) {
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
      await store.addNotice({ gateway: DEMO_DEBIT, kind: "mandate", subject: made.id });
      await store.addNotice({ gateway: DEMO_DEBIT, kind: "billing-request", subject: billingRequestId });
      return { ok: true, url: returnUrl };
    },

    async leave(flowId) {
      const { exitUrl } = await requireFlow(flowId);
      return { url: exitUrl };
    },
  };
}

function createControls({ store }: Setting): DebitControls {
  async function turnMandate(id: string, change: Partial<Mandate>): Promise<void> {
    const changed = await store.change("mdt", id, (body) => ({ ...mandate.parse(body), ...change }));
    if (!changed) throw new Error(`The demo gateway knows no mandate ${id}`);
    await store.addNotice({ gateway: DEMO_DEBIT, kind: "mandate", subject: id });
  }

  async function turnDebit(id: string, state: Debit["state"]): Promise<void> {
    const changed = await store.change("dd", id, (body) => ({ ...debit.parse(body), state }));
    if (!changed) throw new Error(`The demo gateway knows no debit ${id}`);
    await store.addNotice({ gateway: DEMO_DEBIT, kind: "debit", subject: id });
  }

  return {
    failMandate: (id) => turnMandate(id, { state: "dead" }),
    suspendMandate: (id) => turnMandate(id, { state: "suspended" }),
    restoreMandate: (id) => turnMandate(id, { state: "active" }),
    async replaceMandate(id) {
      const body = { state: "active", accountEnding: "11" };
      const made = await store.put(body, { kind: "mdt", key: `after ${id}` });
      await turnMandate(id, { state: "replaced", replacementId: made.id });
      return made.id;
    },
    failDebit: (id) => turnDebit(id, "failed"),
    confirmDebit: (id) => turnDebit(id, "confirmed"),
    chargeBack: (id) => turnDebit(id, "charged-back"),
  };
}
