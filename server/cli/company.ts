import { companyFacts } from "../operations/acts/company-acts.ts";
import type { Company } from "../money/companies/company.ts";
import { collectionLabels, companyLabels } from "../money/companies/labels.ts";
import { formatPenceInFull } from "../platform/format.ts";
import { actCommands, runActCommand, withSubject } from "./act-command.ts";
import { type Answer, type Command, type Group, readEmail, refuse } from "./command.ts";
import { type CommandContext, withServices } from "./command-context.ts";
import { printFacts, printInstant, printNotes, printTable } from "../operations/acts/print.ts";

const list: Command = {
  summary: "list all companies by name",
  example: "company list",
  run: (_input, terminal) =>
    withServices(terminal, async ({ services }) => {
      const companies = await services.companies.list();
      const rows = companies.map((company) => [
        company.id,
        company.name,
        companyLabels[company.state],
        company.code,
        `${company.seatsTaken} of ${company.accounts}`,
        formatPenceInFull(company.priceInPence),
        printInstant(company.liveSince),
      ]);
      const columns = ["ID", "NAME", "STATE", "CODE", "SEATS", "A YEAR", "SINCE"];
      const text = printTable(columns, rows, { whenEmpty: "There are no companies." });
      return { ok: true, text, json: { companies } };
    }),
};

const show: Command = {
  summary: "show a company's state, its collections and the notes about it",
  example: 'company show "Pillow Works"',
  ...withSubject("company", async (company, { services }) => {
    const years = company.collections.map(({ period, amountInPence, state, dueAt }) => [
      period + 1,
      formatPenceInFull(amountInPence),
      collectionLabels[state],
      printInstant(dueAt),
    ]);
    const table = printTable(["YEAR", "AMOUNT", "STATE", "BEGINS"], years, { whenEmpty: "Nothing collected yet." });
    const notes = await services.notes.listFor({ companyId: company.id });
    const text = [printFacts(companyFacts(company)), table, printNotes(notes)].join("\n\n");
    return { ok: true, text, json: { ...company, notes } };
  }),
};

const contacts: Command = {
  summary: "list who can see the company's own page, or remove one of them",
  words: ["NAME|ID"],
  options: { remove: { value: "EMAIL", help: "stop this contact from seeing the page, and log them out" } },
  example: 'company contacts "Pillow Works"',
  run(input, terminal) {
    const [word = ""] = input.words;
    const item = readEmail(input, "remove");
    return withServices(terminal, async (ctx) => {
      if (item !== undefined) return runActCommand("company remove-contact", { word, item, values: {} }, ctx);
      const company = await ctx.services.companies.find(word);
      return company ? listAll(company, ctx) : refuse(`There is no company “${word}”.`);
    });
  },
};

export const companyCommands: Group = {
  summary: "companies that pay for their staff by Direct Debit",
  commands: { list, show, contacts, ...actCommands("company") },
};

async function listAll({ id, name }: Company, { services }: CommandContext): Promise<Answer> {
  const all = await services.companyPage.listContacts(id);
  const rows = all.map(({ email, invitedAt }) => [email, printInstant(invitedAt)]);
  const text = printTable(["E-MAIL", "INVITED"], rows, { whenEmpty: `No one can see the page of ${name} yet.` });
  return { ok: true, text, json: { id, name, contacts: all } };
}
