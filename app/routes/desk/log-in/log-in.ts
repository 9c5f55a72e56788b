import { type ActionFunctionArgs, data, href, redirect } from "react-router";
import { z } from "zod";

import type { InvitationRefusal } from "../../../../server/operations/operators/invitations.ts";
import { desk as table, forms, logIn as logInTable } from "../../../../server/refusals.ts";
import type { Services } from "../../../../server/services.ts";
import { readBrowser, requestSource } from "../../../frame/context.ts";
import { refuse } from "../../../forms/answer.ts";
import { type FieldMessage, newPasswordMessages, refuseTooMany, toFieldErrors } from "../../../forms/messages.ts";
import { parseForm } from "../../../forms/parse-form.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { returnPath } from "../../../frame/paths.ts";
import { drawQrCode } from "../../../paper/qr-code.ts";
import type { DeskAnswer } from "../acts.server.ts";
import { deskSession } from "../cookies.ts";

/** An operator's first visit by an invitation, log-in and log-out. */

export async function findInvitation({ operators }: Services, { searchParams }: URL): Promise<string | undefined> {
  const token = searchParams.get("invitation");
  const invitation = token === null ? undefined : await operators.findInvitation(token);
  return invitation?.operator.email;
}

/** The app's key is only on this answer's page: mail scanners open links. */
export async function showSecret(_: FormData, { context, url }: ActionFunctionArgs) {
  const shown = await requireServices(context).operators.showSecret(url.searchParams.get("invitation") ?? "");
  if (!shown) throw data(forms["no-such-form"], { status: 400 });
  const secret = shown.secret.replaceAll(/(.{4})(?!$)/g, "$1 ");
  return data<DeskAnswer>({ form: "show-secret", secret, qrCode: drawQrCode(shown.uri) });
}

const credentials = z.object({
  email: z.string({ error: logInTable["email-missing"] }).max(254, logInTable["email-missing"]),
  password: z.string({ error: logInTable["password-missing"] }).max(1024, logInTable["password-missing"]),
  code: z.string({ error: table["code-missing"] }).max(40, table["code-missing"]),
});

export async function logIn(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const submission = parseForm(form, credentials, ["password", "code"]);
  if (!submission.ok) return refuse("log-in", submission.reply());
  const { value, reply } = submission;
  const { address } = requestSource(context, url);
  const { userAgent } = readBrowser(request, context);
  const result = await requireServices(context).operators.logIn({ ...value, address, userAgent });
  if (result.ok) {
    return redirect(returnPath(url) ?? href("/desk"), {
      status: 303,
      headers: { "Set-Cookie": deskSession.write(url, result.session.token) },
    });
  }
  if (result.reason === "too-many-attempts") return refuseTooMany("log-in", result, reply);
  return refuse("log-in", reply({ formErrors: [table["wrong-credentials"]] }));
}

const invitationFields = z.object({
  password: z.string().default(""),
  passwordConfirmation: z.string().default(""),
  code: z.string({ error: table["code-missing"] }).max(40, table["code-missing"]),
});

const invitationMessages: Record<InvitationRefusal, FieldMessage<"password" | "passwordConfirmation" | "code">> = {
  ...newPasswordMessages,
  "code-wrong": ["code", table["code-wrong"]],
};

/** The answer shows the recovery codes and sets the session. */
export async function acceptInvitation(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const submission = parseForm(form, invitationFields, ["password", "passwordConfirmation", "code"]);
  if (!submission.ok) return refuse("invitation", submission.reply());
  const { password, passwordConfirmation: confirmation, code } = submission.value;
  const { operators } = requireServices(context);
  const { userAgent } = readBrowser(request, context);
  const token = url.searchParams.get("invitation") ?? "";
  const result = await operators.acceptInvitation({ token, password, confirmation, code, userAgent });
  if (!result.ok) {
    if (result.reason === "too-many-attempts") return refuseTooMany("invitation", result, submission.reply);
    if (result.reason === "over") throw data(forms["no-such-form"], { status: 400 });
    const fieldErrors = toFieldErrors(result.refusals.map((refusal) => invitationMessages[refusal]));
    return refuse("invitation", submission.reply({ fieldErrors }));
  }
  const headers = { "Set-Cookie": deskSession.write(url, result.session.token) };
  const message =
    "Your account is ready. These recovery codes let you in if you lose your phone. Write them down now: we won't show them again.";
  return data<DeskAnswer>({ form: "invitation", message, shownOnce: result.recoveryCodes }, { headers });
}

export async function logOut(_: FormData, { request, context, url }: ActionFunctionArgs) {
  const token = deskSession.read(request, url);
  if (token !== undefined) await requireServices(context).operators.endSession(token);
  return redirect(href("/desk"), { status: 303, headers: { "Set-Cookie": deskSession.end(url) } });
}
