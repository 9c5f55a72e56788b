import { cardDetails as missing, demoGateway as words } from "../../refusals.ts";
import { DEMO_CARDS, payment, testCards, toPageUrl, type CardOutcome, type Outcome } from "./card-gateway.ts";
import { addEvent, changeObject, findObject, putObject, type DemoStore } from "./store.ts";

/* The card gateway's pages: its card fields, its hosted page, and the page of the payer's bank. */

export type Card = { number: string; expiry: string; cvc: string };

export type CardRefusal = { ok: false; problems: [CardProblem, ...CardProblem[]] };

type CardProblem = { field: keyof Card; sentence: string };

/** `open`: waits for the payer; `over`: paid, cancelled or never requested. */
export type CardPage = { amountInPence: number; description: string; state: "open" | "over"; returnUrl: string };

/** Exchanges a card for an id, as card fields in the browser do. */
export async function makeMethod(store: DemoStore, card: Card): Promise<{ ok: true; methodId: string } | CardRefusal> {
  const read = readCard(card, store.clock());
  if (!read.ok) return read;
  const { id } = await putObject(store, { outcome: read.outcome, last4: read.last4 }, { kind: "pm" });
  return { ok: true, methodId: id };
}

export async function findPage(store: DemoStore, id: string): Promise<CardPage | undefined> {
  const found = await findObject(store, "pay", id);
  if (!found) return undefined;
  const { amountInPence, description, state, returnUrl } = payment.parse(found.body);
  return { amountInPence, description, returnUrl, state: state === "requires-action" ? "open" : "over" };
}

export async function payCardPage(
  store: DemoStore,
  id: string,
  card: Card,
): Promise<{ ok: true; url: string } | CardRefusal> {
  const read = readCard(card, store.clock());
  if (!read.ok) return read;
  const sentence = pageRefusals[read.outcome];
  if (sentence) return { ok: false, problems: [{ field: "number", sentence }] };
  const { last4 } = read;
  if (read.outcome !== "authentication")
    return { ok: true, ...(await finish(store, id, { state: "succeeded", last4 })) };
  await changeObject(store, { kind: "pay", id }, (body) => ({ ...payment.parse(body), last4 }));
  return { ok: true, url: toPageUrl(id, { ...(await requirePayment(store, id)), page: "authenticate" }) };
}

export async function leaveCardPage(store: DemoStore, id: string): Promise<{ url: string }> {
  const { cancelUrl, returnUrl } = await requirePayment(store, id);
  return { url: cancelUrl ?? returnUrl };
}

export function authenticate(store: DemoStore, id: string, isComplete: boolean): Promise<{ url: string }> {
  const declined: Outcome = { state: "requires-method", decline: "authentication-failed" };
  return finish(store, id, isComplete ? { state: "succeeded" } : declined);
}

/** A page that is over changes nothing and leads back in the same way. */
async function finish(store: DemoStore, id: string, outcome: Outcome): Promise<{ url: string }> {
  const changed = await changeObject(store, { kind: "pay", id }, (body) => {
    const before = payment.parse(body);
    return before.state === "requires-action" ? { ...before, ...outcome } : undefined;
  });
  if (!changed) throw new Error(UNKNOWN);
  await addEvent(store, { gateway: DEMO_CARDS, kind: "payment", subject: id });
  return { url: payment.parse(changed.body).returnUrl };
}

const UNKNOWN = "The demo gateway knows no such payment";

async function requirePayment(store: DemoStore, id: string) {
  const found = await findObject(store, "pay", id);
  if (!found) throw new Error(UNKNOWN);
  return payment.parse(found.body);
}

/** On the gateway's own page it explains why a card was refused. */
const pageRefusals: Record<CardOutcome, string | undefined> = {
  paid: undefined,
  authentication: undefined,
  declined: words.declined,
  "insufficient-funds": words["insufficient-funds"],
};

/** Checks a card: any future expiry, any CVC. Refuses all but the test numbers, so that it takes no real card. */
export function readCard(card: Card, now: Date): { ok: true; outcome: CardOutcome; last4: string } | CardRefusal {
  const number = card.number.replace(/[\s-]/g, "");
  const outcome = testCards.find((known) => known.number.replaceAll(" ", "") === number)?.outcome;
  const sentences: Record<keyof Card, string | undefined> = {
    number: findNumberProblem(number, outcome),
    expiry: findExpiryProblem(card.expiry, now),
    cvc: findCvcProblem(card.cvc),
  };
  const [first, ...others] = Object.entries(sentences).flatMap(([field, sentence]) =>
    sentence === undefined ? [] : [{ field: field as keyof Card, sentence }],
  );
  if (first || !outcome)
    return { ok: false, problems: [first ?? { field: "number", sentence: words["number-unknown"] }, ...others] };
  return { ok: true, outcome, last4: number.slice(-4) };
}

function findNumberProblem(number: string, outcome: CardOutcome | undefined): string | undefined {
  if (number === "") return missing["number-missing"];
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) return words["number-wrong"];
  return outcome ? undefined : words["number-unknown"];
}

function findExpiryProblem(text: string, now: Date): string | undefined {
  if (text.trim() === "") return missing["expiry-missing"];
  const expiry = /^\s*(0?[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d\d)\s*$/.exec(text);
  if (!expiry) return words["expiry-wrong"];
  return isOver({ month: Number(expiry[1]), year: 2000 + Number(expiry[2]) }, now) ? words.expired : undefined;
}

function findCvcProblem(text: string): string | undefined {
  if (text.trim() === "") return missing["cvc-missing"];
  return /^\s*\d{3,4}\s*$/.test(text) ? undefined : words["cvc-wrong"];
}

function isOver({ month, year }: { month: number; year: number }, now: Date): boolean {
  return now >= new Date(Date.UTC(year, month, 1));
}

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 1; place <= digits.length; place += 1) {
    const doubled = Number(digits.at(-place)) * (place % 2 === 0 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
