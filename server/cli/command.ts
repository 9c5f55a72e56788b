/** One command of `dormouse`: its purpose, its usage and its work. */
export type Command = {
  /** One line for the list of commands. */
  summary: string;
  /** The words after its name, all of them required: `CODE`, `EMAIL|ID`. */
  words?: string[];
  options?: Record<string, Option>;
  /** What follows `npm run dormouse --`. */
  example: string;
  /** Anything else that an operator should know. */
  note?: string;
  /** Answers nothing if it starts something that keeps running, as the demo does. */
  run(input: Input): Promise<Answer | undefined>;
};

/** `value` is the name of the value in the help; an option without one is a flag. */
export type Option = { help: string; value?: string; isRequired?: boolean };

export type Group = { summary: string; commands: Record<string, Command> };

/** The words and options after the command's name. */
export type Input = {
  words: string[];
  value(name: string): string | undefined;
  has(flag: string): boolean;
};

/** `text` is for people, `json` for programs: undefined fields become null, dates become ISO text. */
export type Answer =
  /** `ok: false`: done, but the result is bad news; printed like any answer, with exit code 1. */
  | { ok: boolean; text: string; json: object }
  /** Not done, with a sentence that says why. */
  | { ok: false; refusal: string };

export function refuse(refusal: string): Answer {
  return { ok: false, refusal };
}

/** A command that cannot be understood: one sentence, exit code 2. */
export class UsageError extends Error {}

/** A command that fails for a reason outside itself: exit code 1. */
export class FaultError extends Error {}
