import { parseArgs } from "node:util";

import { UsageError, type Command, type Input } from "./command.ts";

/** The options that every command has. */
const everywhere = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

/** @throws {UsageError} on an unknown option, a missing value and a word too many or too few. */
export function readInput(command: Command, args: string[]): Input {
  const own = Object.entries(command.options ?? {});
  const options = Object.fromEntries(
    own.map(([name, { value }]) => [name, { type: value === undefined ? ("boolean" as const) : ("string" as const) }]),
  );
  const { values, positionals } = parse(args, { ...options, ...everywhere });
  const read = (name: string) => (typeof values[name] === "string" ? values[name].trim() : undefined);

  const empty = own.find(([name]) => read(name) === "")?.[0];
  if (empty) throw new UsageError(`--${empty} needs a value.`);
  checkWords(positionals, command.words ?? []);
  const missing = own.find(([name, { isRequired }]) => isRequired && values[name] === undefined)?.[0];
  if (missing) throw new UsageError(`--${missing} is missing: --help says what it is.`);
  return { words: positionals.map((word) => word.trim()), value: read, has: (flag) => values[flag] === true };
}

type ParsedOptions = Record<string, { type: "string" | "boolean"; short?: string }>;

function parse(args: string[], options: ParsedOptions) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException));
  }
}

/** Node's own messages name the option, and say more than one sentence. */
function explain({ code, message }: NodeJS.ErrnoException): string {
  const option = /'(?:-\w, )?(-{1,2}[^\s'=]+)/.exec(message)?.[1] ?? "This";
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return `There is no option ${option} here: --help lists them.`;
  return message.includes("does not take") ? `${option} takes no value.` : `${option} needs a value.`;
}

function checkWords(given: string[], wanted: string[]): void {
  const missing = wanted.slice(given.filter((word) => word.trim() !== "").length)[0];
  if (missing) throw new UsageError(`${missing} is missing: --help shows where it stands.`);
  const extra = given[wanted.length];
  if (extra !== undefined) throw new UsageError(`“${extra}” is a word too many: --help shows what may stand here.`);
}
