import type { SubmissionResult } from "@conform-to/react";
import { z } from "zod";

import type { Author } from "../../../server/audit/audit.ts";
import type { Operator } from "../../../server/operators/operators.ts";
import { REASON_MAX_LENGTH } from "../../../server/operators/rules.ts";
import { desk as table } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import { tooMany } from "../../forms/messages.ts";
import { parseForm } from "../../forms/parse-form.ts";

/** What an act works with. */
export type ActContext = {
  services: Services;
  by: Author;
  operator: Operator;
  /** The hash of this browser's session. */
  tokenHash: string;
  /**
   * What the address of the screen names: a member's, sign-up's or company's id, a code, the list of emails; "" if nothing. Where each
   * row has a form, a field `subject` of the form names the row.
   */
  subject: string;
  /** Where the operator met the site, for links in emails. */
  site: string;
  address: string;
};

export type ActResult =
  /** `message` says what was done; `path` is where to go, if not the same screen. */
  | { ok: true; message: string; path?: string }
  /** Something that is shown on this answer's page and never again. */
  | { ok: true; message: string; shownOnce: string[] }
  /** By field; the key "" is for the whole form. */
  | { ok: false; errors: Record<string, string[]> };

/** A refusal of an act: at a field, or of the whole form. */
export function refuseAct(sentence: string, field = ""): Extract<ActResult, { ok: false }> {
  return { ok: false, errors: { [field]: [sentence] } };
}

/** An act of the desk: its fields, and its work. */
export type DeskAct = (form: FormData, asked: Asked) => Promise<Done | Refused>;

export type Asked = Omit<ActContext, "by">;
type Done = Extract<ActResult, { ok: true }>;
type Refused = { ok: false; result: SubmissionResult };

const reason = z
  .string({ error: table.ours["reason-missing"] })
  .trim()
  .min(1, table.ours["reason-missing"])
  .max(REASON_MAX_LENGTH, table.ours["reason-long"]);

const password = z.string({ error: table.ours["password-missing"] }).max(1024, table.ours["password-wrong"]);

type Definition<Fields extends z.ZodObject> = {
  fields: Fields;
  /** For acts on the operator's own access, which need no other reason. */
  ownReason?: string;
  /** Whether the operator must give their password once more, in a field `password`. */
  needsPassword?: boolean;
  run: (value: z.output<Fields>, ctx: ActContext) => Promise<ActResult>;
};

/** The form is checked here, with the reason and the password; `run` gets what is left. */
export function defineAct<Fields extends z.ZodObject>(act: Definition<Fields>): DeskAct {
  const { fields, ownReason, needsPassword = false, run } = act;
  const ours = { ...(ownReason === undefined && { reason }), ...(needsPassword && { password }) };
  return async (form, asked) => {
    const given = parseForm(form, z.object({ ...fields.shape, ...ours }), ["password"]);
    if (!given.ok) return { ok: false, result: given.reply() };
    const {
      reason: typed = ownReason,
      password: proof,
      ...value
    } = given.value as { reason?: string; password?: string };
    const by = { operator: asked.operator.email, reason: typed };
    const refused = proof === undefined ? undefined : await refusePassword(proof, asked);
    const result = refused ?? (await run(value as z.output<Fields>, { ...asked, by }));
    if (result.ok) return result;
    const { "": formErrors = [], ...fieldErrors } = result.errors;
    return { ok: false, result: given.reply({ formErrors, fieldErrors }) };
  };
}

async function refusePassword(typed: string, { services, operator, address }: Asked): Promise<ActResult | undefined> {
  const proof = await services.operators.provePassword({ operator, password: typed, address });
  if (proof.ok) return undefined;
  if (proof.reason === "too-many-attempts") return refuseAct(tooMany(proof.waitInMs));
  return refuseAct(table.ours["password-wrong"], "password");
}
