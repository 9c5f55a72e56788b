import { z } from "zod";

import type { CorrectionResult } from "../../money/companies/companies.ts";
import type { CompanyDetails } from "../../money/companies/company.ts";
import { contractSentences, type ContractChange, type ContractTerms } from "../../money/companies/contract-change.ts";
import { isUniqueViolation } from "../../platform/database/faults.ts";
import { companies as table } from "../../refusals.ts";
import { type ActResult, defineAct, refuseAct } from "./act.ts";
import { emailAddress, pence, wholeNumber } from "./fields.ts";

export const contractActs = {
  "company contract": defineAct({
    subject: "company",
    fields: {
      accounts: {
        label: "Accounts",
        hint: "More from today, fewer from the next collection.",
        schema: wholeNumber({ min: 1, max: 100_000, error: table["accounts-invalid"] }).optional(),
        value: "N",
        isOptional: true,
      },
      price: {
        label: "Price in pounds",
        hint: "A year, for all accounts, from the next collection.",
        schema: pence({ max: 100_000_000, error: table["price-invalid"] }).optional(),
        value: "PRICE",
        isOptional: true,
      },
    },
    audit: "Changed a company's contract",
    desk: {
      role: "owner",
      title: "Change accounts or price",
      button: "Change the contract",
      pending: "Changing it...",
      note: "The price of the current year doesn't change.",
    },
    command: {
      summary: "change a company's accounts or price from its next collection, and email its contact",
      example: 'company contract "Pillow Works" --accounts 60 --price 1800.00',
    },
    async predict({ accounts, price: priceInPence }, { services, subject }) {
      const change = await services.companies.predictChange(subject.id, { accounts, priceInPence });
      return change ? predictChange(change, subject) : refuseAct(table["contract-same"]);
    },
    async run({ accounts, price: priceInPence }, { services, subject, site, record }) {
      const { companies, emails, transact } = services;
      const wanted: ContractTerms = { accounts, priceInPence };
      return transact(async (trx): Promise<ActResult> => {
        const change = await companies.changeContract(subject.id, wanted, trx);
        if (!change) return refuseAct(table["contract-same"]);
        const sentences = contractSentences(change);
        await emails.companyContract({ company: subject, sentences, at: services.clock(), site }, trx);
        const { before, after } = change;
        const from = change.from instanceof Date ? change.from.toISOString() : change.from;
        const facts = { company: subject.id, accounts: after.accounts, priceInPence: after.priceInPence, from };
        await record({ facts: { ...facts, before: { ...before } } }, trx);
        return {
          ok: true,
          message: `${sentences.join(" ")} We've emailed ${subject.contactEmail}.`,
          json: { ...after, from: change.from, before },
        };
      });
    },
  }),

  "company details": defineAct({
    subject: "company",
    fields: {
      name: { label: "Company", schema: z.string().optional(), value: "N", isOptional: true },
      email: {
        label: "Contact's email",
        hint: "For emails about the contract. It gives no access to the company's page.",
        schema: emailAddress(table["email-invalid"]).optional(),
        value: "E",
        type: "email",
        isOptional: true,
      },
    },
    audit: "Corrected a company's name or contact",
    desk: {
      role: "owner",
      title: "Correct name or contact",
      button: "Save",
      pending: "Saving...",
    },
    command: {
      summary: "correct a company's name, or the address for emails about its contract",
      example: 'company details "Pillow Works" --name "Pillow Works Ltd" --email hr@pillow.example',
    },
    async run({ name, email: contactEmail }, { services: { companies, transact }, subject, record }) {
      const result = await transact(async (trx): Promise<CorrectionResult> => {
        const corrected = await companies.correct(subject.id, { name, contactEmail }, trx);
        if (corrected.ok) await record({ facts: { company: subject.id } }, trx);
        return corrected;
      }).catch((error: unknown): CorrectionResult => {
        // Another company got the name at the same moment.
        if (!isUniqueViolation(error)) throw error;
        return { ok: false, reason: "name-taken" };
      });
      if (!result.ok) return refuseAct(table[correctionRefusals[result.reason]], fieldFor[result.reason]);
      const company = await companies.findById(subject.id);
      const shown = { name: company?.name ?? "", contactEmail: company?.contactEmail ?? "" };
      return { ok: true, message: `Saved: ${shown.name}, contact ${shown.contactEmail}.`, json: shown };
    },
  }),
};

function predictChange(change: ContractChange, { seatsTaken, contactEmail }: CompanyDetails): string[] {
  const { after } = change;
  return [
    ...contractSentences(change),
    ...(seatsTaken > after.accounts
      ? [
          `${seatsTaken} people have a seat and keep it. No one else can join until fewer than ${after.accounts} seats are taken.`,
        ]
      : []),
    `We email ${contactEmail}.`,
  ];
}

type Reason = Extract<CorrectionResult, { ok: false }>["reason"];

const correctionRefusals = {
  "name-invalid": "name-invalid",
  "name-taken": "name-taken",
  "email-invalid": "email-invalid",
  "company-unknown": "company-unknown",
  same: "details-same",
} as const satisfies Record<Reason, keyof typeof table>;

const fieldFor: Partial<Record<Reason, string>> = {
  "name-invalid": "name",
  "name-taken": "name",
  "email-invalid": "email",
};
