import { z } from "zod";

import { after, DAY_IN_MS } from "../../platform/clock.ts";
import type {
  BillingRequest,
  Debit,
  DebitGateway,
  DebitEvent,
  Mandate,
  NewDebit,
  NewFlow,
} from "../../money/payments/debit-gateway.ts";
import {
  addEvent,
  changeObject,
  findByKey,
  findObject,
  listEventsSince,
  putObject,
  readDemoEvents,
  type DemoObject,
  type DemoStore,
} from "./store.ts";

/**
 * A Direct Debit gateway that collects no money. Mandates are active and debits confirmed at once, where Bacs takes
 * three working days; the controls cause other events.
 */
export type DemoDebit = DebitGateway & DebitControls;

/** Events at the bank, for tests. Each leaves a webhook event, as at a real gateway. */
type DebitControls = {
  failMandate(id: string): Promise<void>;
  suspendMandate(id: string): Promise<void>;
  restoreMandate(id: string): Promise<void>;
  /** The payer has changed banks; returns the new mandate. */
  replaceMandate(id: string): Promise<string>;
  failDebit(id: string): Promise<void>;
  confirmDebit(id: string): Promise<void>;
  chargeBack(id: string): Promise<void>;
};

export const DEMO_DEBIT = "demo-debit";

/** As long as GoCardless keeps its own. */
const FLOW_LIFE_IN_MS = 7 * DAY_IN_MS;

type Setting = DemoStore & {
  secret: string;
  pageUrl: (path: string) => string;
  debitsBegin?: DebitsBegin | undefined;
};

/** `pending` lets tests wait for the bank. */
export type DebitsBegin = "pending" | "confirmed";

export function createDemoDebit(setting: Setting): DemoDebit {
  const { secret, ...store } = setting;
  return {
    name: DEMO_DEBIT,

    async createBillingRequest({ key, companyId }) {
      return toBillingRequest(
        await putObject(store, { state: "pending" }, { kind: "brq", key, parent: String(companyId) }),
      );
    },

    openFlow: (flow) => openFlow(setting, flow),

    async findBillingRequest(id) {
      const found = await findObject(store, "brq", id);
      return found && toBillingRequest(found);
    },

    async findMandate(id) {
      const found = await findObject(store, "mdt", id);
      return found && toMandate(found);
    },

    collect: (debit) => collect(setting, debit),

    async findDebit(id) {
      const found = await findObject(store, "dd", id);
      return found && toDebit(found);
    },

    readEvents: (body, headers) => readDemoEvents(secret, { body, headers })?.map(toDebitEvent),

    listEventsSince: async (since) => (await listEventsSince(store, DEMO_DEBIT, since)).map(toDebitEvent),

    check: async () => ({ isWell: true, message: "the demo's own: no money is collected" }),

    failMandate: (id) => changeMandate(store, { id, change: { state: "dead" } }),
    suspendMandate: (id) => changeMandate(store, { id, change: { state: "suspended" } }),
    restoreMandate: (id) => changeMandate(store, { id, change: { state: "active" } }),

    async replaceMandate(id) {
      const body = { state: "active", accountEnding: "11" };
      const made = await putObject(store, body, { kind: "mdt", key: `after ${id}` });
      await changeMandate(store, { id, change: { state: "replaced", replacementId: made.id } });
      return made.id;
    },

    failDebit: (id) => changeDebit(store, { id, state: "failed" }),
    confirmDebit: (id) => changeDebit(store, { id, state: "confirmed" }),
    chargeBack: (id) => changeDebit(store, { id, state: "charged-back" }),
  };
}

async function openFlow({ pageUrl, ...store }: Setting, wanted: NewFlow) {
  const { billingRequestId, companyName, returnUrl, exitUrl, site } = wanted;
  const found = await findObject(store, "brq", billingRequestId);
  if (!found || toBillingRequest(found).state !== "pending") throw new Error("Only a pending request has a page");
  const expiresAt = after(store.clock(), FLOW_LIFE_IN_MS);
  const body = { billingRequestId, companyName, returnUrl, exitUrl, expiresAt: expiresAt.toISOString() };
  const { id } = await putObject(store, body, { kind: "brf", parent: billingRequestId });
  const path = `demo-gateway/debit/${id}`;
  return { authorisationUrl: site === undefined ? pageUrl(path) : site + path, expiresAt };
}

async function collect({ debitsBegin = "confirmed", ...store }: Setting, wanted: NewDebit): Promise<Debit> {
  const { key, mandateId, amountInPence, description, companyId } = wanted;
  const before = await findByKey(store, "dd", key);
  if (before) return toDebit(before);
  const from = await findObject(store, "mdt", mandateId);
  if (!from || !["pending", "active"].includes(toMandate(from).state)) throw new Error("Nothing is collected here");
  const body = { mandateId, amountInPence, description, companyId, state: debitsBegin };
  const made = await putObject(store, body, { kind: "dd", key, parent: mandateId });
  await addEvent(store, { gateway: DEMO_DEBIT, kind: "debit", subject: made.id });
  return toDebit(made);
}

function toDebitEvent({ id, kind, subject }: DebitEvent): DebitEvent {
  const isOurs = kind === "billing-request" || kind === "mandate" || kind === "debit";
  return { id, kind: isOurs ? kind : "other", subject };
}

type MandateChange = { id: string; change: Partial<Mandate> };

async function changeMandate(store: DemoStore, { id, change }: MandateChange): Promise<void> {
  const changed = await changeObject(store, { kind: "mdt", id }, (body) => ({ ...mandate.parse(body), ...change }));
  if (!changed) throw new Error(`The demo gateway knows no mandate ${id}`);
  await addEvent(store, { gateway: DEMO_DEBIT, kind: "mandate", subject: id });
}

async function changeDebit(store: DemoStore, { id, state }: Debit): Promise<void> {
  const changed = await changeObject(store, { kind: "dd", id }, (body) => ({ ...debit.parse(body), state }));
  if (!changed) throw new Error(`The demo gateway knows no debit ${id}`);
  await addEvent(store, { gateway: DEMO_DEBIT, kind: "debit", subject: id });
}

export const request = z.object({
  state: z.enum(["pending", "fulfilled", "cancelled"]),
  mandateId: z.string().optional(),
});

export const flow = z.object({
  billingRequestId: z.string(),
  companyName: z.string(),
  returnUrl: z.string(),
  exitUrl: z.string(),
  expiresAt: z.string(),
});

const mandate = z.object({
  state: z.enum(["pending", "active", "suspended", "dead", "replaced"]),
  replacementId: z.string().optional(),
  accountEnding: z.string(),
});

export const debit = z.object({
  mandateId: z.string(),
  amountInPence: z.int(),
  description: z.string(),
  companyId: z.int(),
  state: z.enum(["pending", "confirmed", "paid-out", "failed", "charged-back", "cancelled"]),
});

export function toBillingRequest({ id, body }: DemoObject): BillingRequest {
  const { state, mandateId } = request.parse(body);
  return { id, state, mandateId };
}

function toMandate({ id, body }: DemoObject): Mandate {
  const { state, replacementId } = mandate.parse(body);
  return { id, state, replacementId };
}

function toDebit({ id, body }: DemoObject): Debit {
  return { id, state: debit.parse(body).state };
}
