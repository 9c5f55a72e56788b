import type { Command, Group } from "./command.ts";

/** What `--help` shows. `path` is how a command is called: `code create`. */

const call = "npm run dormouse --";

export function helpOfAll(commands: Record<string, Command | Group>): string {
  return `Usage: ${call} COMMAND

${listOf(Object.entries(commands).map(([name, { summary }]) => [name, summary]))}

${listOf([
  ["COMMAND --help", "how it is called, with an example"],
  ["COMMAND --json", "answer with JSON; npm run --silent keeps npm's own lines out of it"],
  ["DEMO=true", "before it all: the demo's own data"],
  ["DORMOUSE_OPERATOR", "a setting: who is recorded as having done it, if not the system's user"],
])}`;
}

export function helpOfGroup(path: string, { summary, commands }: Group): string {
  return `Usage: ${call} ${path} COMMAND

${capital(summary)}.

${listOf(toRows(commands))}

\`${call} ${path} COMMAND --help\` says more.`;
}

export function helpOfCommand(path: string, command: Command): string {
  const options = Object.entries(command.options ?? {});
  const required = options.filter(([, { isRequired }]) => isRequired);
  const optional = options.filter(([, { isRequired }]) => !isRequired);
  const usage = [
    ...(command.words ?? []),
    ...required.map(([name, { value }]) => spell(name, value)),
    ...optional.map(([name, { value }]) => `[${spell(name, value)}]`),
  ];
  const lines = options.map(([name, { value, help }]) => [spell(name, value), help]);
  return `Usage: ${[call, path, ...usage].join(" ")}

${capital(command.summary)}.

${listOf([...lines, ["--json", "answer with JSON, for programs"], ["--help", "show this"]])}

Example: ${call} ${command.example}${command.note === undefined ? "" : `\n\n${command.note}`}`;
}

function toRows(commands: Record<string, Command>): string[][] {
  return Object.entries(commands).map(([name, { words = [], summary }]) => [[name, ...words].join(" "), summary]);
}

function spell(name: string, value: string | undefined): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function listOf(rows: string[][]): string {
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return rows.map(([name = "", summary = ""]) => `  ${name.padEnd(width + 2)}${summary}`).join("\n");
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
