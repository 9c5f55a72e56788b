import { createDemo } from "../../server/adapters/demo/demo.ts";
import type { DemoDebit } from "../../server/adapters/demo/debits.ts";
import { listEvents, markDelivered, signDemoWebhook } from "../../server/adapters/demo/store.ts";
import { createCompanies } from "../../server/money/companies/companies.ts";
import type { CompanyDetails } from "../../server/money/companies/company.ts";
import type { CompaniesContext, CompanyEmails } from "../../server/money/companies/company-status.ts";
import type { Engine } from "../../server/platform/database/database.ts";
import { openApp } from "./app.ts";

export type Call = "createBillingRequest" | "openFlow" | "findBillingRequest" | "findMandate" | "collect" | "findDebit";

/** `before`: the gateway was never reached. `after`: it did the work, and its answer was lost. */
export type Fault = { call: Call; when: "before" | "after"; companyId?: number };

/** The demo's gateway on a line that can be cut. */
function cutLine(gateway: DemoDebit, findFault: () => Fault | undefined): DemoDebit {
  return new Proxy(gateway, {
    get(target, name: keyof DemoDebit) {
      const value = target[name];
      const fault = findFault();
      if (typeof value !== "function" || fault?.call !== name) return value;
      return async (...inputs: unknown[]) => {
        if (fault.when === "after") await Reflect.apply(value, target, inputs);
        throw new Error(`No answer to ${name}`);
      };
    },
  });
}

type Options = { debitsBegin?: "pending"; emails?: CompanyEmails };

/** Companies over one database, at a bank that tests control. */
export async function openCompanyApp(engine: Engine, { debitsBegin, emails }: Options = {}) {
  const app = await openApp({ engine });
  const { db, clock, log } = app;
  const { codes } = app.services;
  const pageUrl = (path: string) => `https://dormouse.example/${path}`;
  const { store, debits: bank, pages } = createDemo({ db, clock, secret: "secret", pageUrl, debitsBegin });
  const line: { fault: Fault | undefined } = { fault: undefined };
  const gateway = cutLine(bank, () => line.fault);
  const ctx: CompaniesContext = { ...app.ctx, productName: app.services.product.name, codes, gateway, emails };
  const companies = createCompanies(ctx);

  const find = async (name = "Acme"): Promise<CompanyDetails> => {
    const company = await companies.find(name);
    if (!company) throw new Error(`No company ${name}`);
    return company;
  };
  /** Delivers the gateway's events in an order of the test's choosing. */
  const deliver = async (arrange: (ids: string[]) => string[] = (ids) => ids): Promise<void> => {
    const waiting = new Map((await listEvents(store, 1000)).map((webhook) => [webhook.id, webhook]));
    for (const id of arrange([...waiting.keys()])) {
      const body = waiting.get(id)?.body ?? "";
      for (const webhook of bank.readEvents(body, new Headers(signDemoWebhook("secret", body))) ?? []) {
        await companies.handleEvent(webhook);
      }
    }
    await markDelivered(store, [...waiting.keys()]);
  };
  const agreeOn = (url: string) => pages.agreeDebit(url.split("/").at(-1) ?? "", account);
  /** A new company that has agreed, before the app gets the event. */
  const agree = async (wanted: Partial<typeof acme> = {}): Promise<CompanyDetails> => {
    const made = await companies.create({ ...acme, ...wanted }, links);
    if (!made.ok) throw new Error(made.reason);
    await agreeOn(made.authorisationUrl);
    return made.company;
  };
  /** A company that has agreed, and the app knows it. */
  const engage = async (wanted: Partial<typeof acme> = {}): Promise<CompanyDetails> => {
    const { name } = await agree(wanted);
    await deliver();
    return find(name);
  };
  /** Changes a company's mandate or last debit at the bank, and delivers the event. */
  const changeAtBank = async (company: CompanyDetails, control: Control): Promise<void> => {
    await bank[control](toSubject(company, control));
    await deliver();
  };
  const agreeAgain = async (companyId: number) => {
    const flow = await companies.openFlow(companyId, links);
    if (!flow.ok) throw new Error(flow.reason);
    await agreeOn(flow.authorisationUrl);
  };
  /** People may join. */
  const isOpen = async (code = "ACME-SLEEP") => (await codes.check(code)).isValid;
  const listDebits = () =>
    db.selectFrom("demoObjects").selectAll().where("kind", "=", "dd").orderBy("createdAt").execute();
  const listRequests = () => db.selectFrom("demoObjects").select("id").where("kind", "=", "brq").execute();
  const things = { ctx, clock, log, db, bank, pages, line, codes, companies };
  const deeds = { find, deliver, agree, agreeOn, engage, changeAtBank, agreeAgain, isOpen, listDebits, listRequests };
  return { ...things, ...deeds, [Symbol.asyncDispose]: app[Symbol.asyncDispose] };
}

export const acme = {
  name: "Acme",
  contactEmail: "people@acme.example",
  accounts: 50,
  priceInPence: 60_000,
  code: "ACME-SLEEP",
};

export const links = { returnUrl: "https://dormouse.example/?agreed", exitUrl: "https://dormouse.example/?left" };
const account = { accountHolderName: "Acme Ltd", accountNumber: "55779911", sortCode: "20-00-00" };
export type Control =
  | "failMandate"
  | "suspendMandate"
  | "restoreMandate"
  | "replaceMandate"
  | "failDebit"
  | "chargeBack"
  | "confirmDebit";
export const toSubject = (company: CompanyDetails, control: Control): string =>
  control.endsWith("Mandate") ? readMandate(company) : readDebit(company);
export const readMandate = ({ mandateId }: CompanyDetails): string => mandateId ?? "";
export const readDebit = ({ collections }: CompanyDetails): string => collections.at(-1)?.gatewayId ?? "";
