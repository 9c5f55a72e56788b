import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { Plan } from "../../../server/membership/plans.ts";
import { signUp as table } from "../../../server/refusals.ts";
import { readDraftToken } from "../../cookies.ts";
import { readSubmission } from "../../forms/read-submission.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { wantedPath } from "../../whereabouts.ts";
import { refuse, startAgain } from "./form-answer.ts";
import { redirectToPayment } from "./payment-screen.ts";

/** The type of one of these plans, as forms send it; `error` is the sentence for anything else. */
export function planChoice(plans: Plan[], error: string) {
  return z.string({ error }).transform((type, context) => {
    const plan = plans.find((each) => String(each.type) === type);
    if (plan) return plan.type;
    context.issues.push({ code: "custom", message: error, input: type });
    return z.NEVER;
  });
}

/** Step 2: on to the payment. Who joins by a company's code has a plan already and only confirms it. */
export async function choosePlan(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const rooms = requireRooms(context);
  const { signUp } = rooms;
  const token = readDraftToken(request, url);
  const draft = token && (await signUp.findDraft(token));
  if (!token || !draft) return startAgain();

  if (draft.accountType === "individual") {
    const choice = z.object({ planType: planChoice(rooms.plans, table.ours["plan-missing"]) });
    const submission = readSubmission(form, choice, []);
    if (!submission.ok) return refuse({ form: "plan", echo: submission.echo });
    const result = await signUp.choosePlan(token, submission.value.planType);
    // One that is being paid for stays as it is; the next step says so.
    if (!result.ok && result.reason === "no-draft") return startAgain();
  }
  return redirectToPayment(rooms, { accountType: draft.accountType, to: wantedPath(url) });
}
