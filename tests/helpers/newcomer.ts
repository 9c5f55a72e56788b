import { listFaults, readLedger, type Charge } from "../saga/ledger.ts";
import { codeIn, emailsTo, linkIn } from "./mailbox.ts";
import type { Answer, Browser, Site } from "./site.ts";

/** Becomes a member by plain forms, step by step. Fields can be changed. */
export type Newcomer = {
  email: string;
  browser: Browser;
  enterDetails(fields?: Record<string, string>): Promise<Answer>;
  /** The last verification email. */
  readEmail(): Promise<{ code: string; link: string }>;
  typeCode(code?: string): Promise<Answer>;
  choosePlan(planType?: string): Promise<Answer>;
  /** Step 3; without a card by the gateway's own page. */
  pay(payment?: Payment): Promise<Answer>;
  /** Steps 1 and 2, and the code. */
  reachPayment(fields?: Record<string, string>): Promise<void>;
  /** Without codes, oldest first. */
  listSubjects(): Promise<string[]>;
};

export type Payment = { card?: keyof typeof paymentCards | undefined; fields?: Record<string, string> };

type Start = {
  email?: string;
  browser?: Browser;
  /** Their destination. */
  to?: string;
};

export const paymentCards = {
  paid: "4242 4242 4242 4242",
  declined: "4000 0000 0000 0002",
  poor: "4000 0000 0000 9995",
  authentication: "4000 0027 6000 3184",
};

export const anyCard = { expiry: "12 / 40", cvc: "123" };

export const PASSWORD = "moss-lantern-42";

export const nora = {
  intent: "details",
  accountType: "individual",
  code: "",
  firstName: "Nora",
  lastName: "Penn",
  email: "nora@example.org",
  password: PASSWORD,
  passwordConfirmation: PASSWORD,
};

export function createNewcomer(
  site: Site,
  { email = nora.email, browser = site.openBrowser(), to }: Start = {},
): Newcomer {
  const stepPath = (step: number) => `/signup?step=${step}${to ? `&to=${encodeURIComponent(to)}` : ""}`;
  const self: Newcomer = {
    email,
    browser,
    enterDetails: (fields = {}) => browser.post(stepPath(1), { ...nora, email, ...fields }),

    async readEmail() {
      await site.services.outbox.deliver();
      const mail = emailsTo(email, site.emails).findLast(({ subject }) =>
        subject.endsWith("Confirm your email address"),
      );
      return { code: codeIn(mail), link: linkIn(mail) };
    },

    async typeCode(code) {
      const oneTimeCode = code ?? (await self.readEmail()).code;
      return browser.post(stepPath(2), { intent: "verify", oneTimeCode });
    },

    choosePlan: (planType = "3") => browser.post(stepPath(2), { intent: "plan", planType }),

    async pay({ card, fields = {} } = {}) {
      const method = card ? { methodId: await makeMethod(browser, paymentCards[card]) } : {};
      return browser.post(stepPath(3), { intent: "pay", plan: "3", postcode: "EX1 1AA", ...method, ...fields });
    },

    async reachPayment(fields = {}) {
      requireNext(await self.enterDetails(fields));
      requireNext(await self.typeCode());
      if (fields.accountType !== "corporate") requireNext(await self.choosePlan());
    },

    async listSubjects() {
      await site.services.outbox.deliver();
      return emailsTo(email, site.emails).map(({ subject }) => subject.replace(/^\d{6}: /, ""));
    },
  };
  return self;
}

export async function reachPayment(site: Site, fields?: Record<string, string>, start?: Start): Promise<Newcomer> {
  const visitor = createNewcomer(site, start);
  await visitor.reachPayment(fields);
  return visitor;
}

/** As the card fields do: the gateway gets the card and returns its id. */
export async function makeMethod(browser: Browser, number: string): Promise<string> {
  const { text } = await browser.post("/demo-gateway/methods", { number, ...anyCard });
  const { methodId } = JSON.parse(text) as { methodId?: string };
  if (methodId === undefined) throw new Error(`The gateway does not take this card: ${text}`);
  return methodId;
}

/** On the gateway's own page. */
export function payOnPage(
  browser: Browser,
  page: string | null,
  card: keyof typeof paymentCards = "paid",
): Promise<Answer> {
  return browser.post(page ?? "", { number: paymentCards[card], ...anyCard });
}

/** Everything that the gateway charged. The app must be at rest, with correct books. */
export async function readCharges(site: Site): Promise<Charge[]> {
  await site.pass(1000);
  const ledger = await readLedger(site.database.db);
  const faults = listFaults(ledger);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return ledger.charges;
}

/** At rest or not. */
export async function listCharges(site: Site): Promise<number[]> {
  const { charges } = await readLedger(site.database.db);
  return charges.map(({ amountInPence }) => amountInPence);
}

function requireNext({ status, text }: Answer): void {
  if (status !== 303) throw new Error(`A step was answered ${status}: ${text.slice(0, 2000)}`);
}

/** Where each step's address leads: the step itself if it is shown. */
export async function listSteps(browser: Browser): Promise<(number | string)[]> {
  const places: (number | string)[] = [];
  for (const step of [0, 1, 2, 3, 4]) {
    const { status, location } = await browser.get(`/signup?step=${step}`);
    places.push(status === 200 ? step : (location ?? status));
  }
  return places;
}
