import { CODE_LIFE_IN_MINUTES } from "../../members/challenges/code-email.ts";
import { formatDay, formatPence } from "../../platform/format.ts";
import type { Company } from "./company.ts";
import type { CompanyPageContext } from "./page/contacts.ts";
import {
  type Block,
  button,
  code as codeBlock,
  composeEmail,
  type Email,
  type EmailContent,
  type EmailInput,
  type EmailSettings,
  factList,
  oneLine,
  paragraph,
  privateLink,
  shortName,
  toCause,
  toSender,
} from "../../platform/email/layout.ts";

type PageEmails = CompanyPageContext["emails"];

type Draft = { product: EmailSettings["product"]; site: string; subject: string; why: string; blocks: Block[] };

function composeCompanyEmail({ product, site, subject, why, blocks }: Draft): EmailContent {
  const sender = toSender({ ...product, contactEmail: product.companyEmail }, site);
  return {
    ...composeEmail({ sender, subject, why, blocks: [paragraph("Hello,"), ...blocks] }),
    replyTo: product.companyEmail,
  };
}

function contactText({ name }: Pick<Company, "name">, product: EmailSettings["product"]): string {
  return `You get this email because you're the contact for ${shortName(name)} at ${oneLine(product.name)}.`;
}

/** `authorisationUrl`: the gateway's page for the mandate. */
type MandateInput = { company: Company; authorisationUrl: string; site: string };

export function companyMandateEmail(
  { company, authorisationUrl, site }: MandateInput,
  { product }: EmailSettings,
): Email {
  const name = shortName(company.name);
  const mail = composeCompanyEmail({
    product,
    site,
    subject: `Direct Debit for ${name}`,
    why: contactText(company, product),
    blocks: [
      paragraph(`Here is what we agreed for ${oneLine(product.name)} at your company.`),
      factList([
        ["Company", name],
        ["Accounts", company.accounts.toLocaleString("en-GB")],
        ["Price", `${formatPence(company.priceInPence)} a year for all accounts`],
        ["Paid by", "Direct Debit, once a year"],
      ]),
      button("Set up the Direct Debit", authorisationUrl),
      paragraph("Once that's done, your staff can join with their code."),
    ],
  });
  const cause = `company-${company.id} ${authorisationUrl.slice(-8)}`;
  return { kind: "company-mandate", cause, to: company.contactEmail, mail };
}

type ContractInput = { company: Company; sentences: string[]; at: Date; site: string };

export function companyContractEmail(
  { company: { id, name, contactEmail }, sentences, at, site }: ContractInput,
  { product }: EmailSettings,
): Email {
  const mail = composeCompanyEmail({
    product,
    site,
    subject: `The contract of ${shortName(name)} changes`,
    why: contactText({ name }, product),
    blocks: [
      paragraph(`Your contract for ${oneLine(product.name)} changes as we agreed.`),
      ...sentences.map(paragraph),
      paragraph("Your Direct Debit doesn't change. If this isn't what we agreed, please write to us."),
    ],
  });
  return { kind: "company-contract", cause: `company-${id} ${at.toISOString()}`, to: contactEmail, mail };
}

export function companyLiveEmail(company: Company, { product, site }: EmailSettings): Email {
  const name = shortName(company.name);
  const mail = composeCompanyEmail({
    product,
    site,
    subject: `${company.code}: The staff of ${name} can join`,
    why: contactText(company, product),
    blocks: [
      paragraph(`The Direct Debit for ${name} is set up, and your code for ${oneLine(product.name)} works now:`),
      codeBlock(company.code),
      paragraph("Give it to your staff. We've made a poster with it, for you to print and put up at work."),
      button("See the poster", `${site}company/poster`),
      paragraph(
        "Your company's own page shows how many seats are taken and has your invoices. " +
          "There's no password: type this email address there, and we'll send you a link and a code.",
      ),
      button("Open your company's page", `${site}company`),
    ],
  });
  return { kind: "company-live", cause: `company-${company.id}`, to: company.contactEmail, mail };
}

/** After the last failed try of a Direct Debit: how long the code still works. */
export function companyStoppedEmail(
  { id, name, contactEmail, graceEndsAt }: Company,
  { product, site }: EmailSettings,
): Email | undefined {
  if (!graceEndsAt) return undefined;
  const day = formatDay(graceEndsAt);
  const mail = composeCompanyEmail({
    product,
    site,
    subject: `The Direct Debit for ${shortName(name)} has stopped`,
    why: contactText({ name }, product),
    blocks: [
      paragraph(
        `Your Direct Debit for ${oneLine(product.name)} couldn't be collected, or was cancelled. ` +
          `Your company's code still works until ${day}. After that it stops.`,
      ),
      factList([
        ["Company", shortName(name)],
        ["Code works until", day],
      ]),
      paragraph("Please write to us, and we'll sort it out together."),
    ],
  });
  return { kind: "company-stopped", cause: `company-${id} ${graceEndsAt.toISOString()}`, to: contactEmail, mail };
}

export function companyInvitationEmail(
  { contact: { id, email, invitedAt }, companyName, site }: EmailInput<PageEmails, "companyInvitation">,
  { product }: EmailSettings,
): Email {
  const [name, productName] = [shortName(companyName), oneLine(product.name)];
  const mail = composeCompanyEmail({
    product,
    site,
    subject: `The ${productName} page of ${name}`,
    why: `You get this email because you were named as a contact for ${name} at ${productName}.`,
    blocks: [
      paragraph(`${name} has its own page at ${productName}, and you can now see it.`),
      paragraph("It has your code with a poster to print, roughly how many seats are taken, and your invoices."),
      button("Open the page", `${site}company`),
      paragraph("There's no password. Type this email address there, and we'll send you a link and a code."),
    ],
  });
  return { kind: "company-invitation", cause: `contact-${id} ${invitedAt.toISOString()}`, to: email, mail };
}

export function companyLogInEmail(
  { contact, companyName, site, code, token }: EmailInput<PageEmails, "companyLogIn">,
  { product }: EmailSettings,
): Email {
  const mail = composeCompanyEmail({
    product,
    site,
    subject: `${code}: Your code for the page of ${shortName(companyName)}`,
    why: `You get this email because someone typed this address into the log-in for companies at ${oneLine(product.name)}.`,
    blocks: [
      paragraph("Type this code on the page where you asked for it:"),
      codeBlock(code),
      paragraph("Or open this link, on any device:"),
      button("Log in", `${site}company?token=${token}`),
      paragraph(
        `Both work for ${CODE_LIFE_IN_MINUTES} minutes, and only once. If you didn't ask for them, you can ignore this email.`,
      ),
      privateLink,
    ],
  });
  return { kind: "company-log-in", cause: toCause(token), to: contact?.email ?? "", mail, isSecret: true };
}
