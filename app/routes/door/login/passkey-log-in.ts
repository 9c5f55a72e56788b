import { type ActionFunctionArgs, data } from "react-router";

import { forms, passkeys as table } from "../../../../server/refusals.ts";
import { refuse, toFormResult } from "../../../forms/answer.ts";
import { refuseTooMany } from "../../../forms/messages.ts";
import { memberChallenge } from "../../../forms/passkey-challenge.ts";
import { readBrowser, requestSource } from "../../../frame/context.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { enter } from "./enter.ts";

/** The device's answer, which script puts into the form. */
export async function logInByPasskey(form: FormData, args: ActionFunctionArgs) {
  const { request, context, url } = args;
  const { capabilities, memberPasskeys } = requireServices(context);
  if (!capabilities.canLogInWithoutPassword) throw data(forms["no-such-form"], { status: 400 });
  const answer = {
    ...memberChallenge.read("log-in", form, args),
    ...readBrowser(request, context),
    address: requestSource(context, url).address,
  };
  const result = answer.challenge === "" ? undefined : await memberPasskeys.logIn(answer);
  if (result?.ok) return enter(result.session, args);
  if (result?.reason === "too-many-attempts") return refuseTooMany("passkey-log-in", result);
  return refuse("passkey-log-in", toFormResult(table.refused));
}
