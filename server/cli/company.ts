import { toEmailKey } from "../accounts/rules.ts";
import type { NewCompany, NewCompanyRefusal } from "../codes/companies.ts";
import type { Company } from "../codes/company.ts";
import { collectionLabels, companyLabels } from "../codes/rules.ts";
import type { InviteRefusal } from "../company-page/contacts.ts";
import {
  type AddCompanyResult,
  addCompany,
  inviteContact,
  openAgreementPage,
  removeContact,
} from "../desk/company-acts.ts";
import { sayError } from "../faults.ts";
import { formatPenceInFull } from "../format.ts";
import { companies as messages } from "../refusals.ts";
import { codeMistakes, refuseTakenCode } from "./code.ts";
import { type CommandContext, withServices } from "./command-context.ts";
import {
  type Answer,
  type Command,
  type Group,
  type Input,
  need,
  readCount,
  readEmail,
  readPence,
  refuse,
  UsageError,
} from "./command.ts";
import { type Cell, printFacts, printInstant, printTable } from "./print.ts";

const create: Command = {
  summary: "add a company that pays for its people, and ask it for a yearly Direct Debit",
  options: {
    name: { value: "N", help: "what it is called", isRequired: true },
    email: { value: "E", help: "whom to write to: the page of the Direct Debit is mailed there", isRequired: true },
    accounts: { value: "N", help: "for how many people it pays", isRequired: true },
    price: { value: "PRICE", help: "in pounds a year for all of them, such as 1500.00", isRequired: true },
    code: { value: "X", help: "the code that it gives to its people; without it one is made up" },
  },
  example: 'company create --name "Pillow Works" --email hr@pillow.example --accounts 50 --price 1500.00',
  run(input) {
    const wanted = readNewCompany(input);
    return withServices((ctx) => setUpCompany(wanted, ctx));
  },
};

