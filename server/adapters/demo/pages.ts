import type { DemoCardPages } from "./card-pages.ts";
import type { DemoDebit } from "./debits.ts";
import type { DemoGateways } from "./gateways.ts";

/** The pages of both demo providers under one roof. */
export function createDemoPages({ cards, debit }: { cards: DemoCardPages; debit: DemoDebit }): DemoGateways {
  return {
    ...cards,
    findDebitPage: (flowId) => debit.findFlowPage(flowId),
    agreeDebit: (flowId, bank) => debit.agree(flowId, bank),
    leaveDebit: (flowId) => debit.leave(flowId),
  };
}
