import type { Author } from "../../platform/audit/audit.ts";
import type { Facts } from "../../platform/audit/labels.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Role } from "../operators/roles.ts";
import type { Services } from "../../services.ts";
import type { Field, FieldValues } from "./fields.ts";
import type { Self, SubjectName, Subjects } from "./subjects.ts";

/**
 * An act of an operator, defined once. Its name is its command's: `member refund`. The desk's form, the command, the
 * audit line, the table of roles and the tests of all acts derive from it.
 */
export type Act<
  Name extends SubjectName = SubjectName,
  Fields extends Record<string, Field> = Record<string, Field>,
> = {
  /** The desk takes it from the screen's address, a command from its first word. */
  subject: Name;
  isForClosed?: boolean;
  /** One of several things of the subject, such as an order, with a form each. */
  item?: Item;
  fields: Fields;
  /** The words of its audit line, which has the act's name; or another action that has words already. */
  audit: string | { as: string };
  desk?: DeskForm;
  command?: ActCommand;
  /**
   * For an act that ends or refunds something or is final: sentences of what will happen now. The desk shows them and
   * asks once more. Changes nothing, and refuses what `run` would refuse.
   */
  predict?(values: FieldValues<Fields>, ctx: PredictContext<Subjects[Name]>): Promise<Prediction>;
  /** One transaction with the audit line, unless it calls another system. A refusal changes and records nothing. */
  run(values: FieldValues<Fields>, ctx: ActContext<Subjects[Name]>): Promise<ActResult>;
};

/** The screen fills in `{names}` in a text: `Free the seat of {member}`. */
export type DeskForm = {
  role: Role;
  /** The form is red: the act ends or refunds something. */
  isEnding?: true;
  title: string;
  button: string;
  pending: string;
  note?: string;
  /** For acts with an obvious reason, such as those on the operator's own access: the form asks for none. */
  ownReason?: string;
  /** The act ends in a file: the form is sent without script, which cannot take one. */
  isDownload?: boolean;
  needsPassword?: boolean;
};

export type ActCommand = {
  summary: string;
  /** Follows `npm run dormouse --`. */
  example: string;
  note?: string;
  /** The audit line has no reason. */
  hasNoReason?: boolean;
  /** The answer contains what the log would. */
  isQuiet?: boolean;
};

/** `words` or `option`: how a command names it. */
export type Item = { words: string[] } | { option: string; value: string; help: string };

export type ActContext<Subject = unknown> = {
  services: Services;
  by: Author;
  subject: Subject;
  item: string;
  site: string;
  address: string;
  /** The operator at the desk, with this browser's session; missing in a command. */
  self?: Self;
  /** The folder for emails as files, if any; only commands know it. */
  mailFolder: string | undefined;
  record: (line: { memberId?: number | undefined; facts?: Facts }, trx?: Queries) => Promise<void>;
};

export type PredictContext<Subject = unknown> = Omit<ActContext<Subject>, "record">;

export type Prediction = string[] | RefusedAct;

export type ActResult = FinishedAct | RefusedAct;

export type FinishedAct = Printed & {
  ok: true;
  message: string;
  made?: Made;
  download?: Download;
  isGone?: true;
  /** Secrets that the desk shows once; `mailTo`: their owner's address, if not the operator. */
  shownOnce?: string[];
  mailTo?: string;
};

/** By field; the key "" is for the whole. */
export type RefusedAct = Printed & { ok: false; errors: Record<string, string[]> };

/** The desk continues on its screen. */
export type Made = { subject: "company" | "code"; id: string };

/** A file to fetch, by its name below the desk or a member's number, and the pass for it. */
export type Download = { name: string; pass: string } | { member: number; pass: string };

type Printed = {
  /** The command's output, where it is more than a sentence. */
  text?: string;
  json?: object;
  /** Done, but an operator must act: the command ends with exit code 1. */
  isBadNews?: boolean;
};

export function refuseAct(sentence: string, field = ""): RefusedAct {
  return { ok: false, errors: { [field]: [sentence] } };
}

/** Checks the types of an act's work against its fields and subject. */
export function defineAct<Name extends SubjectName, Fields extends Record<string, Field>>(act: Act<Name, Fields>): Act {
  return act;
}

export type ActRequest = {
  subject: string;
  item: string;
  values: object;
};

export type ActSource = Omit<ActContext, "subject" | "item" | "record">;
