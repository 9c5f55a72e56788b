import { type ActionFunctionArgs, data, redirect } from "react-router";

import { forms } from "../../../../server/refusals.ts";
import { readBrowser, requestSource } from "../../../frame/context.ts";
import { sessionCookie } from "../../../frame/cookies.ts";
import { parseForm } from "../../../forms/parse-form.ts";
import { readText } from "../../../forms/read-text.ts";
import { refuse } from "../../../forms/answer.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { returnPath } from "../../../frame/paths.ts";
import { askLinkPath, linkPath } from "./paths.ts";
import { addressForm, sendTo } from "./reset.ts";

/** Its two pages: an address is asked for, and the answer is the same whether it has an account. */
export type AskLinkScreen = { name: "ask-link"; isSent: boolean };

/** `undefined` for any other address, and where members log in by password alone. */
export function findAskLink({ context, url }: Pick<ActionFunctionArgs, "context" | "url">): AskLinkScreen | undefined {
  const step = url.searchParams.get("link");
  if (step === null || !requireServices(context).capabilities.canLogInWithoutPassword) return undefined;
  return { name: "ask-link", isSent: step === "sent" };
}

export async function requestLink(form: FormData, args: ActionFunctionArgs) {
  const submission = parseForm(form, addressForm, []);
  if (!submission.ok) return refuse("link-request", submission.reply());
  const { logInLink, capabilities } = requireServices(args.context);
  if (!capabilities.canLogInWithoutPassword) throw data(forms["no-such-form"], { status: 400 });
  const source = { ...requestSource(args.context, args.url), email: submission.value.email };
  const refusal = await sendTo({ form: "link-request", reply: submission.reply }, args, () =>
    logInLink.request(source),
  );
  return refusal ?? redirect(askLinkPath("sent", returnPath(args.url)), 303);
}

/** Logs in the browser in which the email's link was opened, whichever asked for it. */
export async function enterByLink(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const token = readText(form, "token");
  const session = await requireServices(context).logInLink.use(token, readBrowser(request, context));
  if (!session) return redirect(linkPath("enter", token), 303);
  return redirect("/", { status: 303, headers: { "Set-Cookie": sessionCookie(url, session) } });
}
