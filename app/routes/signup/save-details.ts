import { redirect, type ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { DetailsRefusal } from "../../../server/sign-up/sign-up.ts";
import { draftCookie, readDraftToken } from "../../cookies.ts";
import { readSubmission } from "../../forms/read-submission.ts";
import { waitText } from "../../forms/wait-text.ts";
import { requireRooms, requireVisitor } from "../../middleware/guards.ts";
import { refuse } from "./form-answer.ts";
import { isSettled, stepPath } from "./steps.ts";
import { wantedPath, whereaboutsOf } from "./whereabouts.ts";

/** Whatever is missing is an empty text, so that the room sees all of it and says everything at once. */
const text = z.string({ error: "This could not be read. Please type it again." }).default("");

const details = z.object({
  accountType: z
    .enum(["corporate", "individual"], { error: "Please choose Corporate or Individual." })
    .default("corporate"),
  code: text,
  firstName: text,
  lastName: text,
  email: text,
  password: text,
  passwordConfirmation: text,
});

type Field = keyof z.infer<typeof details>;
type Complaint = [field: Field, sentence: string];

/** What is said of each refusal, and beside which field (spec, section 5). A new one does not compile until it has words. */
const refusals: {
  [Reason in DetailsRefusal["reason"]]: (refusal: Extract<DetailsRefusal, { reason: Reason }>) => Complaint;
} = {
  "first-name-missing": () => ["firstName", "You need to enter a first name."],
  "last-name-missing": () => ["lastName", "You need to enter a surname."],
  "name-too-long": ({ field }) => [field, "This is too long: please use 80 characters or fewer."],
  "email-invalid": () => ["email", "You must use a valid email address"],
  "email-registered": () => ["email", "This email is already registered."],
  "password-short": () => ["password", "Password must be 8 characters or more."],
  "password-long": () => ["password", "Password must be 1024 characters or fewer."],
  "password-common": () => ["password", "This password is too easy to guess. Please choose another."],
  "password-mismatch": () => ["passwordConfirmation", "Password and password confirmation do not match."],
  "code-refused": ({ message }) => ["code", message],
  "code-unchecked": () => ["code", "An error occurred validating your coupon - contact us"],
};

/** Step 1: on to the plan, or back to the form with everything that is wrong with it. */
export async function saveDetails(form: FormData, { request, context, url }: ActionFunctionArgs) {
  requireVisitor(context);
  const submission = readSubmission(form, details, ["password", "passwordConfirmation"]);
  if (!submission.ok) return refuse({ form: "details", echo: submission.echo });

  const result = await requireRooms(context).signUp.saveDetails({
    ...submission.value,
    ...whereaboutsOf(context, url),
    token: await findChangeable(readDraftToken(request, url), context),
  });
  const to = wantedPath(url);
  if (result.ok) {
    return redirect(stepPath(2, to), { status: 303, headers: { "Set-Cookie": draftCookie(url, result.draft) } });
  }
  switch (result.reason) {
    case "paying":
      return redirect(stepPath(3, to), 303);
    case "too-many-attempts": {
      const sentence = `There were too many attempts. Please wait ${waitText(result.waitInMs)}, then try again.`;
      return refuse({ form: "details", echo: submission.echo(sentence) }, 429);
    }
    case "refused": {
      const isRegistered = result.refusals.some(({ reason }) => reason === "email-registered");
      const fieldErrors = toFieldErrors(result.refusals);
      return refuse({ form: "details", echo: submission.echo({ fieldErrors }), isRegistered });
    }
  }
}

/** The token of a draft that these details may replace: not a renewal's, and none that is over. */
async function findChangeable(token: string | undefined, context: ActionFunctionArgs["context"]) {
  const draft = token && (await requireRooms(context).signUp.findDraft(token));
  return draft && draft.purpose === "join" && !isSettled(draft) ? token : undefined;
}

/** The sentences by field, in the order in which the fields stand on the page. */
function toFieldErrors(refused: DetailsRefusal[]): Record<string, string[]> {
  const complaints = refused.map(complain);
  const wrong = Object.keys(details.shape).filter((name) => complaints.some(([field]) => field === name));
  return Object.fromEntries(
    wrong.map((name) => [name, complaints.filter(([field]) => field === name).map(([, sentence]) => sentence)]),
  );
}

function complain<Reason extends DetailsRefusal["reason"]>(
  refusal: Extract<DetailsRefusal, { reason: Reason }>,
): Complaint {
  return refusals[refusal.reason](refusal);
}
