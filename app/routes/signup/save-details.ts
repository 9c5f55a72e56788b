import { redirect, type ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { DetailsRefusal } from "../../../server/sign-up/sign-up.ts";
import { forms, person, signUp } from "../../../server/refusals.ts";
import { draftCookie, readDraftToken } from "../../cookies.ts";
import { toFieldErrors, type Complaint } from "../../forms/field-errors.ts";
import { newPasswordWords } from "../../forms/password-words.ts";
import { personWords } from "../../forms/person-words.ts";
import { readSubmission } from "../../forms/read-submission.ts";
import { tooMany, tooSoon } from "../../forms/wait-text.ts";
import { requireRooms, requireVisitor } from "../../middleware/guards.ts";
import { wantedPath, whereaboutsOf } from "../../whereabouts.ts";
import { refuse } from "./form-answer.ts";
import { isSettled, stepPath } from "./steps.ts";

/** Whatever is missing is an empty text, so that the room sees all of it and says everything at once. */
const text = z.string({ error: forms.ours["text-unreadable"] }).default("");

const details = z.object({
  accountType: z.enum(["corporate", "individual"], { error: signUp.ours["account-type-missing"] }).default("corporate"),
  code: text,
  firstName: text,
  lastName: text,
  email: text,
  password: text,
  passwordConfirmation: text,
});

type Field = keyof z.infer<typeof details>;

/** Refusals that bring their field or their sentence along. */
type Others = "name-too-long" | "code-refused";

/** What is said of every other refusal, and beside which field (spec, section 5). A new one does not compile until it has words. */
const words: Record<Exclude<DetailsRefusal["reason"], Others>, Complaint<Field>> = {
  ...personWords,
  ...newPasswordWords,
  "password-short": ["password", signUp.spec["password-short"]],
  "password-mismatch": ["passwordConfirmation", signUp.spec["password-mismatch"]],
  "code-unchecked": ["code", signUp.spec["code-unchecked"]],
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
    case "too-many-attempts":
      return refuse({ form: "details", echo: submission.echo(tooMany(result.waitInMs)) }, tooSoon(result.waitInMs));
    case "refused": {
      const isRegistered = result.refusals.some(({ reason }) => reason === "email-registered");
      const fieldErrors = toFieldErrors(details, result.refusals.map(complain));
      return refuse({ form: "details", echo: submission.echo({ fieldErrors }), isRegistered });
    }
  }
}

/** The token of a draft that these details may replace: not a renewal's, and none that is over. */
async function findChangeable(token: string | undefined, context: ActionFunctionArgs["context"]) {
  const draft = token && (await requireRooms(context).signUp.findDraft(token));
  return draft && draft.purpose === "join" && !isSettled(draft) ? token : undefined;
}

function complain(refusal: DetailsRefusal): Complaint<Field> {
  if (refusal.reason === "name-too-long") return [refusal.field, person.ours["name-long"]];
  if (refusal.reason === "code-refused") return ["code", refusal.message];
  return words[refusal.reason];
}
