import { redirectDocument, type ActionFunctionArgs } from "react-router";

import { profile } from "../../../../server/refusals.ts";
import { endedSessionCookie } from "../../../cookies.ts";
import { toEcho } from "../../../forms/read-submission.ts";
import { textOf } from "../../../forms/text-of.ts";
import { tooMany, tooSoon } from "../../../forms/wait-text.ts";
import { requireRooms, requireSender } from "../../../middleware/guards.ts";
import { whereaboutsOf } from "../../../whereabouts.ts";
import { outcomePath } from "../../login/paths.ts";
import { forgetting } from "../log-out.ts";
import { refuse } from "./answers.ts";

const WRONG = { fieldErrors: { closingPassword: [profile.ours["password-wrong"]] } };

/** Closes the account, and leads out by a page load, so that nothing of the member stays in the browser's memory. */
export async function closeAccount(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const { context, url } = args;
  const password = textOf(form, "closingPassword");
  const result = await requireRooms(context).closure.close({ memberId, password, ...whereaboutsOf(context, url) });
  if (result.ok) {
    const headers = { "Set-Cookie": endedSessionCookie(url), ...forgetting };
    return redirectDocument(outcomePath("closed"), { status: 303, headers });
  }
  return result.reason === "password-wrong"
    ? refuse({ form: "close", echo: toEcho(WRONG) })
    : refuse({ form: "close", echo: toEcho(tooMany(result.waitInMs)) }, tooSoon(result.waitInMs));
}
