import type { Decline } from "../../../server/payments/card-gateway.ts";

/** Each way of not being paid in plain words: what happened, that nothing was taken, and what to do. */
export const declines: Record<Decline, string> = {
  declined:
    "Your bank declined this card and did not say why. Nothing was taken. Try another card, or ask your bank about this one.",
  "insufficient-funds":
    "Your bank says there is not enough money in this account. Nothing was taken. Try another card, or try again later.",
  "expired-card": "This card has expired. Nothing was taken. Check the expiry date, or use another card.",
  "wrong-number": "The card number is not right. Nothing was taken. Check the digits, then pay again.",
  "wrong-cvc": "The CVC is not right. Nothing was taken. Check the three or four digits on the card, then pay again.",
  "authentication-failed":
    "Your bank could not confirm that it was you. Nothing was taken. Try again, or use another card.",
  cancelled: "This payment was stopped before it was finished. Nothing was taken. Pay below when you are ready.",
  "gateway-unavailable":
    "Our payment provider could not be reached. Nothing was taken. Wait a minute, then pay again: what you typed is still here.",
};
