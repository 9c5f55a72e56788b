import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { PlanType } from "../../../server/membership/plans.ts";
import { readDraftToken } from "../../cookies.ts";
import { readSubmission } from "../../forms/read-submission.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { wantedPath } from "../../whereabouts.ts";
import { refuse, startAgain } from "./form-answer.ts";
import { redirectToPayment } from "./payment-screen.ts";

/** Plans as forms name them. */
export const planTypes: Record<"1" | "2" | "3", PlanType> = { 1: 1, 2: 2, 3: 3 };

const choice = z.object({ planType: z.enum(["1", "2", "3"], { error: "Please choose a plan." }) });

/** Step 2: on to the payment. Who joins by a company's code has a plan already and only confirms it. */
export async function choosePlan(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const rooms = requireRooms(context);
  const { signUp } = rooms;
  const token = readDraftToken(request, url);
  const draft = token && (await signUp.findDraft(token));
  if (!token || !draft) return startAgain();

  if (draft.accountType === "individual") {
    const submission = readSubmission(form, choice, []);
    if (!submission.ok) return refuse({ form: "plan", echo: submission.echo });
    const result = await signUp.choosePlan(token, planTypes[submission.value.planType]);
    // One that is being paid for stays as it is; the next step says so.
    if (!result.ok && result.reason === "no-draft") return startAgain();
  }
  return redirectToPayment(rooms, { accountType: draft.accountType, to: wantedPath(url) });
}
