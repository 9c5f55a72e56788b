/** One command of `dormouse`: what it is for, how it is called, and its work. */
export type Command = {
  /** One line for the list of commands. */
  summary: string;
  /** What stands after its name, each of it required: `CODE`, `EMAIL|ID`. */
  words?: string[];
  options?: Record<string, Option>;
  /** What follows `npm run dormouse --`. */
  example: string;
  /** What else one should know. */
  note?: string;
  /** Nothing is answered by what goes on after it, as the demo does. */
  run(input: Input): Promise<Answer | undefined>;
};

/** `value` is what stands for the value in the help; an option without one is a flag. */
export type Option = { help: string; value?: string; isRequired?: boolean };

export type Group = { summary: string; commands: Record<string, Command> };

/** What was typed after the command's name. */
export type Input = {
  words: string[];
  value(name: string): string | undefined;
  has(flag: string): boolean;
};

/** `text` is for people, `json` for programs: undefined fields become null, dates ISO text. */
export type Answer =
  /** Not `ok`: done, and what came out is bad news, told like any answer but with exit code 1. */
  | { ok: boolean; text: string; json: object }
  /** Not done: a sentence that says why. */
  | { ok: false; refusal: string };

export function refuse(refusal: string): Answer {
  return { ok: false, refusal };
}

/** A command that cannot be understood: one sentence, exit code 2. */
export class UsageError extends Error {}

/** A command that cannot do its work for a reason that has nothing to do with it: exit code 1. */
export class FaultError extends Error {}
