import { actionText as otherActionText, type AuditAction, otherActions } from "../../platform/audit/labels.ts";
import { hasRole, REASON_MAX_LENGTH, type Role } from "../operators/roles.ts";
import { accessActs } from "./access-acts.ts";
import {
  type Act,
  type ActContext,
  type ActRequest,
  type ActResult,
  type ActSource,
  type DeskForm,
  type Prediction,
  refuseAct,
  type RefusedAct,
} from "./act.ts";
import { codeActs } from "./code-acts.ts";
import { companyActs } from "./company-acts.ts";
import { contractActs } from "./contract-acts.ts";
import { giftActs } from "./gift-acts.ts";
import { healthActs } from "./health-acts.ts";
import { listActs } from "./list-acts.ts";
import { mailActs } from "./mail-acts.ts";
import { memberActs } from "./member-acts.ts";
import { membershipActs } from "./membership-acts.ts";
import { mergeActs } from "./merge-acts.ts";
import { noteActs } from "./note-acts.ts";
import { operatorActs } from "./operator-acts.ts";
import { personalDataActs } from "./personal-data-acts.ts";
import { refundActs } from "./refund-acts.ts";
import type { Field } from "./fields.ts";
import { subjects } from "./subjects.ts";

export const acts = {
  ...memberActs,
  ...membershipActs,
  ...refundActs,
  ...giftActs,
  ...personalDataActs,
  ...codeActs,
  ...companyActs,
  ...contractActs,
  ...mergeActs,
  ...noteActs,
  ...listActs,
  ...mailActs,
  ...healthActs,
  ...accessActs,
  ...operatorActs,
};

export type ActName = keyof typeof acts;

export const actNames = Object.keys(acts) as ActName[];

export function isActName(name: string): name is ActName {
  return Object.hasOwn(acts, name);
}

export function mayDo(role: Role, name: ActName): boolean {
  const { desk } = acts[name];
  return desk !== undefined && hasRole(role, desk.role);
}

type Call = { request: ActRequest; source: ActSource };

/** Finds the subject, runs the act and writes the audit line. */
export async function runAct(name: ActName, request: ActRequest, source: ActSource): Promise<ActResult> {
  return runAbout(name, await findSubject(name, request, source), { request, source });
}

/** For a subject that is found already; `undefined` is refused. */
export async function runAbout(name: ActName, found: unknown, call: Call): Promise<ActResult> {
  const act: Act = acts[name];
  const ctx = toContext(name, found, call);
  return "ok" in ctx ? ctx : refuseElsewhere(() => act.run(call.request.values as never, ctx));
}

/** Empty for an act that the desk runs without asking again. */
export async function predictAct(name: ActName, request: ActRequest, source: ActSource): Promise<Prediction> {
  const act: Act = acts[name];
  if (!act.predict) return [];
  const ctx = toContext(name, await findSubject(name, request, source), { request, source });
  return "ok" in ctx ? ctx : refuseElsewhere(async () => (await act.predict?.(request.values as never, ctx)) ?? []);
}

/** The refusal says that the provider's data can be changed only there. */
async function refuseElsewhere<Result>(work: () => Promise<Result>): Promise<Result | RefusedAct> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "StoredElsewhereError") throw error;
    return refuseAct(error.message);
  }
}

async function findSubject(name: ActName, { subject }: ActRequest, { services, self }: ActSource): Promise<unknown> {
  return subjects[acts[name].subject].find(services, subject, self);
}

function toContext(name: ActName, found: unknown, { request: { item }, source }: Call): ActContext<never> | RefusedAct {
  const act: Act = acts[name];
  if (found === undefined) return refuseAct(subjects[act.subject].missingAtDesk);
  if (isClosed(found) && !act.isForClosed) return refuseAct(subjects.member.missingAtDesk);
  const { services, by } = source;
  // An act has its own words, so the audit log's table lacks its name.
  const action = (typeof act.audit === "string" ? name : act.audit.as) as AuditAction;
  return {
    ...source,
    subject: found as never,
    item,
    record: ({ memberId, facts = {} }, trx) => services.audit.record({ ...by, action, memberId, facts }, trx),
  };
}

