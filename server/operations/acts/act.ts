import type { Author } from "../../platform/audit/audit.ts";
import type { Facts } from "../../platform/audit/rules.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Role } from "../operators/rules.ts";
import type { Services } from "../../services.ts";
import type { Field, FieldValues } from "./fields.ts";
import type { Self, SubjectName, Subjects } from "./subjects.ts";

/**
 * An act of an operator, said once. Its name is its command's: `member refund`. The form at the desk, the command, the line in the audit
 * log, the table of roles and the tests of every act are made from it.
 */
export type Act<
  Name extends SubjectName = SubjectName,
  Fields extends Record<string, Field> = Record<string, Field>,
> = {
  /** The subject of the act: at the desk the screen's address names it, in a command the first word. */
  subject: Name;
  /** Whether the account of a closed member may be the subject. */
  isForClosed?: boolean;
  /** One of several things of the subject, such as an order: at the desk each has a form of its own. */
  item?: Item;
  fields: Fields;
  /** The words of its line in the audit log, which has the act's name; or another line that has words already. */
  audit: string | { as: string };
  /** Its form at the desk; without one it is a command alone. */
  desk?: DeskForm;
  /** Without one it has only its form. */
  command?: ActCommand;
  /**
   * Of an act that ends something, gives something back, or cannot be taken back: what will happen, a sentence each, as things are now. The
   * desk says it and asks once more. It changes nothing, and refuses what the work would refuse.
   */
  predict?(values: FieldValues<Fields>, ctx: PredictContext<Subjects[Name]>): Promise<Prediction>;
  /**
   * The work: one transaction with its line in the audit log, unless another system is asked in between. A refusal changes nothing and
   * leaves no line.
   */
  run(values: FieldValues<Fields>, ctx: ActContext<Subjects[Name]>): Promise<ActResult>;
};

/** `{names}` in a text are filled in by the screen: `Free the seat of {member}`. */
export type DeskForm = {
  /** The least role that may do it. */
  role: Role;
  /** Its form is red: it ends something, or gives something back. */
  isEnding?: true;
  title: string;
  button: string;
  pending: string;
  note?: string;
  /** Of acts that say why by themselves, such as those on the operator's own access: the form asks for no reason. */
  ownReason?: string;
  /** Whether the act ends in a file: then the form is sent without script, which cannot take one. */
  isDownload?: boolean;
  /** Whether the operator must give their password once more. */
  needsPassword?: boolean;
};

export type ActCommand = {
  /** One line for the list of commands. */
  summary: string;
  /** The words after `npm run dormouse --`. */
  example: string;
  note?: string;
  /** The act leaves no reason in the audit log. */
  hasNoReason?: boolean;
  /** The answer says what the log would. */
  isQuiet?: boolean;
};

/** `words` or `option`: how a command names it. */
export type Item = { words: string[] } | { option: string; value: string; help: string };

export type ActContext<Subject = unknown> = {
  services: Services;
  by: Author;
  subject: Subject;
  /** Empty for acts without one. */
  item: string;
  /** Where the site is met, for links in emails. */
  site: string;
  /** The network address of the operator. */
  address: string;
  /** The operator at the desk, with the session of this browser; none in a command. */
  self?: Self;
  /** Where emails become files, if they do; commands alone know. */
  mailFolder: string | undefined;
  /** Writes the act's line in the audit log. */
  record: (line: { memberId?: number | undefined; facts?: Facts }, trx?: Queries) => Promise<void>;
};

export type PredictContext<Subject = unknown> = Omit<ActContext<Subject>, "record">;

/** The sentences of what will happen, or a refusal. */
export type Prediction = string[] | Extract<ActResult, { ok: false }>;

export type ActResult =
  | ({ ok: true; message: string; made?: Made; download?: Download; isGone?: true } & ShownOnce & Printed)
  /** By field; the key "" is for the whole. */
  | ({ ok: false; errors: Record<string, string[]> } & Printed);

/** Secrets that the desk shows once; `mailTo`: the address of the person whom they are for, if another than the operator. */
type ShownOnce = { shownOnce?: string[]; mailTo?: string };

/** The thing that an act has made: the desk goes to its screen. */
export type Made = { subject: "company" | "code"; id: string };

/** The file that an act lets the operator fetch, by its name below the desk or by the member's number; and the pass that it needs. */
export type Download = { name: string; pass: string } | { member: number; pass: string };

type Printed = {
  /** The output of the command, where it is more than a sentence. */
  text?: string;
  /** For programs. */
  json?: object;
  /** Done, but an operator has to do something about it: a command ends with exit code 1. */
  isBadNews?: boolean;
};

/** A refusal of the whole act, or at a field. */
export function refuseAct(sentence: string, field = ""): Extract<ActResult, { ok: false }> {
  return { ok: false, errors: { [field]: [sentence] } };
}

/** Checks that an act's work fits its fields and its subject. */
export function defineAct<Name extends SubjectName, Fields extends Record<string, Field>>(act: Act<Name, Fields>): Act {
  return act;
}

export type ActRequest = {
  /** The subject, as the screen's address or a command's first word names it. */
  subject: string;
  item: string;
  /** Checked by the act's fields. */
  values: object;
};

export type ActSource = Omit<ActContext, "subject" | "item" | "record">;