const list: Command = {
  summary: "list all companies by name",
  example: "company list",
  run: () =>
    withServices(async ({ services }) => {
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
  summary: "show how a company stands, and what was collected from it",
  words: ["NAME|ID"],
  example: 'company show "Pillow Works"',
  run: ({ words: [word = ""] }) =>
    withServices(async ({ services }) => {
      const company = await services.companies.find(word);
      if (!company) return refuse(`There is no company “${word}”.`);
      const years = company.collections.map(({ period, amountInPence, state, dueAt }) => [
        period + 1,
        formatPenceInFull(amountInPence),
        collectionLabels[state],
        printInstant(dueAt),
      ]);
      const table = printTable(["YEAR", "AMOUNT", "STATE", "BEGINS"], years, { whenEmpty: "Nothing was collected." });
      return { ok: true, text: `${describeCompany(company)}\n\n${table}`, json: company };
    }),
};

const link: Command = {
  summary: "open a fresh page on which a company agrees to its Direct Debit",
  words: ["NAME|ID"],
  options: { mail: { help: "mail it to the company's contact as well" } },
  example: 'company link "Pillow Works" --mail',
  run: (input) => withServices((ctx) => openPage(input.words[0] ?? "", { isMailed: input.has("mail") }, ctx)),
};

const invite: Command = {
  summary: "let a person see the company's own page, and tell them by an email",
  words: ["NAME|ID", "EMAIL"],
  example: 'company invite "Pillow Works" hr@pillow.example',
  note: "They log in at /company by a link or a code in an email. The page has counts in fives and no names.",
  run: ({ words: [word = "", email = ""] }) =>
    withServices(async ({ services, operator }) => {
      const company = await services.companies.find(word);
      if (!company) return refuse(`There is no company “${word}”.`);
      const input = { companyId: company.id, email, site: services.site };
      const invited = await inviteContact(services, { operator }, input);
      if (!invited.ok) return refuseContact(invited.reason, { company: company.name, email });
      const { contact } = invited;
      const text = `${contact.email} may see the page of ${company.name} at ${services.site}company, and was told so.`;
      return { ok: true, text, json: { id: company.id, name: company.name, contact } };
    }),
};

const contacts: Command = {
  summary: "list who may see the company's own page, or remove one of them",
  words: ["NAME|ID"],
  options: { remove: { value: "EMAIL", help: "take the page from this contact, who is logged out at once" } },
  example: 'company contacts "Pillow Works"',
  run: (input) => {
    const email = readEmail(input, "remove");
    return withServices(async (ctx) => {
      const word = input.words[0] ?? "";
      const company = await ctx.services.companies.find(word);
      if (!company) return refuse(`There is no company “${word}”.`);
      return email === undefined ? listAll(company, ctx) : takeFrom(company, email, ctx);
    });
  },
};

export const companyCommands: Group = {
  summary: "companies that pay for their people by Direct Debit",
  commands: { create, list, show, link, invite, contacts },
};

function readNewCompany(input: Input): NewCompany {
  return {
    name: need(input.value("name"), "name"),
    contactEmail: need(readEmail(input, "email"), "email"),
    accounts: need(readCount(input, "accounts", { min: 1, max: 100_000 }), "accounts"),
    priceInPence: need(readPence(input, "price"), "price"),
    code: input.value("code"),
  };
}

async function setUpCompany(wanted: NewCompany, { services, operator }: CommandContext): Promise<Answer> {
  const added = await addCompany(services, { operator }, { ...wanted, site: services.site });
  if (!added.ok) {
    if (added.reason === "debits-closed") return refuse(messages.ours["debits-closed"]);
    return added.reason === "gateway-failed" ? sayHalf(added) : refuseNew(added.reason, wanted);
  }
  const { company, authorisationUrl, expiresAt } = added;
  const text = describeCompany(company, [
    ["Direct Debit page", authorisationUrl],
    ["It works until", printInstant(expiresAt)],
    ["Mailed to", company.contactEmail],
  ]);
  const { billingRequestId: _request, mandateId: _mandate, collections: _collections, ...shown } = company;
  const json = { ...shown, authorisationUrl, expiresAt };
  const next = "The code works once the company has agreed on that page.";
  return { ok: true, text: `${text}\n\n${next}`, json };
}

function sayHalf({ company, error }: Extract<AddCompanyResult, { reason: "gateway-failed" }>): Answer {
  const { id, name, code } = company;
  return refuse(
    `${name} and its code ${code} are there, but the page to agree on was not mailed: the gateway did not answer (${sayError(error)}). Open its page with \`company link ${id} --mail\`.`,
  );
}

function refuseNew(reason: NewCompanyRefusal, { name, code }: NewCompany): Answer {
  if (reason === "code-taken") return refuseTakenCode(code);
  if (reason === "name-taken") {
    return refuse(`There is a company “${name}” already: \`company link\` opens its page again.`);
  }
  throw new UsageError(mistakes[reason]);
}

const mistakes: Record<Exclude<NewCompanyRefusal, "name-taken" | "code-taken">, string> = {
  ...codeMistakes,
  "name-invalid": "--name must be 1 to 100 characters on one line.",
  "email-invalid": "--email must be an e-mail address.",
  "accounts-invalid": "--accounts must be a whole number from 1 to 100000.",
  "price-invalid": "--price must be from 0.01 to 1000000.00.",
};

async function openPage(word: string, { isMailed }: { isMailed: boolean }, ctx: CommandContext): Promise<Answer> {
  const { services, operator } = ctx;
  const company = await services.companies.find(word);
  if (!company) return refuse(`There is no company “${word}”.`);
  const { id, name, contactEmail } = company;
  const opened = await openAgreementPage(services, { operator }, { companyId: id, isMailed, site: services.site });
  if (!opened.ok) {
    if (opened.reason === "gateway-failed") return refuse(`The gateway did not answer: ${sayError(opened.error)}`);
    if (opened.reason === "debits-closed") return refuse(messages.ours["debits-closed"]);
    return refuse(`${name} has agreed, and nothing is unpaid: it needs no page.`);
  }
  const { authorisationUrl, expiresAt } = opened;
  const text = printFacts([
    ["Direct Debit page", authorisationUrl],
    ["It works until", printInstant(expiresAt)],
    ["Mailed to", isMailed ? contactEmail : undefined],
  ]);
  return { ok: true, text, json: { id, name, authorisationUrl, expiresAt, isMailed } };
}

function refuseContact(reason: InviteRefusal, { company, email }: { company: string; email: string }): Answer {
  switch (reason) {
    case "email-invalid":
      throw new UsageError(`A contact is named by an e-mail address, not “${email}”.`);
    case "company-unknown":
      return refuse(`There is no company “${company}”.`);
    case "contact-known":
      return refuse(`${email} may see the page of ${company} already.`);
    case "contacts-many":
      return refuse(`${company} has as many contacts as a company can have: remove one first.`);
  }
}

async function listAll({ id, name }: Company, { services }: CommandContext): Promise<Answer> {
  const all = await services.companyPage.listContacts(id);
  const rows = all.map(({ email, invitedAt }) => [email, printInstant(invitedAt)]);
  const text = printTable(["E-MAIL", "INVITED"], rows, { whenEmpty: `No one may see the page of ${name} yet.` });
  return { ok: true, text, json: { id, name, contacts: all } };
}

async function takeFrom({ id, name }: Company, email: string, ctx: CommandContext): Promise<Answer> {
  const { services, operator } = ctx;
  const key = toEmailKey(email);
  const contact = (await services.companyPage.listContacts(id)).find((each) => toEmailKey(each.email) === key);
  const isDone =
    contact !== undefined && (await removeContact(services, { operator }, { companyId: id, contactId: contact.id }));
  if (!isDone) return refuse(`${email} is no contact of ${name}.`);
  return {
    ok: true,
    text: `${contact.email} no longer sees the page of ${name}.`,
    json: { id, name, removed: contact },
  };
}

/** A company, with more facts about it if there are any. */
function describeCompany(company: Company, more: [string, Cell][] = []): string {
  return printFacts([
    ["Company", company.name],
    ["Number", company.id],
    ["State", companyLabels[company.state]],
    ["Code", company.code],
    ["Seats taken", `${company.seatsTaken} of ${company.accounts}`],
    ["Price a year", formatPenceInFull(company.priceInPence)],
    ["Contact", company.contactEmail],
    ["Live since", printInstant(company.liveSince)],
    ["Grace ends", printInstant(company.graceEndsAt)],
    ...more,
  ]);
}