function isClosed(found: unknown): boolean {
  return typeof found === "object" && found !== null && "eraseAt" in found && found.eraseAt !== undefined;
}

export function actionText(action: string): string {
  const audit = isActName(action) ? acts[action].audit : undefined;
  return typeof audit === "string" ? audit : otherActionText(action);
}

/** All that an entry of the audit log may say that was done, by its words. */
export function listActions(): { action: string; text: string }[] {
  const recorded = actNames.filter((name) => typeof acts[name].audit === "string");
  return [...recorded, ...otherActions]
    .map((action) => ({ action, text: actionText(action) }))
    .toSorted((a, b) => a.text.localeCompare(b.text, "en"));
}

export type ShownField = Pick<Field, "label" | "hint" | "options" | "isOptional" | "lines" | "maxLength"> & {
  name: string;
  type?: "text" | "email" | "password";
  autoComplete?: string;
};

export type ShownAct = Pick<DeskForm, "isEnding" | "title" | "button" | "pending" | "note" | "isDownload"> & {
  name: ActName;
  fields: ShownField[];
  /** The desk shows the prediction, and asks once more. */
  asks: boolean;
};

/** For the loader of a screen with their forms. `undefined` for acts of a higher role. @throws for an act of the command line alone. */
export function describeActs<Name extends ActName>(
  role: Role,
  names: readonly Name[],
): Record<Name, ShownAct | undefined> {
  const described = names.map((name) => [name, describeAct(role, name)]);
  return Object.fromEntries(described) as Record<Name, ShownAct | undefined>;
}

export function describeAct(role: Role, name: ActName): ShownAct | undefined {
  const shown = shownActs.get(name);
  if (!shown) throw new Error(`The act ${name} has no form at the desk`);
  return mayDo(role, name) ? shown : undefined;
}

/** For forms that a loader chooses by the state of its subject. */
export function describeForms<Form extends { act: ActName }>(role: Role, forms: Form[]) {
  return forms.map(({ act, ...form }) => Object.assign(form, { act: describeAct(role, act) }));
}

function toShownAct(name: ActName): ShownAct | undefined {
  const { desk, fields, ...act }: Act = acts[name];
  if (!desk) return undefined;
  const { isEnding, title, button, pending, note, ownReason, needsPassword, isDownload } = desk;
  const own = Object.entries(fields).filter(([, { atDesk }]) => atDesk === undefined);
  return {
    name,
    title,
    button,
    pending,
    ...(isEnding && { isEnding }),
    ...(note !== undefined && { note }),
    asks: act.predict !== undefined,
    ...(isDownload && { isDownload }),
    fields: [
      ...own.map(([key, field]) => describeField(key, field)),
      ...(needsPassword ? [passwordField] : []),
      ...(ownReason === undefined ? [reasonField] : []),
    ],
  };
}

function describeField(name: string, { label, hint, type, options, isOptional, lines, maxLength }: Field): ShownField {
  return {
    name,
    label,
    ...(hint !== undefined && { hint }),
    ...(type && { type }),
    ...(options && { options }),
    ...(isOptional && { isOptional }),
    ...(lines && { lines, maxLength }),
  };
}

const reasonField = {
  name: "reason",
  label: "Reason",
  hint: "Saved in the audit log. Don't put names here.",
  lines: 2,
  maxLength: REASON_MAX_LENGTH,
};

/** For acts that change how the operator logs in: a session that was left open must not be enough. */
const passwordField: ShownField = {
  name: "password",
  label: "Your password",
  type: "password",
  autoComplete: "current-password",
};

const shownActs = new Map(
  actNames.flatMap((name) => {
    const shown = toShownAct(name);
    return shown ? [[name, shown] as const] : [];
  }),
);
