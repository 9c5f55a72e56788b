import type { DemoCards } from "./demo-cards.ts";
import type { DemoDebit } from "./demo-debit.ts";
import type { DemoGateways } from "./demo-gateways.ts";

/** The pages of both demo providers under one roof. */
export function createDemoPages({ cards, debit }: { cards: DemoCards; debit: DemoDebit }): DemoGateways {
  return {
    makeMethod: cards.makeMethod,
    findCardPage: cards.findCardPage,
    payCardPage: cards.payCardPage,
    leaveCardPage: cards.leaveCardPage,
    findAuthentication: cards.findAuthentication,
    authenticate: cards.authenticate,
    findDebitPage: debit.findFlowPage,
    agreeDebit: debit.agree,
    leaveDebit: debit.leave,
  };
}
