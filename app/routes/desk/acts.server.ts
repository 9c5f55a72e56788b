import type { SubmissionResult } from "@conform-to/react";
import { type ActionFunctionArgs, data, href, redirect } from "react-router";
import { z } from "zod";

import type { Act, DeskForm, Download, FinishedAct, Made, RefusedAct } from "../../../server/operations/acts/act.ts";
import { type ActName, acts, predictAct, isActName, mayDo, runAct } from "../../../server/operations/acts/acts.ts";
import type { SubjectName } from "../../../server/operations/acts/subjects.ts";
import { REASON_MAX_LENGTH } from "../../../server/operations/operators/roles.ts";
import { desk as table, forms } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import { requestSource } from "../../frame/context.ts";
import { refuse, type Refusal, toFormResult } from "../../forms/answer.ts";
import { refuseTooMany, tooMany } from "../../forms/messages.ts";
import { readForm } from "../../forms/intents.ts";
import { parseForm } from "../../forms/parse-form.ts";
import { readText } from "../../forms/read-text.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { toPath, withSearch } from "../../frame/paths.ts";
import { redirectWithFlash, unsentActCookie } from "./cookies.ts";
import type { ShownFinding } from "./health/shown-finding.server.ts";
import { AGREED, toFormName } from "./use-desk.ts";
import { findDeskCaller, type DeskCaller } from "./operator.ts";
import { memberPath, companyPath, codePath } from "./parts/paths.ts";

/** For a form whose screen stays. */
export type DeskAnswer =
  | ActRefusal
  | { form: string; message: string; shownOnce: string[]; mailTo?: string | undefined }
  | { form: "show-secret"; secret: string; qrCode: { size: number; path: string } }
  | { form: "ask-parts"; message: string; findings: ShownFinding[] };

/** `willHappen`: the form is valid, and must be sent once more. */
export type ActRefusal = Refusal<string> & { willHappen?: string[] };

/** `{ member: "12" }` from the screen's address. An act about any other subject is refused there. */
export type ScreenSubject = Partial<Record<SubjectName, string>>;

/** Runs an act if an operator is logged in, may do it, has not reached the limit, and gives a reason. */
export async function runDeskAct(args: ActionFunctionArgs, about: ScreenSubject, read?: FormData) {
  const { context, url, request } = args;
  const form = read ?? (await readForm(request));
  const name = readText(form, "intent");
  if (!isActName(name) || acts[name].desk === undefined) throw data(forms["no-such-form"], { status: 400 });
  const services = requireServices(context);
  const formName = toFormName(name, readText(form, "item"));
  const caller = findDeskCaller(context);
  if (!caller) return keepUnsent(formName, form, { url, services });
  if (!mayDo(caller.operator.role, name)) {
    services.log.warn({ operator: caller.operator.id, act: name }, "an act of the desk was refused to a role");
    return refuse(formName, toFormResult(table["role-too-low"]), { status: 403 });
  }
  const wait = await services.operators.countAct(caller.operator.id);
  if (wait) return refuseTooMany(formName, wait);
  const result = await runForm(name, form, { ...requestSource(context, url), services, caller, about });
  if ("willHappen" in result) return data<DeskAnswer>({ form: formName, ...result });
  if (!result.ok) return refuse(formName, result.result);
  if (result.shownOnce) {
    const { message, shownOnce, mailTo } = result;
    return data<DeskAnswer>({ form: formName, message, shownOnce, mailTo });
  }
  if (result.download) return redirect(toDownloadPath(result.download), { status: 303 });
  const path = result.made ? pathTo(result.made) : result.isGone ? href("/desk/members") : toPath(url);
  return redirectWithFlash(path, result.message, { url, services });
}

function toDownloadPath(file: Download): string {
  const { pass } = file;
  if ("member" in file) return withSearch(memberPath(file.member), { export: pass });
  const { name } = file;
  return withSearch(href("/desk/:list.csv", { list: name.replace(/\.csv$/, "") }), { pass });
}

function pathTo({ subject, id }: Made): string {
  return subject === "code" ? codePath(id) : companyPath(Number(id));
}

type DeskSource = { services: Services; caller: DeskCaller; about: ScreenSubject; site: string; address: string };

const reason = z
  .string({ error: table["reason-missing"] })
  .trim()
  .min(1, table["reason-missing"])
  .max(REASON_MAX_LENGTH, table["reason-long"]);

const password = z.string({ error: table["password-missing"] }).max(1024, table["password-wrong"]);

/**
 * Checks reason and password, and runs the act with the other fields. An act with a prediction runs once the form
 * repeats exactly its present words: another operator may have changed them meanwhile.
 */
async function runForm(
  name: ActName,
  form: FormData,
  { services, caller, about, ...from }: DeskSource,
): Promise<FinishedAct | { ok: false; result: SubmissionResult } | { willHappen: string[]; result: SubmissionResult }> {
  const act: Act = acts[name];
  const { ownReason, needsPassword = false } = act.desk as DeskForm;
  const shown = Object.entries(act.fields).filter(([, { atDesk }]) => atDesk === undefined);
  const hidden = Object.entries(act.fields).filter(([, { atDesk }]) => atDesk !== undefined);
  const shape = Object.fromEntries(shown.map(([field, { schema }]) => [field, schema]));
  const own = { ...(ownReason === undefined && { reason }), ...(needsPassword && { password }) };
  const given = parseForm(form, z.object({ ...shape, ...own }), ["password"]);
  if (!given.ok) return { ok: false, result: given.reply() };
  const { reason: typed = ownReason, password: proof, ...values } = given.value as Record<string, unknown>;
  for (const [field, { schema, atDesk }] of hidden) values[field] = schema.parse(atDesk || undefined);
  const refused = typeof proof === "string" ? await refusePassword(proof, { services, caller, ...from }) : undefined;
  const request = { subject: about[act.subject] ?? "", item: readText(form, "item"), values };
  const by = { operator: caller.operator.email, reason: typed as string };
  const source = { ...from, services, by, self: caller, mailFolder: undefined };
  const prediction = refused ?? (await predictAct(name, request, source));
  if (Array.isArray(prediction) && prediction.join(" ") !== readText(form, AGREED)) {
    return { willHappen: prediction, result: given.reply() };
  }
  const result = Array.isArray(prediction) ? await runAct(name, request, source) : prediction;
  if (result.ok) return result;
  const { "": formErrors = [], ...fieldErrors } = result.errors;
  return { ok: false, result: given.reply({ formErrors, fieldErrors }) };
}

async function refusePassword(
  typed: string,
  { services, caller: { operator }, address }: Pick<DeskSource, "services" | "caller" | "address">,
): Promise<RefusedAct | undefined> {
  const proof = await services.operators.provePassword({ operator, password: typed, address });
  if (proof.ok) return undefined;
  if (proof.reason === "too-many-attempts") return { ok: false, errors: { "": [tooMany(proof.waitInMs)] } };
  return { ok: false, errors: { password: [table["password-wrong"]] } };
}

/** The session has ended: the form returns after the log-in. */
function keepUnsent(form: string, typed: FormData, { url, services }: { url: URL; services: Services }) {
  const values = Object.fromEntries(
    [...typed].filter((pair): pair is [string, string] => typeof pair[1] === "string" && pair[0] !== "password"),
  );
  const at = { url, services };
  const cookie = unsentActCookie.write({ form, values }, at) ?? unsentActCookie.write({ form, values: {} }, at);
  return redirect(toPath(url), { status: 303, headers: cookie ? { "Set-Cookie": cookie } : {} });
}
