import { FaultError, UsageError, type Answer, type Command, type Group } from "./command.ts";
import { helpOfAll, helpOfCommand, helpOfGroup } from "./help.ts";
import { readInput } from "./read-args.ts";

const helpWords = new Set(["--help", "-h", "help"]);

/** Finds the command that was typed, runs it, says what came of it; answers the exit code: 0 done, 1 refused, 2 not understood. */
export async function runCommand(commands: Record<string, Command | Group>, args: string[]): Promise<number> {
  const [name = "--help", ...rest] = args;
  if (helpWords.has(name)) return say(helpOfAll(commands));
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found) return complain(`There is no command “${name}”: --help lists them.`, 2);
  if (!("commands" in found)) return runOne(name, found, rest);

  const [subname, ...words] = rest;
  if (subname === undefined) return complain(`What about it? ${Object.keys(found.commands).join(", ")}.`, 2);
  if (helpWords.has(subname)) return say(helpOfGroup(name, found));
  const command = Object.hasOwn(found.commands, subname) ? found.commands[subname] : undefined;
  return command
    ? runOne(`${name} ${subname}`, command, words)
    : complain(`There is no command “${name} ${subname}”: ${name} --help lists them.`, 2);
}

async function runOne(path: string, command: Command, args: string[]): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) return say(helpOfCommand(path, command));
  try {
    const input = readInput(command, args);
    const answer = await command.run(input);
    return answer ? tell(answer, input.has("json")) : 0;
  } catch (error) {
    if (error instanceof UsageError) return complain(error.message, 2);
    if (isExpected(error)) return complain(error.message, 1);
    console.error(error);
    return 1;
  }
}

/** By name: the file of `ConfigError` is loaded only when a command reads its settings. */
function isExpected(error: unknown): error is Error {
  return error instanceof FaultError || (error instanceof Error && error.name === "ConfigError");
}

function tell(answer: Answer, isForProgram: boolean): number {
  if ("refusal" in answer) return complain(answer.refusal, 1);
  say(isForProgram ? toJson(answer.json) : answer.text);
  return answer.ok ? 0 : 1;
}

/** What is not there is null, so that a shape has the same names whatever is in it. */
export function toJson(value: object): string {
  return JSON.stringify(value, (_name, each: unknown) => (each === undefined ? null : each), 2);
}

function say(text: string): number {
  console.log(text);
  return 0;
}

function complain(sentence: string, code: number): number {
  console.error(sentence);
  return code;
}
