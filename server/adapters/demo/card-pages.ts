import type { Clock } from "../../clock.ts";
import { payment, toPageUrl, type Outcome } from "./card-objects.ts";
import { readCard, type CardOutcome } from "./card-numbers.ts";
import { DEMO_CARDS } from "./cards.ts";
import type { Card, CardPage, DemoGateways } from "./gateways.ts";
import type { DemoStore } from "./store.ts";
import { demoGateway } from "../../refusals.ts";

/** The card gateway's own pages: its card fields, its hosted page, and the page of the payer's bank. */
export type DemoCardPages = Pick<
  DemoGateways,
  "makeMethod" | "findCardPage" | "payCardPage" | "leaveCardPage" | "findAuthentication" | "authenticate"
>;

export function createDemoCardPages({ store, clock }: { store: DemoStore; clock: Clock }): DemoCardPages {
  async function findPage(id: string): Promise<CardPage | undefined> {
    const found = await store.find("pay", id);
    if (!found) return undefined;
    const { amountInPence, description, state, returnUrl } = payment.parse(found.body);
    return { amountInPence, description, returnUrl, state: state === "requires-action" ? "open" : "over" };
  }

  /** Ends the wait for the payer. A page that is over already changes nothing and leads back all the same. */
  async function finish(id: string, outcome: Outcome): Promise<{ url: string }> {
    const changed = await store.change("pay", id, (body) => {
      const before = payment.parse(body);
      return before.state === "requires-action" ? { ...before, ...outcome } : undefined;
    });
    if (!changed) throw new Error("The demo gateway knows no such payment");
    await store.addNotice({ gateway: DEMO_CARDS, kind: "payment", subject: id });
    return { url: payment.parse(changed.body).returnUrl };
  }

  return {
    async makeMethod(card) {
      const read = readCard(card, clock());
      if (!read.ok) return read;
      const { id } = await store.put({ outcome: read.outcome, last4: read.last4 }, { kind: "pm" });
      return { ok: true, methodId: id };
    },

    findCardPage: findPage,
    findAuthentication: findPage,

    async payCardPage(id, card: Card) {
      const read = readCard(card, clock());
      if (!read.ok) return read;
      const sentence = pageRefusals[read.outcome];
      if (sentence) return { ok: false, field: "number", sentence };
      if (read.outcome !== "authentication") return { ok: true, ...(await finish(id, { state: "succeeded" })) };
      const found = await store.find("pay", id);
      if (!found) throw new Error("The demo gateway knows no such payment");
      return { ok: true, url: toPageUrl(id, { ...payment.parse(found.body), page: "authenticate" }) };
    },

    async leaveCardPage(id) {
      const found = await store.find("pay", id);
      if (!found) throw new Error("The demo gateway knows no such payment");
      const { cancelUrl, returnUrl } = payment.parse(found.body);
      return { url: cancelUrl ?? returnUrl };
    },

    authenticate: (id, isComplete) =>
      finish(id, isComplete ? { state: "succeeded" } : { state: "requires-method", decline: "authentication-failed" }),
  };
}

/** On its own page the gateway says itself what became of a card. */
const pageRefusals: Record<CardOutcome, string | undefined> = {
  paid: undefined,
  authentication: undefined,
  declined: demoGateway.ours.declined,
  "insufficient-funds": demoGateway.ours["insufficient-funds"],
};
