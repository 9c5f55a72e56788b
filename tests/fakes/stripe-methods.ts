import type { Stripe } from "stripe";

import type { StripeBooks } from "./stripe-books.ts";
import { findFate, findNamedFate, type CardFate } from "./stripe-cards.ts";
import { impossible, invalid, missing, StripeRefusal } from "./stripe-errors.ts";
import { paramsOf, textOf, type Params } from "./stripe-form.ts";
import { newMethod } from "./stripe-objects.ts";

/** Makes a card method as Stripe.js asks for it, with the publishable key. */
export function makeMethod(books: StripeBooks, params: Params): Stripe.PaymentMethod {
  if (textOf(params.type) !== "card") throw invalid("Only cards are known here", { param: "type" });
  const card = paramsOf(params.card);
  const fate = readCard(card, books.nowInSeconds());
  const billing = paramsOf(params.billing_details);
  return keepMethod(books, { ...fate }, billing);
}

function keepMethod(books: StripeBooks, fate: CardFate, billing: Params): Stripe.PaymentMethod {
  const method = newMethod(fate, { ...books.about(), billing });
  books.methods.set(method.id, { method, fate, isUsed: false });
  return method;
}

/** What a card number typed into a form will do; throws what Stripe says of one that is none. */
export function readCard(card: Params, nowInSeconds: number): CardFate {
  const fate = findFate(textOf(card.number) ?? "");
  if (!fate) throw cardError("incorrect_number", "Your card number is incorrect.");
  const [month, year] = [card.exp_month, card.exp_year].map((each) => Number(textOf(each)));
  const fullYear = (year ?? 0) < 100 ? 2000 + (year ?? 0) : (year ?? 0);
  if (!month || month > 12) throw cardError("invalid_expiry_month", "Your card's expiration month is invalid.");
  if (Date.UTC(fullYear, month, 1) <= nowInSeconds * 1000) {
    throw cardError("invalid_expiry_year", "Your card's expiration year is invalid.");
  }
  if (!/^\d{3,4}$/.test(textOf(card.cvc) ?? "")) {
    throw cardError("invalid_cvc", "Your card's security code is invalid.");
  }
  return fate;
}

function cardError(code: string, message: string): StripeRefusal {
  return new StripeRefusal(402, { type: "card_error", code, message }, true);
}

/** The named test methods are made anew whenever they are named; others were made before, and not charged yet. */
export function findMethod(books: StripeBooks, id: string) {
  const named = findNamedFate(id);
  const made = books.methods.get(named ? keepMethod(books, named, {}).id : id);
  if (!made) throw missing("PaymentMethod", { id, param: "payment_method" });
  if (made.isUsed) {
    throw impossible(
      "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, and may not be used again.",
    );
  }
  return made;
}
