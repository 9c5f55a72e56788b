import type { AccountPart } from "../view.ts";

/** Of a form that succeeded, with the row that shows it. */
export type Flash = keyof typeof flashMessages;

export const flashMessages = {
  saved: { sentence: "Your details are saved.", part: "open" },
  "saved-email-waits": {
    sentence: "Your details are saved. Your new email address counts once you have confirmed it.",
    part: "open",
  },
  "email-elsewhere": {
    sentence:
      "Your details are saved. Your new email address counts once you have followed the link in the email we sent to it.",
    part: "open",
  },
  "picture-removed": { sentence: "Your picture is removed.", part: "open" },
  "code-sent": { sentence: "A new code is on its way. Older codes no longer work.", part: "open" },
  "email-confirmed": { sentence: "Your email address is changed.", part: "open" },
  "email-held": { sentence: "Your new email address is confirmed, and counts from the day below.", part: "open" },
  "email-cancelled": { sentence: "Your email address stays as it is.", part: "open" },
  "nothing-pending": { sentence: "No new email address waits to be confirmed.", part: "open" },
  "password-changed": { sentence: "Your password is changed. Every other device is signed out.", part: "password" },
  "device-ended": { sentence: "That device is signed out.", part: "devices" },
  "devices-ended": { sentence: "Every other device is signed out.", part: "devices" },
  "positions-on": { sentence: "From now on we remember where you stopped.", part: "stopped" },
  "positions-off": { sentence: "Everything is forgotten, and nothing more is remembered.", part: "stopped" },
  "positions-forgotten": { sentence: "Where you stopped is forgotten.", part: "stopped" },
  "positions-restored": { sentence: "Where you stopped is back.", part: "stopped" },
  cancelled: {
    sentence: "Cancelled. Your refund is on its way. It takes 5 to 10 working days.",
    part: "cancel",
  },
  "newsletter-on": {
    sentence: "New this month is on. The first email comes when this month is over.",
    part: "newsletter",
  },
  "newsletter-off": { sentence: "You will get no more emails about what is new.", part: "newsletter" },
} as const satisfies Record<string, { sentence: string; part: AccountPart }>;

export function parseFlash(text: string | null): Flash | undefined {
  return text !== null && Object.hasOwn(flashMessages, text) ? (text as Flash) : undefined;
}
