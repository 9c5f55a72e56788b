import type { CodeView } from "../codes/code.ts";
import type { CodeDetails, NewCode, NewCodeRefusal } from "../codes/codes.ts";
import { faultLabels } from "../codes/rules.ts";
import { endCode, makeCode } from "../desk/code-acts.ts";
import { api } from "../refusals.ts";
import {
  type Answer,
  type Command,
  type Group,
  type Input,
  need,
  readCount,
  readDay,
  readNumbers,
  refuse,
  UsageError,
} from "./command.ts";
import { withServices, type CommandContext } from "./command-context.ts";
import { printFacts, printInstant, printTable, type Cell } from "./print.ts";

const MAX_SEATS = 1_000_000;

const create: Command = {
  summary: "make a code by which so many people may join without paying",
  options: {
    seats: { value: "N", help: "how many people may join by it", isRequired: true },
    code: { value: "X", help: "letters, digits and hyphens; without it one is made up" },
    starts: { value: "DATE", help: "the first day it works, such as 31/01/2027; without it today" },
    ends: { value: "DATE", help: "the last day it works; without it for good" },
    products: { value: "IDS", help: "product ids that it unlocks, with commas between; without it what members buy" },
  },
  example: "code create --seats 20 --ends 31/12/2027",
  run(input) {
    const wanted = readNewCode(input);
    return withServices(async ({ services, operator }) => {
      const created = await makeCode(services, { operator }, wanted);
      if (!created.ok) return refuseNew(created.reason, wanted.code);
      return { ok: true, text: describe(created.code), json: toJson(created.code) };
    });
  },
};

const list: Command = {
  summary: "list all codes, the newest first",
  example: "code list",
  run: () =>
    withServices(async ({ services }) => {
      const codes = await services.codes.list();
      const rows = codes.map((code) => [
        code.code,
        printStatus(code),
        `${code.seatsTaken} of ${code.seats}`,
        printInstant(code.startsAt),
        printInstant(code.endsAt),
        code.company?.name,
      ]);
      const columns = ["CODE", "WORKS", "SEATS", "FROM", "UNTIL", "COMPANY"];
      const text = printTable(columns, rows, { whenEmpty: "There are no codes." });
      return { ok: true, text, json: { codes: codes.map(toJson) } };
    }),
};

const show: Command = {
  summary: "show whether a code works now, and who sits on its seats",
  words: ["CODE"],
  example: "code show DORMOUSE-DEMO",
  run: ({ words: [word = ""] }) =>
    withServices(async ({ services }) => {
      const found = await services.codes.find(word);
      if (!found) return refuse(`There is no code “${word}”.`);
      const holders = await nameHolders(found, services.accounts);
      const rows = holders.map(({ memberId, name, email, takenAt }) => [memberId, name, email, printInstant(takenAt)]);
      const table = printTable(["MEMBER", "NAME", "E-MAIL", "SINCE"], rows, { whenEmpty: "No one has joined by it." });
      return { ok: true, text: `${describe(found)}\n\n${table}`, json: { ...toJson(found), holders } };
    }),
};

const revoke: Command = {
  summary: "end a code: no one can join by it any more, members who joined stay",
  words: ["CODE"],
  example: "code revoke DORMOUSE-7KQX-M4VD",
  run: ({ words: [word = ""] }) =>
    withServices(async ({ services, operator }) => {
      const ended = await endCode(services, { operator }, word);
      if (!ended.ok && ended.reason === "unknown") return refuse(`There is no code “${word}”.`);
      const found = ended.code;
      if (!ended.ok) return refuse(`${found.code} has been revoked before, on ${printInstant(found.revokedAt)}.`);
      const text = `${found.code} is revoked: no one can join by it. ${found.seatsTaken} who did stay members.`;
      return { ok: true, text, json: toJson(found) };
    }),
};

export const codeCommands: Group = {
  summary: "codes by which people join through their employer",
  commands: { create, list, show, revoke },
};

function readNewCode(input: Input): NewCode {
  return {
    code: input.value("code"),
    seats: need(readCount(input, "seats", { min: 1, max: MAX_SEATS }), "seats"),
    startsAt: readDay(input, "starts", "first"),
    endsAt: readDay(input, "ends", "last"),
    products: readNumbers(input, "products"),
  };
}

function refuseNew(reason: NewCodeRefusal, code: string | undefined): Answer {
  if (reason === "code-taken") return refuseTakenCode(code);
  throw new UsageError(codeMistakes[reason]);
}

function describe(code: CodeView): string {
  const facts: [string, Cell][] = [
    ["Code", code.code],
    ["Works now", printStatus(code)],
    ["Seats taken", `${code.seatsTaken} of ${code.seats}`],
    ["From", printInstant(code.startsAt)],
    ["Until", printInstant(code.endsAt) ?? "for good"],
    ["Products", code.products.join(", ")],
    ["Company", code.company?.name],
    ["Revoked", printInstant(code.revokedAt)],
  ];
  return printFacts(facts);
}

function printStatus({ fault }: CodeView): string {
  return fault ? `no: ${faultLabels[fault]}` : "yes";
}

function toJson({ holders: _holders, ...code }: CodeView & Partial<CodeDetails>) {
  return { ...code, isValid: code.fault === undefined };
}

async function nameHolders({ holders }: CodeDetails, accounts: CommandContext["services"]["accounts"]) {
  return Promise.all(
    holders.map(async ({ memberId, takenAt }) => {
      const member = await accounts.findRecord(memberId);
      return { memberId, name: `${member?.firstName} ${member?.lastName}`, email: member?.email, takenAt };
    }),
  );
}

/** For the commands that make a code: its text is taken. */
export function refuseTakenCode(code: string | undefined): Answer {
  return refuse(`There is a code “${code}” already: take another one.`);
}

/** For the commands that make a code: a sentence for each option that cannot be as it is. */
export const codeMistakes: Record<Exclude<NewCodeRefusal, "code-taken">, string> = {
  "code-malformed": "--code must be 4 to 40 letters, digits and hyphens, and begin and end with a letter or digit.",
  "seats-invalid": `--seats must be a whole number from 1 to ${MAX_SEATS}.`,
  "dates-invalid": "--ends must come after --starts, which is now if it is not given.",
  "products-invalid": "--products must be up to 50 different numbers with commas between.",
  "company-unknown": api.ours["no-company"],
};
