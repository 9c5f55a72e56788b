import type { AccountPart } from "../view.ts";

/** Of a form that succeeded, with the row that shows it. */
export type Flash = keyof typeof flashMessages;

export const flashMessages = {
  saved: { sentence: "Your details are saved.", part: "open" },
  "saved-email-waits": {
    sentence: "Your details are saved. Check your inbox to finish changing your email.",
    part: "open",
  },
  "email-elsewhere": {
    sentence: "Your details are saved. To finish changing your email, follow the link we've sent to it.",
    part: "open",
  },
  "picture-removed": { sentence: "Your picture is removed.", part: "open" },
  "code-sent": { sentence: "A new code is on its way. Older codes no longer work.", part: "open" },
  "email-confirmed": { sentence: "You've changed your email address.", part: "open" },
  "email-held": {
    sentence: "You've confirmed your new email address. You can use it from the day below.",
    part: "open",
  },
  "email-cancelled": { sentence: "Your email address stays the same.", part: "open" },
  "nothing-pending": { sentence: "There's no new email address to confirm.", part: "open" },
  "password-changed": { sentence: "You've changed your password. Every other device is signed out.", part: "password" },
  "device-ended": { sentence: "That device is signed out.", part: "devices" },
  "devices-ended": { sentence: "Every other device is signed out.", part: "devices" },
  "positions-on": { sentence: "We'll save your progress from now on.", part: "stopped" },
  "positions-off": { sentence: "We've cleared your progress, and won't save any more.", part: "stopped" },
  "positions-forgotten": { sentence: "We've cleared your progress.", part: "stopped" },
  "positions-restored": { sentence: "Your progress is back.", part: "stopped" },
  cancelled: {
    sentence: "Cancelled. Your refund is on its way. It takes 5 to 10 working days.",
    part: "cancel",
  },
  "newsletter-on": {
    sentence: "New this month is on. Your first email comes early next month.",
    part: "newsletter",
  },
  "newsletter-off": { sentence: "We won't email you about what's new any more.", part: "newsletter" },
} as const satisfies Record<string, { sentence: string; part: AccountPart }>;

export function parseFlash(text: string | null): Flash | undefined {
  return text !== null && Object.hasOwn(flashMessages, text) ? (text as Flash) : undefined;
}
