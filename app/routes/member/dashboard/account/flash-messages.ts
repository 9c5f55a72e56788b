import type { AccountRow } from "../view.ts";

/** Of a form that succeeded, with the row that shows it. */
export type Flash = keyof typeof flashMessages;

export const flashMessages = {
  saved: { sentence: "Your details are saved.", row: "open" },
  "saved-email-waits": {
    sentence: "Your details are saved. Check your inbox to finish changing your email.",
    row: "open",
  },
  "email-elsewhere": {
    sentence: "Your details are saved. To finish changing your email, follow the link we've sent to it.",
    row: "open",
  },
  "picture-removed": { sentence: "Your picture is removed.", row: "open" },
  "code-sent": { sentence: "A new code is on its way. Older codes no longer work.", row: "open" },
  "email-confirmed": { sentence: "You've changed your email address.", row: "open" },
  "email-held": {
    sentence: "You've confirmed your new email address. You can use it from the day below.",
    row: "open",
  },
  "email-cancelled": { sentence: "Your email address stays the same.", row: "open" },
  "nothing-pending": { sentence: "There's no new email address to confirm.", row: "open" },
  "password-changed": { sentence: "You've changed your password. Every other device is signed out.", row: "password" },
  "passkey-proved": { sentence: "Thanks. For ten minutes you can change how you log in.", row: "passkeys" },
  "proved-for-email": { sentence: "Thanks. Now save your changes.", row: "open" },
  "proved-for-closing": { sentence: "Thanks. You can close your account now.", row: "close" },
  "passkey-added": { sentence: "Done. From now on this device can log you in.", row: "passkeys" },
  "passkey-removed": { sentence: "That passkey is removed.", row: "passkeys" },
  "password-off": { sentence: "Done. We've emailed you how to turn it on again.", row: "passkeys" },
  "password-on": { sentence: "Your password is on again, as it was.", row: "passkeys" },
  "passkey-declined": { sentence: "We won't ask again. You can add one here at any time.", row: "passkeys" },
  "device-ended": { sentence: "That device is signed out.", row: "devices" },
  "devices-ended": { sentence: "Every other device is signed out.", row: "devices" },
  "positions-on": { sentence: "We'll save your progress from now on.", row: "stopped" },
  "positions-off": { sentence: "We've cleared your progress, and won't save any more.", row: "stopped" },
  "positions-forgotten": { sentence: "We've cleared your progress.", row: "stopped" },
  "positions-restored": { sentence: "Your progress is back.", row: "stopped" },
  cancelled: {
    sentence: "Cancelled. Your refund is on its way. It takes 5 to 10 working days.",
    row: "cancel",
  },
  "newsletter-on": {
    sentence: "New this month is on. Your first email comes early next month.",
    row: "newsletter",
  },
  "newsletter-off": { sentence: "We won't email you about what's new any more.", row: "newsletter" },
} as const satisfies Record<string, { sentence: string; row: AccountRow }>;

export function parseFlash(text: string | null): Flash | undefined {
  return text !== null && Object.hasOwn(flashMessages, text) ? (text as Flash) : undefined;
}
