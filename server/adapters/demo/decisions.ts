import { DEMO_CARDS, payment } from "./card-gateway.ts";
import { debit, DEMO_DEBIT } from "./debits.ts";
import { addEvent, changeObject, type DemoObject, type DemoStore, listKind } from "./store.ts";

/* A command decides outcomes in place of payers and banks, so that tests from outside can reach each of them. */

/** `wait`: the money is on its way. */
export type Decision = "pay" | "fail" | "wait";

/** A card payment under way, or a Direct Debit that the bank may still refuse. */
export type OpenPayment = {
  id: string;
  kind: "card" | "Direct Debit";
  amountInPence: number;
  description: string;
  state: string;
  createdAt: Date;
};

type Kind = {
  kind: OpenPayment["kind"];
  gateway: string;
  event: string;
  open: string[];
  read: (body: unknown) => { state: string; amountInPence: number; description: string };
  outcomes: Record<Decision, { state: string; decline?: string }>;
};

const kinds: Record<"pay" | "dd", Kind> = {
  pay: {
    kind: "card",
    gateway: DEMO_CARDS,
    event: "payment",
    open: ["requires-action", "processing"],
    read: (body) => payment.parse(body),
    outcomes: {
      pay: { state: "succeeded" },
      fail: { state: "requires-method", decline: "declined" },
      wait: { state: "processing" },
    },
  },
  dd: {
    kind: "Direct Debit",
    gateway: DEMO_DEBIT,
    event: "debit",
    // A bank may refuse a confirmed debit until the money is paid out.
    open: ["pending", "confirmed"],
    read: (body) => debit.parse(body),
    outcomes: { pay: { state: "paid-out" }, fail: { state: "failed" }, wait: { state: "pending" } },
  },
};

/** The oldest first. */
export async function listOpenPayments(store: DemoStore): Promise<OpenPayment[]> {
  const listed = await Promise.all(
    Object.entries(kinds).map(async ([name, kind]) =>
      (await listKind(store, name))
        .map((object) => toOpenPayment(object, kind))
        .filter(({ state }) => kind.open.includes(state)),
    ),
  );
  return listed.flat().toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** Decides a payment and leaves its webhook event. `undefined`: there is no such open payment. */
export async function decidePayment(
  store: DemoStore,
  id: string,
  decision: Decision,
): Promise<OpenPayment | undefined> {
  const name = id.startsWith("dd_") ? "dd" : "pay";
  const kind = kinds[name];
  let isOpen = false;
  const changed = await changeObject(store, { kind: name, id }, (body) => {
    const before = kind.read(body);
    isOpen = kind.open.includes(before.state);
    return isOpen ? { ...before, ...kind.outcomes[decision] } : undefined;
  });
  if (!changed || !isOpen) return undefined;
  await addEvent(store, { gateway: kind.gateway, kind: kind.event, subject: id });
  return toOpenPayment(changed, kind);
}

function toOpenPayment({ id, body, createdAt }: DemoObject, { kind, read }: Kind): OpenPayment {
  const { state, amountInPence, description } = read(body);
  return { id, kind, amountInPence, description, state, createdAt };
}
