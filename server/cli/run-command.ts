import { inspect } from "node:util";

import { actCommands } from "./act-command.ts";
import { capitalise } from "../platform/format.ts";
import { type Command, FaultError, type Group, readInput, type Terminal, UsageError } from "./command.ts";
import { catalogueCommands } from "./catalogue.ts";
import { codeCommands } from "./code.ts";
import { companyCommands } from "./company.ts";
import { databaseCommands } from "./database.ts";
import { demoCommands } from "./demo-commands.ts";
import { doctorCommand } from "./doctor.ts";
import { exportCommands } from "./export.ts";
import { importCommands } from "./import.ts";
import { listCommands } from "./list.ts";
import { mailCommands } from "./mail.ts";
import { mediaCommands } from "./media.ts";
import { operatorCommands } from "./operator.ts";
import { memberCommands } from "./member.ts";
import { printJson } from "../operations/acts/print.ts";
import { jobCommands } from "./job.ts";
import { webhookCommands } from "./webhook.ts";

export const commands: Record<string, Command | Group> = {
  member: memberCommands,
  "sign-up": { summary: "unfinished sign-ups", commands: actCommands("sign-up") },
  code: codeCommands,
  company: companyCommands,
  gift: { summary: "plans given to others", commands: actCommands("gift") },
  list: listCommands,
  mail: mailCommands,
  webhook: webhookCommands,
  job: jobCommands,
  catalogue: catalogueCommands,
  media: mediaCommands,
  operator: operatorCommands,
  import: importCommands,
  export: exportCommands,
  database: databaseCommands,
  doctor: doctorCommand,
  demo: demoCommands,
};

/** Prints the answer. Returns the exit code: 0 done, 1 refused or bad news, 2 not understood. */
export async function runCommand(args: string[], terminal: Terminal): Promise<number> {
  try {
    const found = findCommand(args);
    if ("help" in found) {
      terminal.print(found.help);
      return 0;
    }
    const input = readInput(found.command, found.rest);
    const answer = await found.command.run(input, terminal);
    if (!answer) return 0;
    if ("refusal" in answer) {
      terminal.complain(answer.refusal);
      return 1;
    }
    terminal.print(input.has("json") ? printJson(answer.json) : answer.text);
    return answer.ok ? 0 : 1;
  } catch (error) {
    terminal.complain(isExpected(error) ? error.message : inspect(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

type Found = { help: string } | { command: Command; rest: string[] };

const helpWords = new Set(["--help", "-h", "help"]);

function findCommand([name = "--help", ...rest]: string[]): Found {
  if (helpWords.has(name)) return { help: helpOfAll() };
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found) throw new UsageError(`There is no command “${name}”. See --help.`);
  if (!("commands" in found)) return orHelp(name, { command: found, rest });

  const [subname, ...words] = rest;
  if (found.alone && (subname === undefined || subname.startsWith("-"))) {
    const isHelpWanted = rest.some((word) => helpWords.has(word));
    return isHelpWanted ? { help: helpOfGroup(name, found) } : { command: found.alone, rest };
  }
  if (subname === undefined)
    throw new UsageError(`Name a command of \`${name}\`: ${Object.keys(found.commands).join(", ")}.`);
  if (helpWords.has(subname)) return { help: helpOfGroup(name, found) };
  const command = Object.hasOwn(found.commands, subname) ? found.commands[subname] : undefined;
  if (!command) throw new UsageError(`There is no command “${name} ${subname}”. See ${name} --help.`);
  return orHelp(`${name} ${subname}`, { command, rest: words });
}

function orHelp(path: string, found: { command: Command; rest: string[] }): Found {
  const isHelpWanted = found.rest.includes("--help") || found.rest.includes("-h");
  return isHelpWanted ? { help: helpOfCommand(path, found.command) } : found;
}

/** By name, because only commands that read settings load the files of these classes. */
const expected = new Set(["ConfigError", "SchemaError", "StoredElsewhereError", "ProviderError"]);

function isExpected(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof FaultError) return true;
  return error instanceof Error && expected.has(error.name);
}

/* The help. `path` is how a command is called: `code create`. */

const call = "npm run dormouse --";

function helpOfAll(): string {
  return `Usage: ${call} COMMAND

${alignRows(Object.entries(commands).map(([name, { summary }]) => [name, summary]))}

${alignRows([
  ["COMMAND --help", "how to use it, with an example"],
  ["COMMAND --json", "answer with JSON; npm run --silent keeps npm's own lines out of it"],
  ["DEMO=true", "put this first to use the demo's data"],
  ["DORMOUSE_OPERATOR", "a setting: who the audit log names, if not the system's user"],
])}`;
}

function helpOfGroup(path: string, group: Group): string {
  const alone = group.alone ? `\n\n${helpOfCommand(path, group.alone)}` : "";
  return `Usage: ${call} ${path} COMMAND

${capitalise(group.summary)}.

${alignRows(toRows(group.commands))}

\`${call} ${path} COMMAND --help\` says more.${alone}`;
}

function helpOfCommand(path: string, command: Command): string {
  const options = Object.entries(command.options ?? {});
  const required = options.filter(([, { isRequired }]) => isRequired);
  const optional = options.filter(([, { isRequired, isShared }]) => !isRequired && !isShared);
  const usage = [
    ...(command.words ?? []),
    ...required.map(([name, { value }]) => spell(name, value)),
    ...optional.map(([name, { value }]) => `[${spell(name, value)}]`),
  ];
  const lines = options.map(([name, { value, help }]) => [spell(name, value), help]);
  return `Usage: ${[call, path, ...usage].join(" ")}

${capitalise(command.summary)}.

${alignRows([...lines, ["--json", "answer with JSON, for programs"], ["--help", "show this"]])}

Example: ${call} ${command.example}${command.note === undefined ? "" : `\n\n${command.note}`}`;
}

function toRows(group: Group["commands"]): string[][] {
  return Object.entries(group).map(([name, { words = [], summary }]) => [[name, ...words].join(" "), summary]);
}

function spell(name: string, value: string | undefined): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function alignRows(rows: string[][]): string {
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return rows.map(([name = "", summary = ""]) => `  ${name.padEnd(width + 2)}${summary}`).join("\n");
}
