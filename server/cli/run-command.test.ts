import { expect, test } from "vitest";

import { actNames, acts } from "../operations/acts/acts.ts";
import { listPlans } from "../money/membership/plans.ts";
import type { Group } from "./command.ts";
import { commands, runCommand } from "./run-command.ts";

const months = listPlans()
  .map((plan) => plan.months)
  .join(", ");

/** Types a line without any settings. */
async function type(...args: string[]) {
  const printed: string[] = [];
  const complaints: string[] = [];
  const code = await runCommand(args, {
    env: {},
    print: (text) => void printed.push(text),
    complain: (sentence) => void complaints.push(sentence),
  });
  return { code, printed: printed.join("\n"), complaints };
}

const paths = Object.entries(commands).flatMap(([name, entry]) =>
  "commands" in entry
    ? Object.keys(entry.commands)
        .map((subname) => `${name} ${subname}`)
        .concat(entry.alone ? name : [])
    : [name],
);

test("every act of the table has its command, unless it has its form alone", () => {
  const ofActs = actNames.filter((name) => acts[name].command);
  expect(ofActs.length).toBeGreaterThan(20);
  expect(ofActs.filter((name) => !paths.includes(name))).toEqual([]);
  const formAlone = actNames.filter((name) => !acts[name].command && !acts[name].desk);
  expect(formAlone).toEqual([]);
});

test.each(paths)("%s shows its usage and an example, whatever else was typed", async (path) => {
  const { code, printed, complaints } = await type(...path.split(" "), "--nonsense", "--help");
  expect({ code, complaints }).toEqual({ code: 0, complaints: [] });
  expect(printed).toMatch(new RegExp(`^Usage: npm run dormouse -- ${path}( |$)`, "m"));
  expect(printed).toMatch(new RegExp(`^Example: npm run dormouse -- ${path}( |$)`, "m"));
  for (const line of printed.split("\n")) expect(line.length).toBeLessThan(150);
  expect(await type(...path.split(" "), "-h")).toEqual({ code: 0, printed, complaints: [] });
});

const allOf = ({ alone, commands: own }: Group) => Object.values(own).concat(alone ?? []);

test("an example can be typed as it stands", async () => {
  for (const entry of Object.values(commands)) {
    for (const { example, ...command } of "commands" in entry ? allOf(entry) : [entry]) {
      const named = example.split(/ (?=--)/).map((part) => part.split(" ")[0]?.replace(/^--/, ""));
      expect(named.slice(1).filter((name) => command.options?.[name ?? ""] === undefined)).toEqual([]);
    }
  }
});

test("without a command, and asked for help, it lists them all", async () => {
  const { code, printed } = await type("--help");
  expect(code).toBe(0);
  for (const name of Object.keys(commands)) expect(printed).toMatch(new RegExp(`^  ${name} +\\w`, "m"));
  expect(await type()).toEqual({ code, printed, complaints: [] });
  expect((await type("code", "help")).printed).toMatch(/^ {2}show CODE +\w/m);
});

test.each([
  ["codes", "There is no command “codes”. See --help."],
  ["constructor", "There is no command “constructor”. See --help."],
  ["code", "Name a command of `code`: list, show, create, extend, revoke, free-seat."],
  ["code sell", "There is no command “code sell”. See code --help."],
  ["code toString", "There is no command “code toString”. See code --help."],
  ["code create --seats many", "--seats “many”: Please enter a whole number from 1 to 1000000."],
  ["company create --name P --email no --accounts 5 --price 1.00", "--email “no”: Please enter an email address."],
  ["member show ada", "Name a member by email address or number, not “ada”."],
  ["member activate 1 --months 99", `--months must be one of ${months}, not “99”.`],
  ["member erase 1", "--yes is missing. See --help."],
  ["mail list --state lost", "--state must be one of waiting, sent, failed, not “lost”."],
  ["company invite 1 hr", "EMAIL “hr”: Please enter an email address."],
  ["code create --seats 1 --ends never", "--ends “never”: Please enter a day such as 31/12/2027."],
  [
    "company create --name P --email a@b.example --accounts 5 --price 0.00",
    "--price “0.00”: Please enter pounds and pence from 0.01 to 1000000.00, such as 1500.00.",
  ],
  ["demo --loud", "There is no option --loud. See --help."],
])("“%s” is answered with one sentence and exit code 2", async (line, sentence) => {
  expect(await type(...line.split(" "))).toEqual({ code: 2, printed: "", complaints: [sentence] });
});
