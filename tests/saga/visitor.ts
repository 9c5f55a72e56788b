import type { PlanType } from "../../server/money/membership/plans.ts";
import type { Details, PaymentInput, PayResult } from "../../server/money/sign-up/sign-up.ts";
import type { App } from "../helpers/app.ts";

export const from = { address: "198.51.100.7", site: "http://dormouse.test/" };

export const ada: Details = {
  ...from,
  token: undefined,
  accountType: "individual",
  code: "",
  firstName: "Ada",
  lastName: "Lovell",
  email: "ada@example.org",
  password: "sleep-well-tonight",
  passwordConfirmation: "sleep-well-tonight",
};

const paymentCards = {
  paid: "4242 4242 4242 4242",
  declined: "4000 0000 0000 0002",
  poor: "4000 0000 0000 9995",
  authentication: "4000 0027 6000 3184",
};

export type CardName = keyof typeof paymentCards;

export async function startDraft({ services }: Pick<App, "services">, details: Partial<Details> = {}): Promise<string> {
  const result = await services.signUp.saveDetails({ ...ada, ...details });
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.draft.token;
}

/** Of the last verification email to an address. */
export async function findChallenge(app: App, email: string): Promise<{ code: string; linkToken: string }> {
  await app.services.outbox.deliver();
  const mail = app.emails.findLast(({ to, subject }) => to === email && subject.endsWith("Confirm your email address"));
  const code = /^\d{6}$/m.exec(mail?.text ?? "")?.[0] ?? "";
  const linkToken = /[?&]verify=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
  return { code, linkToken };
}

export async function verify(app: App, token: string): Promise<void> {
  const draft = await app.services.signUp.findDraft(token);
  const { code } = await findChallenge(app, draft?.email ?? "");
  const result = await app.services.signUp.verifyByCode(token, code);
  if (!result.ok) throw new Error(JSON.stringify(result));
}

/** A draft that only has to be paid for. */
export async function prepareDraft(app: App, details: Partial<Details> & { planType?: PlanType } = {}) {
  const { planType = 3, ...rest } = details;
  const token = await startDraft(app, rest);
  await verify(app, token);
  if (rest.accountType !== "corporate") await app.services.signUp.choosePlan(token, planType);
  return token;
}

export async function makeMethod({ services }: Pick<App, "services">, card: CardName = "paid"): Promise<string> {
  const made = await services.demoGateways?.makeMethod({ number: paymentCards[card], expiry: "12/30", cvc: "123" });
  if (!made?.ok) throw new Error(JSON.stringify(made));
  return made.methodId;
}

export const payment: PaymentInput = { ...from, shownPlanType: 3, postcode: "EX1 1AA", methodId: undefined };

/** `hosted` uses the gateway's own page instead of card fields. */
export async function pay(
  app: Pick<App, "services">,
  token: string,
  { card = "paid", ...input }: Partial<PaymentInput> & { card?: CardName | "hosted" } = {},
): Promise<PayResult> {
  const methodId = card === "hosted" ? undefined : await makeMethod(app, card);
  return app.services.signUp.pay(token, { ...payment, methodId, ...input });
}

/** From the address of the gateway's or the bank's page. */
export function paymentIdIn(result: PayResult): string {
  const url = result.ok && result.next === "continue" ? result.url : "";
  const [, id] = /\/demo-gateway\/(?:card|authenticate)\/(\w+)$/.exec(url) ?? [];
  if (id === undefined) throw new Error(`No page to go on to: ${JSON.stringify(result)}`);
  return id;
}

export function authenticate({ services }: Pick<App, "services">, result: PayResult, isComplete = true) {
  const pages = services.demoGateways;
  if (!pages) throw new Error("A demo has pages");
  return pages.authenticate(paymentIdIn(result), isComplete);
}

export async function payOnPage({ services }: Pick<App, "services">, result: PayResult) {
  const card = { number: paymentCards.paid, expiry: "12/30", cvc: "123" };
  return services.demoGateways?.payCardPage(paymentIdIn(result), card);
}
