import {
  type ActionFunctionArgs,
  createContext,
  data,
  href,
  type MiddlewareFunction,
  redirect,
  type RouterContextProvider,
} from "react-router";
import { z } from "zod";

import type { FoundContactSession } from "../../../server/money/companies/page/contact-sessions.ts";
import { companyPage as table, emailCodes } from "../../../server/refusals.ts";
import { requestSource } from "../../frame/context.ts";
import { refuse, type Refusal } from "../../forms/answer.ts";
import { refuseTooMany, typedCode } from "../../forms/messages.ts";
import { parseForm } from "../../forms/parse-form.ts";
import { readText } from "../../forms/read-text.ts";
import { toCount } from "../../../server/platform/count.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { withSearch } from "../../frame/paths.ts";
import { contactSession, sentCookie } from "./cookies.ts";

/** Log-in by an emailed code or link, and log-out. */

/** `token`: of the session. */
export type ContactCaller = FoundContactSession & { token: string };

const contactContext = createContext<ContactCaller | null>(null);

export const contactMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const token = contactSession.read(request, url);
  if (token === undefined) return;
  const session = await requireServices(context).companyPage.findSession(token);
  if (session) context.set(contactContext, { ...session, token });
};

export function findContact(context: Readonly<RouterContextProvider>): ContactCaller | undefined {
  return context.get(contactContext) ?? undefined;
}

/** Throws a 403 without a session; the layout then shows the log-in in place of the screen. */
export function requireContact(context: Readonly<RouterContextProvider>): ContactCaller {
  const visitor = findContact(context);
  if (!visitor) throw data(table["not-logged-in"], { status: 403 });
  return visitor;
}

export type CompanyAnswer = Refusal<"company-log-in" | "company-code">;

const addressForm = z.object({
  email: z.string({ error: table["email-invalid"] }).max(254, table["email-invalid"]),
});

/** Step 1: the answer is the same for an address that is no contact's. */
export async function requestCode(form: FormData, { context, url }: ActionFunctionArgs) {
  const submission = parseForm(form, addressForm, []);
  if (!submission.ok) return refuse("company-log-in", submission.reply());
  const services = requireServices(context);
  const email = submission.value.email;
  const result = await services.companyPage.requestLogIn({ email, ...requestSource(context, url) });
  if (!result.ok) {
    if (result.reason === "too-many-attempts") return refuseTooMany("company-log-in", result, submission.reply);
    return refuse("company-log-in", submission.reply({ fieldErrors: { email: [table["email-invalid"]] } }));
  }
  const cookie = sentCookie.write({ email }, { url, services });
  return redirect(withSearch(href("/company"), { step: "code" }), {
    status: 303,
    headers: cookie ? { "Set-Cookie": cookie } : {},
  });
}

const codeForm = z.object({ code: typedCode });

/** Step 2: the emailed code, in the browser that requested it. */
export async function answerCode(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const services = requireServices(context);
  const email = sentCookie.read(request, { url, services })?.email;
  if (email === undefined) return redirect(href("/company"), 303);
  const submission = parseForm(form, codeForm, ["code"]);
  if (!submission.ok) return refuse("company-code", submission.reply());
  const { address } = requestSource(context, url);
  const { code } = submission.value;
  const replacedToken = contactSession.read(request, url);
  const result = await services.companyPage.logInByCode({ email, code, address, replacedToken });
  if (result.ok) return enter(url, result.session);
  if (result.reason === "too-many-attempts") return refuseTooMany("company-code", result, submission.reply);
  return refuse("company-code", submission.reply({ fieldErrors: { code: [emailCodes[result.reason]] } }));
}

/** The button behind the email's link, on any device. */
export async function useLink(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const token = readText(form, "token");
  const replacedToken = contactSession.read(request, url);
  const session = await requireServices(context).companyPage.logInByLink({ token, replacedToken });
  return session ? enter(url, session) : redirect(withSearch(href("/company"), { token }), 303);
}

function enter(url: URL, session: { token: string }) {
  const headers = new Headers();
  headers.append("Set-Cookie", contactSession.write(url, session.token));
  headers.append("Set-Cookie", sentCookie.clear({ url }));
  return redirect(href("/company"), { status: 303, headers });
}

export async function switchCompany(form: FormData, { context }: ActionFunctionArgs) {
  const { token } = requireContact(context);
  const contactId = toCount(readText(form, "contact")) ?? 0;
  if (!(await requireServices(context).companyPage.switchCompany({ token, contactId }))) {
    throw data(table["no-company"], { status: 403 });
  }
  return redirect(href("/company"), 303);
}

export async function logOut(_: FormData, { request, context, url }: ActionFunctionArgs) {
  const token = contactSession.read(request, url);
  if (token !== undefined) await requireServices(context).companyPage.endSession(token);
  return redirect(href("/company"), { status: 303, headers: { "Set-Cookie": contactSession.end(url) } });
}
