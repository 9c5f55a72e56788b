import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { ChangePasswordResult } from "../../../../server/accounts/profile.ts";
import { profile as table } from "../../../../server/refusals.ts";
import { addressContext, visitorContext } from "../../../context.ts";
import { toFieldErrors, type Complaint } from "../../../forms/field-errors.ts";
import { newPasswordWords } from "../../../forms/password-words.ts";
import { readSubmission } from "../../../forms/read-submission.ts";
import { tooMany, tooSoon } from "../../../forms/wait-text.ts";
import { requireRooms, requireSender } from "../../../middleware/guards.ts";
import { refuse, tell } from "./answers.ts";

/** Whatever is missing is an empty text, which the room has a word for. */
const text = z.string().default("");
const passwords = z.object({ oldPassword: text, password: text, passwordConfirmation: text });

type Reason = Extract<ChangePasswordResult, { reason: "refused" }>["refusals"][number];

const words: Record<Reason, Complaint<keyof z.infer<typeof passwords>>> = {
  ...newPasswordWords,
  "old-password-wrong": ["oldPassword", table.ours["password-wrong"]],
};

/** Another password for who knows the old one; every other device is signed out. */
export async function changePassword(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const submission = readSubmission(form, passwords, Object.keys(passwords.shape));
  if (!submission.ok) return refuse({ form: "password", echo: submission.echo });
  const { oldPassword, password, passwordConfirmation: confirmation } = submission.value;
  const result = await requireRooms(args.context).profile.changePassword({
    memberId,
    oldPassword,
    password,
    confirmation,
    keptToken: args.context.get(visitorContext).token,
    address: args.context.get(addressContext),
  });
  if (result.ok) return tell("password-changed", args);
  if (result.reason === "too-many-attempts") {
    return refuse({ form: "password", echo: submission.echo(tooMany(result.waitInMs)) }, tooSoon(result.waitInMs));
  }
  const fieldErrors = toFieldErrors(
    passwords,
    result.refusals.map((reason) => words[reason]),
  );
  return refuse({ form: "password", echo: submission.echo({ fieldErrors }) });
}
