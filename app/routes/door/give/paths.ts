import { parseStep, type Step, stepPath } from "../signup/steps.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { GiftDraft } from "../../../../server/money/gifts/giving.ts";

/** The steps have the numbers of a sign-up's, whose payment step this is: 0 details, 3 payment, 4 done. */
export type GiveStep = Extract<Step, 0 | 3 | 4>;

export function parseGiveStep(params: URLSearchParams): GiveStep {
  const step = parseStep(params);
  return step === 3 || step === 4 ? step : 0;
}

export function givePath(step: GiveStep = 0): string {
  return stepPath(step).replace("/signup", "/give");
}

/** The step of a payment whose result is not known yet. */
export const giveCheckingPath = `${givePath(4)}&payment=checking`;

/** For a form whose gift is gone: too old, or of another browser. */
export const giveExpiredPath = "/give?expired=1";

/** The page on which its giver sees a gift. */
export function givenPath(giverToken: string): string {
  return withSearch("/given", { gift: giverToken });
}

export function sheetPath(giverToken: string): string {
  return withSearch("/gift-letter", { gift: giverToken });
}

/** The recipient's page. Without a code it asks for one. */
export function giftPath(code?: string): string {
  return withSearch("/gift", { code });
}

/** The step to show. A gift that is paid for, or may be, can't change. */
export function findGivePlace(step: GiveStep, draft: Pick<GiftDraft, "payment"> | undefined): GiveStep {
  if (!draft) return 0;
  const { state } = draft.payment;
  if (state === "checking") return 4;
  const isOver = state === "completed" || state === "refunded";
  // A finished one does not block another.
  if (step === 0) return 0;
  return isOver ? 4 : 3;
}
