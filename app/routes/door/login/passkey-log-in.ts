import { type ActionFunctionArgs, data } from "react-router";

import { forms, passkeys as table } from "../../../../server/refusals.ts";
import { refuse, toFormResult } from "../../../forms/answer.ts";
import { tooMany, tooSoon } from "../../../forms/messages.ts";
import { memberChallenge, toPasskeySite } from "../../../forms/passkey-challenge.ts";
import { readText } from "../../../forms/read-text.ts";
import { readBrowser, requestSource } from "../../../frame/context.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { enter } from "./enter.ts";

/** The device's answer, which script puts into the form. */
export async function logInByPasskey(form: FormData, args: ActionFunctionArgs) {
  const { request, context, url } = args;
  const { capabilities, memberPasskeys } = requireServices(context);
  if (!capabilities.canLogInWithoutPassword) throw data(forms["no-such-form"], { status: 400 });
  const response = readText(form, "response");
  const answer = {
    ...toPasskeySite(url),
    ...readBrowser(request, context),
    challenge: memberChallenge.read("log-in", response, args) ?? "",
    response,
    address: requestSource(context, url).address,
  };
  const result = answer.challenge === "" ? undefined : await memberPasskeys.logIn(answer);
  if (result?.ok) return enter(result.session, args);
  if (result?.reason === "too-many-attempts")
    return refuse("passkey-log-in", toFormResult(tooMany(result.waitInMs)), tooSoon(result.waitInMs));
  return refuse("passkey-log-in", toFormResult(table.refused));
}
