import { inspect } from "node:util";

import { FaultError, UsageError, type Command } from "./command.ts";
import { commands } from "./commands.ts";
import { helpOfAll, helpOfCommand, helpOfGroup } from "./help.ts";
import { printJson } from "./print-json.ts";
import { readInput } from "./read-args.ts";

/** Where an answer goes, and where a complaint does. */
export type Terminal = { say(text: string): void; complain(sentence: string): void };

/** Runs what was typed and says what came of it; answers the exit code: 0 done, 1 refused or bad news, 2 not understood. */
export async function runCommand(args: string[], terminal: Terminal): Promise<number> {
  try {
    const found = findCommand(args);
    if ("help" in found) {
      terminal.say(found.help);
      return 0;
    }
    const input = readInput(found.command, found.rest);
    const answer = await found.command.run(input);
    if (!answer) return 0;
    if ("refusal" in answer) {
      terminal.complain(answer.refusal);
      return 1;
    }
    terminal.say(input.has("json") ? printJson(answer.json) : answer.text);
    return answer.ok ? 0 : 1;
  } catch (error) {
    terminal.complain(isExpected(error) ? error.message : inspect(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

type Found = { help: string } | { command: Command; rest: string[] };

const helpWords = new Set(["--help", "-h", "help"]);

/** @throws {UsageError} when there is no such command. */
function findCommand([name = "--help", ...rest]: string[]): Found {
  if (helpWords.has(name)) return { help: helpOfAll(commands) };
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found) throw new UsageError(`There is no command “${name}”: --help lists them.`);
  if (!("commands" in found)) return orHelp(name, { command: found, rest });

  const [subname, ...words] = rest;
  if (subname === undefined) throw new UsageError(`What about it? ${Object.keys(found.commands).join(", ")}.`);
  if (helpWords.has(subname)) return { help: helpOfGroup(name, found) };
  const command = Object.hasOwn(found.commands, subname) ? found.commands[subname] : undefined;
  if (!command) throw new UsageError(`There is no command “${name} ${subname}”: ${name} --help lists them.`);
  return orHelp(`${name} ${subname}`, { command, rest: words });
}

function orHelp(path: string, found: { command: Command; rest: string[] }): Found {
  const isAsked = found.rest.includes("--help") || found.rest.includes("-h");
  return isAsked ? { help: helpOfCommand(path, found.command) } : found;
}

/** By their names: their files are loaded only by commands that read settings. */
const expected = new Set(["ConfigError", "KeptElsewhereError", "ProviderError"]);

function isExpected(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof FaultError) return true;
  return error instanceof Error && expected.has(error.name);
}
