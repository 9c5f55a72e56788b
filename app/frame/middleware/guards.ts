import { data, redirect, type ActionFunctionArgs, type RouterContextProvider } from "react-router";

import type { Member } from "../../../server/members/accounts/accounts.ts";
import type { Services } from "../../../server/services.ts";
import { forms } from "../../../server/refusals.ts";
import { servicesContext, callerContext } from "../context.ts";
import { readText } from "../../forms/read-text.ts";
import { isDashboard, toPath } from "../paths.ts";
import { unsentForm } from "../cookies.ts";

type Context = Readonly<RouterContextProvider>;

export function requireServices(context: Context): Services {
  const services = context.get(servicesContext);
  if (!services) throw new Error("The services are not open: is `servicesMiddleware` missing?");
  return services;
}

/** Sends a visitor to sign-up, and from there back to this page (docs/behaviour.md, Access). */
export function requireMember(context: Context, url: URL): Member {
  const { member } = context.get(callerContext);
  if (member) return member;
  const path = toPath(url);
  throw redirect(isDashboard(path) ? "/signup" : `/signup?to=${encodeURIComponent(path)}`);
}

type SentForm = {
  form: FormData;
  /** Their texts may be stored during a log-in: no passwords, no codes. */
  savedFields?: string[];
  path?: string;
};

/** A visitor logs in first and returns to the form, with the typed text. */
export function requireSender({ context, url }: ActionFunctionArgs, sent: SentForm): Member {
  const { member } = context.get(callerContext);
  if (member) return member;
  const { form, savedFields = [], path = toPath(url) } = sent;
  const at = { url, services: requireServices(context) };
  const values = Object.fromEntries(savedFields.map((name) => [name, readText(form, name)]));
  const cookie = unsentForm.write({ path, values }, at) ?? unsentForm.write({ path, values: {} }, at);
  const headers = cookie === undefined ? {} : { "Set-Cookie": cookie };
  throw redirect(`/login?to=${encodeURIComponent(path)}`, { status: 303, headers });
}

/** For a member with access. Others learn nothing about the content. */
export async function requireActiveMember(context: Context): Promise<Member> {
  const { member } = context.get(callerContext);
  const access = member && (await requireServices(context).membership.findAccess(member.id));
  if (!member || !access?.isActive) throw data(forms["no-subscription"], { status: 403 });
  return member;
}

/** Sends a logged-in member home: sign-up and log-in are for visitors (docs/behaviour.md, Access). */
export function requireVisitor(context: Context): void {
  if (context.get(callerContext).member) throw redirect("/");
}
