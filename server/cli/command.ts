import { parseArgs } from "node:util";

import { isEmail } from "../platform/email-address.ts";
import { cleanText } from "../platform/text.ts";

export type Command = {
  summary: string;
  /** All required, after its name: `CODE`, `EMAIL|ID`. */
  words?: string[];
  options?: Record<string, Option>;
  /** The words after `npm run dormouse --`. */
  example: string;
  note?: string;
  /** `undefined` if it starts something that keeps running, such as the demo. */
  run(input: Input, terminal: Terminal): Promise<Answer | undefined>;
};

/** `value`: its name in the help; an option without one is a flag. `isShared`: every command of its kind has it. */
export type Option = { help: string; value?: string; isRequired?: boolean; isShared?: boolean };

export type Terminal = {
  env: NodeJS.ProcessEnv;
  print: (text: string) => void;
  complain: (sentence: string) => void;
};

/** `alone`: the command of the group's own name. */
export type Group = { summary: string; commands: Record<string, Command>; alone?: Command };

export type Input = {
  words: string[];
  value(name: string): string | undefined;
  has(flag: string): boolean;
};

/** `text` is for people, `json` for programs: undefined fields become null, dates become ISO text. */
export type Answer =
  /** `ok: false`: done, but the result is bad news; printed like any answer, with exit code 1. */
  | { ok: boolean; text: string; json: object }
  /** Not done; `refusal` says why. */
  | { ok: false; refusal: string };

export function refuse(refusal: string): Answer {
  return { ok: false, refusal };
}

/** A command that cannot be understood: one sentence, exit code 2. */
export class UsageError extends Error {}

/** A command that fails for a reason outside itself: exit code 1. */
export class FaultError extends Error {}

const everywhere = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

/** @throws {UsageError} on an unknown option, a missing value and a word too many or too few. */
export function readInput(command: Command, args: string[]): Input {
  const own = Object.entries(command.options ?? {});
  const options = Object.fromEntries(
    own.map(([name, { value }]) => [name, { type: value === undefined ? ("boolean" as const) : ("string" as const) }]),
  );
  const { values, positionals } = parse(args, { ...options, ...everywhere });
  const read = (name: string) => {
    const value = values[name];
    return typeof value === "string" ? clean(value, command.options?.[name]?.value) : undefined;
  };

  const empty = own.find(([name]) => read(name) === "")?.[0];
  if (empty) throw new UsageError(`--${empty} needs a value.`);
  checkWords(positionals, command.words ?? []);
  const missing = own.find(([name, { isRequired }]) => isRequired && values[name] === undefined)?.[0];
  if (missing) throw new UsageError(`--${missing} is missing. See --help.`);
  const words = positionals.map((word, place) => clean(word, command.words?.[place]));
  return { words, value: read, has: (flag) => values[flag] === true };
}

/** A file's name keeps its bytes: a disk may have such a file. */
function clean(text: string, what = ""): string {
  return what.includes("FILE") ? text.trim() : cleanText(text);
}

function parse(args: string[], options: Record<string, { type: "string" | "boolean"; short?: string }>) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException));
  }
}

/** Node's own messages name the option, and have more than one sentence. */
function explain({ code, message }: NodeJS.ErrnoException): string {
  const option = /'(?:-\w, )?(-{1,2}[^\s'=]+)/.exec(message)?.[1] ?? "This";
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return `There is no option ${option}. See --help.`;
  return message.includes("does not take") ? `${option} takes no value.` : `${option} needs a value.`;
}

function checkWords(given: string[], wanted: string[]): void {
  const missing = wanted.slice(given.filter((word) => cleanText(word) !== "").length)[0];
  if (missing) throw new UsageError(`${missing} is missing. See --help.`);
  const extra = given[wanted.length];
  if (extra !== undefined) throw new UsageError(`“${extra}” is one word too many. See --help.`);
}

/* Values of options. Each function throws a `UsageError` that describes the right form. */

function readOption<Value>(
  input: Input,
  name: string,
  { wanted, read }: { wanted: string; read: (text: string) => Value | undefined },
): Value | undefined {
  const text = input.value(name);
  if (text === undefined) return undefined;
  const value = read(text);
  if (value === undefined) throw new UsageError(`--${name} must be ${wanted}, not “${text}”.`);
  return value;
}

export function readCount(input: Input, name: string, { min, max }: { min: number; max: number }): number | undefined {
  return readOption(input, name, {
    wanted: `a whole number from ${min} to ${max}`,
    read: (text) => (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
  });
}

export function readChoice<Choice extends string>(input: Input, name: string, choices: Choice[]): Choice | undefined {
  return readOption(input, name, {
    wanted: `one of ${choices.join(", ")}`,
    read: (text) => choices.find((each) => each === text),
  });
}

export function readEmail(input: Input, name: string): string | undefined {
  return readOption(input, name, {
    wanted: "an email address",
    read: (text) => (isEmail(text) ? text : undefined),
  });
}
