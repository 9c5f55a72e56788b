import type { Services } from "../../../server/services.ts";
import type { Draft } from "../../../server/sign-up/sign-up.ts";
import type { Step } from "./steps.ts";

/**
 * The draft behind a token. Where paying is on the screen and its end is not known, the gateway is asked first: the browser
 * may just have come back from the payer's bank.
 */
export async function openDraft(
  { signUp }: Services,
  visit: { token: string; step: Step },
): Promise<Draft | undefined> {
  const draft = await signUp.findDraft(visit.token);
  const isOpen = draft?.payment.state === "unfinished" || draft?.payment.state === "checking";
  if (!isOpen || visit.step < 3) return draft;
  await signUp.settle(visit.token);
  return signUp.findDraft(visit.token);
}
