import type { Card, CardRefusal } from "./gateways.ts";
import { demoGateway } from "../../refusals.ts";

/** What becomes of a demo card, told by its number: the well-known test numbers, any expiry ahead, any CVC. */
export type CardOutcome = "paid" | "declined" | "insufficient-funds" | "authentication";

const outcomes: Record<string, CardOutcome> = {
  "4242424242424242": "paid",
  "4000000000000002": "declined",
  "4000000000009995": "insufficient-funds",
  "4000002760003184": "authentication",
};

const words = demoGateway.ours;

export type ReadCard = { ok: true; outcome: CardOutcome; last4: string } | CardRefusal;

/** Checks a card as a card field does. Numbers that are no demo card are refused, so nobody's real one is taken. */
export function readCard(card: Card, now: Date): ReadCard {
  const number = card.number.replace(/[\s-]/g, "");
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    return refuse("number", words["number-wrong"]);
  }
  const outcome = Object.hasOwn(outcomes, number) ? outcomes[number] : undefined;
  if (!outcome) return refuse("number", words["number-unknown"]);
  const expiry = /^\s*(0?[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d\d)\s*$/.exec(card.expiry);
  if (!expiry) return refuse("expiry", words["expiry-wrong"]);
  if (isOver({ month: Number(expiry[1]), year: 2000 + Number(expiry[2]) }, now)) {
    return refuse("expiry", words.expired);
  }
  if (!/^\s*\d{3,4}\s*$/.test(card.cvc)) return refuse("cvc", words["cvc-wrong"]);
  return { ok: true, outcome, last4: number.slice(-4) };
}

function refuse(field: CardRefusal["field"], sentence: string): CardRefusal {
  return { ok: false, field, sentence };
}

/** A card is good to the end of its month. */
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
