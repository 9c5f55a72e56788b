import { expect, test } from "vitest";

import { commands, runCommand } from "./run-command.ts";

/** Types a line that needs no settings, as everything here does: they are not there. */
async function type(...args: string[]) {
  const said: string[] = [];
  const complaints: string[] = [];
  const code = await runCommand(args, {
    say: (text) => void said.push(text),
    complain: (sentence) => void complaints.push(sentence),
  });
  return { code, said: said.join("\n"), complaints };
}

const paths = Object.entries(commands).flatMap(([name, entry]) =>
  "commands" in entry ? Object.keys(entry.commands).map((subname) => `${name} ${subname}`) : [name],
);

test("these are the commands", () => {
  expect(paths).toEqual([
    "member list",
    "member show",
    "member activate",
    "member deactivate",
    "member export",
    "member erase",
    "member renewal-link",
    "code create",
    "code list",
    "code show",
    "code revoke",
    "company create",
    "company list",
    "company show",
    "company link",
    "company invite",
    "company contacts",
    "mail list",
    "mail resend",
    "mail acknowledge",
    "mail test",
    "webhook list",
    "webhook retry",
    "job list",
    "job run",
    "catalogue refresh",
    "catalogue status",
    "catalogue gaps",
    "operator add",
    "operator invite",
    "operator link",
    "operator list",
    "operator role",
    "operator remove",
    "database backup",
    "database restore",
    "database move",
    "doctor",
    "demo",
  ]);
});

test.each(paths)("%s shows its usage and an example, whatever else was typed", async (path) => {
  const { code, said, complaints } = await type(...path.split(" "), "--nonsense", "--help");
  expect({ code, complaints }).toEqual({ code: 0, complaints: [] });
  expect(said).toMatch(new RegExp(`^Usage: npm run dormouse -- ${path}( |$)`, "m"));
  expect(said).toMatch(new RegExp(`^Example: npm run dormouse -- ${path}( |$)`, "m"));
  for (const line of said.split("\n")) expect(line.length).toBeLessThan(150);
  expect(await type(...path.split(" "), "-h")).toEqual({ code: 0, said, complaints: [] });
});

test("an example can be typed as it stands", async () => {
  for (const entry of Object.values(commands)) {
    for (const { example, ...command } of "commands" in entry ? Object.values(entry.commands) : [entry]) {
      const named = example.split(/ (?=--)/).map((part) => part.split(" ")[0]?.replace(/^--/, ""));
      expect(named.slice(1).filter((name) => command.options?.[name ?? ""] === undefined)).toEqual([]);
    }
  }
});

test("without a command, and asked for help, it lists them all", async () => {
  const { code, said } = await type("--help");
  expect(code).toBe(0);
  for (const name of Object.keys(commands)) expect(said).toMatch(new RegExp(`^  ${name} +\\w`, "m"));
  expect(await type()).toEqual({ code, said, complaints: [] });
  expect((await type("code", "help")).said).toMatch(/^ {2}show CODE +\w/m);
});

test.each([
  ["codes", "There is no command “codes”: --help lists them."],
  ["constructor", "There is no command “constructor”: --help lists them."],
  ["code", "What about it? create, list, show, revoke."],
  ["code sell", "There is no command “code sell”: code --help lists them."],
  ["code toString", "There is no command “code toString”: code --help lists them."],
  ["code create --seats many", "--seats must be a whole number from 1 to 1000000, not “many”."],
  ["company create --name P --email no --accounts 5 --price 1.00", "--email must be an e-mail address, not “no”."],
  ["member show ada", "A member is named by an e-mail address or a number, not “ada”."],
  ["member activate 1 --months 2", "--months must be one of 1, 3, 12, not “2”."],
  ["member erase 1", "--yes is missing: --help says what it is."],
  ["mail list --state lost", "--state must be one of waiting, sent, failed, not “lost”."],
  ["mail resend first", "An email is named by its number, not “first”."],
  ["demo --loud", "There is no option --loud here: --help lists them."],
])("“%s” is answered with one sentence and exit code 2", async (line, sentence) => {
  expect(await type(...line.split(" "))).toEqual({ code: 2, said: "", complaints: [sentence] });
});
