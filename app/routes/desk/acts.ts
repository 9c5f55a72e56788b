import { type ActionFunctionArgs, data, redirect } from "react-router";

import { type Act, acts, mayDo } from "../../../server/operators/rules.ts";
import { desk as table } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import { requestSource } from "../../context.ts";
import { refuse, type Refusal, sayOfForm } from "../../forms/answer.ts";
import { tooMany, tooSoon } from "../../forms/messages.ts";
import { textOf } from "../../forms/text-of.ts";
import { requireServices } from "../../middleware/guards.ts";
import { pathOf } from "../../paths.ts";
import { accessActs } from "./access.ts";
import { codeActs } from "./codes.ts";
import { companyActs } from "./companies.ts";
import { flashCookie, unsentActCookie } from "./cookies.ts";
import type { Asked, DeskAct } from "./define-act.ts";
import { emailActs } from "./emails.ts";
import { memberActs } from "./member-acts.ts";
import { catalogueActs, type ShownFinding } from "./health.ts";
import { findVisitor, type Visitor } from "./operator.ts";
import { formNameOf, readSubject } from "./view.ts";
import { webhookActs } from "./webhooks.ts";

/** The answer to a form of the desk whose screen stays. */
export type DeskAnswer =
  | Refusal<string>
  | { form: string; message: string; shownOnce: string[] }
  | { form: "show-secret"; secret: string; qrCode: { size: number; path: string } }
  | { form: "ask-parts"; message: string; findings: ShownFinding[] };

/** Every act, by the intent of its form. One that the table of roles names and that is missing here does not compile. */
const allActs: Record<Act, DeskAct> = {
  ...memberActs,
  ...emailActs,
  ...webhookActs,
  ...catalogueActs,
  ...companyActs,
  ...codeActs,
  ...accessActs,
};

/** Whether a form of the desk is an act of the table. */
export function isAct(intent: string): intent is Act {
  return Object.hasOwn(acts, intent);
}

/** Does an act if an operator is logged in, may do it, has not done too many, and gives a reason. */
export async function runAct(intent: Act, form: FormData, args: ActionFunctionArgs) {
  const { context, url } = args;
  const services = requireServices(context);
  const name = formNameOf(intent, textOf(form, "subject"));
  const visitor = findVisitor(context);
  if (!visitor) return keepUnsent(name, form, { url, services });
  if (!mayDo(visitor.operator.role, intent)) {
    services.log.warn({ operator: visitor.operator.id, act: intent }, "an act of the desk was refused to a role");
    return refuse(name, sayOfForm(table.ours["role-too-low"]), { status: 403 });
  }
  const wait = await services.operators.countAct(visitor.operator.id);
  if (wait) return refuse(name, sayOfForm(tooMany(wait.waitInMs)), tooSoon(wait.waitInMs));
  const result = await unlessKeptElsewhere(allActs[intent](form, askedOf(args, visitor, services)));
  if (!result.ok) return refuse(name, result.result);
  if ("shownOnce" in result) {
    return data<DeskAnswer>({ form: name, message: result.message, shownOnce: result.shownOnce });
  }
  const flash = flashCookie.write({ message: result.message, at: services.clock().getTime() }, { url, services });
  return redirect(result.path ?? pathOf(url), { status: 303, headers: flash ? { "Set-Cookie": flash } : {} });
}

/** What a provider keeps can be changed only there. The refusal says so. */
async function unlessKeptElsewhere(work: ReturnType<DeskAct>): ReturnType<DeskAct> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "KeptElsewhereError") throw error;
    return { ok: false, result: sayOfForm(error.message) };
  }
}

function askedOf({ context, url }: ActionFunctionArgs, { operator, tokenHash }: Visitor, services: Services): Asked {
  return { services, operator, tokenHash, subject: readSubject(url.searchParams), ...requestSource(context, url) };
}

/** The session has ended: the screen shows the log-in, and afterwards the form as it was. */
function keepUnsent(form: string, typed: FormData, { url, services }: { url: URL; services: Services }) {
  const values = Object.fromEntries(
    [...typed].filter((pair): pair is [string, string] => typeof pair[1] === "string" && pair[0] !== "password"),
  );
  const at = { url, services };
  const cookie = unsentActCookie.write({ form, values }, at) ?? unsentActCookie.write({ form, values: {} }, at);
  return redirect(pathOf(url), { status: 303, headers: cookie ? { "Set-Cookie": cookie } : {} });
}
