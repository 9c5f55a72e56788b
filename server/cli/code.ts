import { worksText } from "../money/companies/labels.ts";
import { printCode, toCodeJson } from "../operations/acts/code-acts.ts";
import type { CodeDetails } from "../money/companies/codes.ts";
import { actCommands } from "./act-command.ts";
import { type Command, type Group, refuse } from "./command.ts";
import { withServices, type CommandContext } from "./command-context.ts";
import { printInstant, printTable } from "../operations/acts/print.ts";

const list: Command = {
  summary: "list all codes, newest first",
  example: "code list",
  run: (_input, terminal) =>
    withServices(terminal, async ({ services }) => {
      const codes = await services.codes.list();
      const rows = codes.map((code) => [
        code.code,
        worksText(code.fault),
        `${code.seatsTaken} of ${code.seats}`,
        printInstant(code.startsAt),
        printInstant(code.endsAt),
        code.company?.name,
      ]);
      const columns = ["CODE", "WORKS", "SEATS", "FROM", "UNTIL", "COMPANY"];
      const text = printTable(columns, rows, { whenEmpty: "There are no codes." });
      return { ok: true, text, json: { codes: codes.map(toCodeJson) } };
    }),
};

const show: Command = {
  summary: "show whether a code works now, and which members have its seats",
  words: ["CODE"],
  example: "code show DORMOUSE-DEMO",
  run: ({ words: [word = ""] }, terminal) =>
    withServices(terminal, async ({ services }) => {
      const found = await services.codes.find(word);
      if (!found) return refuse(`There is no code “${word}”.`);
      const holders = await nameHolders(found, services.accounts);
      const rows = holders.map(({ memberId, name, email, takenAt }) => [memberId, name, email, printInstant(takenAt)]);
      const table = printTable(["MEMBER", "NAME", "E-MAIL", "SINCE"], rows, {
        whenEmpty: "No one has joined with it.",
      });
      return { ok: true, text: `${printCode(found)}\n\n${table}`, json: { ...toCodeJson(found), holders } };
    }),
};

export const codeCommands: Group = {
  summary: "codes that people join with",
  commands: { list, show, ...actCommands("code") },
};

async function nameHolders({ holders }: CodeDetails, accounts: CommandContext["services"]["accounts"]) {
  return Promise.all(
    holders.map(async ({ memberId, takenAt }) => {
      const member = await accounts.findRecord(memberId);
      return { memberId, name: `${member?.firstName} ${member?.lastName}`, email: member?.email, takenAt };
    }),
  );
}
