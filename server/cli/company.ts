import type { Collection } from "../codes/collections.ts";
import type { NewCompany, NewCompanyRefusal } from "../codes/companies.ts";
import type { Company, CompanyState } from "../codes/company.ts";
import { sayError } from "../faults.ts";
import { formatPenceInFull } from "../format.ts";
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

export const companyCommands: Group = {
  summary: "companies that pay for their people by Direct Debit",
  commands: { create, list, show, link },
};

const CLOSED = "No Direct Debit is configured, so no company can agree to one.";

function readNewCompany(input: Input): NewCompany {
  return {
    name: need(input.value("name"), "name"),
    contactEmail: need(readEmail(input, "email"), "email"),
    accounts: need(readCount(input, "accounts", { min: 1, max: 100_000 }), "accounts"),
    priceInPence: need(readPence(input, "price"), "price"),
    code: input.value("code"),
  };
}

async function setUpCompany(wanted: NewCompany, ctx: CommandContext): Promise<Answer> {
  const { services, config, operator } = ctx;
  // Checked first: company and code would be added, and the company could never agree.
  if (config.debits.kind === "none") return refuse(CLOSED);
  const created = await services.companies
    .create(wanted, linksOf(services.site))
    .catch((error: unknown) => ({ error }));
  if ("error" in created) return recordHalf(wanted, created.error, ctx);
  if (!created.ok) return refuseNew(created.reason, wanted);
  const { company, code, authorisationUrl, expiresAt } = created;
  await services.transact(async (trx) => {
    await services.emails.companyMandate({ company, authorisationUrl }, trx);
    await services.audit.record({ operator, action: "company create", facts: { company: company.id, code } }, trx);
  });
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

/** The gateway is asked after company and code were added: they stay, without a page and unmailed. */
async function recordHalf(
  { name }: NewCompany,
  error: unknown,
  { services, operator }: CommandContext,
): Promise<Answer> {
  const company = await services.companies.find(name);
  if (!company) throw error;
  const { id, code } = company;
  await services.audit.record({ operator, action: "company create", facts: { company: id, code, isMailed: false } });
  return refuse(
    `${company.name} and its code ${code} are there, but nothing was mailed: the gateway did not answer (${sayError(error)}). Open its page with \`company link ${id} --mail\`.`,
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
  const { services, config, operator } = ctx;
  const company = await services.companies.find(word);
  if (!company) return refuse(`There is no company “${word}”.`);
  if (config.debits.kind === "none") return refuse(CLOSED);
  const opened = await services.companies
    .openFlow(company.id, linksOf(services.site))
    .catch((error: unknown) => ({ error }));
  if ("error" in opened) return refuse(`The gateway did not answer: ${sayError(opened.error)}`);
  if (!opened.ok) return refuse(`${company.name} has agreed, and nothing is unpaid: it needs no page.`);
  const { authorisationUrl, expiresAt } = opened;
  await services.transact(async (trx) => {
    if (isMailed) await services.emails.companyMandate({ company, authorisationUrl }, trx);
    await services.audit.record({ operator, action: "company link", facts: { company: company.id, isMailed } }, trx);
  });
  const text = printFacts([
    ["Direct Debit page", authorisationUrl],
    ["It works until", printInstant(expiresAt)],
    ["Mailed to", isMailed ? company.contactEmail : undefined],
  ]);
  return { ok: true, text, json: { id: company.id, name: company.name, authorisationUrl, expiresAt, isMailed } };
}

/** The person who agrees for a company has no account, so the gateway sends them back to the sign-up page. */
function linksOf(site: string) {
  return { returnUrl: `${site}signup?company=agreed`, exitUrl: `${site}signup?company=left` };
}

/** A company's state as operators read it. */
const companyLabels: Record<CompanyState, string> = {
  "setting-up": "has not agreed yet",
  live: "live",
  grace: "in grace",
  stopped: "stopped",
};

const collectionLabels: Record<Collection["state"], string> = {
  due: "to be collected",
  again: "to be collected again",
  pending: "on its way",
  confirmed: "collected",
  "paid-out": "paid out",
  failed: "failed",
  "charged-back": "claimed back",
  cancelled: "cancelled",
};

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
