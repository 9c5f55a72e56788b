/** Of an emailed link, or of a form for an account. */
export type Outcome = keyof typeof outcomes;

/** Each is a page with one sentence and one thing to do. */
export const outcomes = {
  "email-confirmed": {
    title: "Your email is confirmed",
    sentence: "You log in with it from now on, and emails go there.",
    next: "log-in",
  },
  "email-taken": {
    title: "This email is already registered",
    sentence: "Another account uses it now, so yours keeps the one it has.",
    next: "log-in",
  },
  "email-held": {
    title: "Your email is confirmed",
    sentence:
      "It counts once your old address has agreed, or three days after our support was asked for it. Until then you log in with the old one.",
    next: "log-in",
  },
  "address-kept": {
    title: "Your address stays as it is",
    sentence: "The new one is forgotten. If you did not ask our support for it, please write to us.",
    next: "contact",
  },
  "address-agreed": {
    title: "You have agreed to the new address",
    sentence: "It counts as soon as it is confirmed: open the email that we sent to it.",
    next: "log-in",
  },
  "address-moved": {
    title: "Your email is changed",
    sentence: "You log in with the new one from now on, and emails go there.",
    next: "log-in",
  },
  undone: {
    title: "Your old email is back",
    sentence: "Every device is logged out, and the old password no longer works. Choose a new one now.",
    next: "reset",
  },
  "undo-taken": {
    title: "Your old email could not be given back",
    sentence: "Another account uses it now.",
    next: "contact",
  },
  closed: {
    title: "Your account is closed",
    sentence: "It will be erased in 14 days. Until then the link in the email we sent you opens it again.",
    next: "log-in",
  },
  reopened: {
    title: "Your account is open again",
    sentence: "Nothing in it is lost. Log in as before.",
    next: "log-in",
  },
  "reopen-taken": {
    title: "Your account could not be opened",
    sentence: "Another account uses its email now.",
    next: "contact",
  },
} as const;

export function parseOutcome(text: string | null): Outcome | undefined {
  return text !== null && Object.hasOwn(outcomes, text) ? (text as Outcome) : undefined;
}

export type LinkKind = keyof typeof linkTexts;

/** `remedy`: for an invalid link. */
export const linkTexts = {
  reset: {
    title: "Choose a new password",
    sentence: () => "You asked us for a new password. If that was not you, close this page and nothing will change.",
    button: "Choose a new password",
    pending: "Opening...",
    remedy: "Ask for a new code; the email with it has a new link.",
  },
  confirm: {
    title: "Confirm your email",
    sentence: (email: string) =>
      `Your account gets the email ${email}. Until you press this button, the one before works.`,
    button: "Confirm my email",
    pending: "Confirming...",
    remedy: "Log in and open My Account: if your new email is not confirmed there yet, send yourself a new code.",
  },
  answer: {
    title: "Is this your new email?",
    sentence: (email: string, until = "") =>
      `Our support was asked to give your account the email ${email}. It counts from ${until}, once it is confirmed there, or as soon as you agree. If that was not you, keep your address.`,
    button: "Agree to the new address",
    pending: "Agreeing...",
    remedy: "If your address was changed against your will, write to us.",
  },
  undo: {
    title: "Take the change back",
    sentence: (email: string) =>
      `Your account gets its email ${email} back. Every device is logged out, and you choose a new password.`,
    button: "Give my old email back",
    pending: "Giving it back...",
    remedy: "If you cannot log in, write to us.",
  },
  reopen: {
    title: "Open your account again",
    sentence: (email: string) => `The account of ${email} is closed. Open it, and everything is as you left it.`,
    button: "Open my account again",
    pending: "Opening...",
    remedy: "If 14 days have gone by, the account is erased.",
  },
};
