export type Outcome = keyof typeof outcomes;

/** Each is a page with one sentence and one thing to do. */
export const outcomes = {
  "email-confirmed": {
    title: "Your email is confirmed",
    sentence: "Log in with it from now on. We'll email you there.",
    next: "log-in",
  },
  "email-taken": {
    title: "This email is already registered",
    sentence: "Another account uses it, so your email stays the same.",
    next: "log-in",
  },
  "email-held": {
    title: "Your email is confirmed",
    sentence:
      "You can use it in three days at most, or as soon as you agree from your old address. Until then, log in with the old one.",
    next: "log-in",
  },
  "address-kept": {
    title: "Your email stays the same",
    sentence: "We've cancelled the change. If you didn't ask our support team for it, please write to us.",
    next: "contact",
  },
  "address-agreed": {
    title: "You've agreed to the new address",
    sentence: "To finish, open the email we sent to it and confirm.",
    next: "log-in",
  },
  "address-moved": {
    title: "You've changed your email",
    sentence: "Log in with the new one from now on. We'll email you there.",
    next: "log-in",
  },
  undone: {
    title: "Your old email is back",
    sentence: "We've logged out every device, and your old password no longer works. Choose a new one now.",
    next: "reset",
  },
  "undo-taken": {
    title: "We couldn't bring your old email back",
    sentence: "Another account uses it now. Write to us and we'll help.",
    next: "contact",
  },
  closed: {
    title: "Your account is closed",
    sentence: "We'll erase it in 14 days. Until then, the link in our email opens it again.",
    next: "log-in",
  },
  reopened: {
    title: "Your account is open again",
    sentence: "Everything is still here. Log in with your password.",
    next: "log-in",
  },
  "reopened-without": {
    title: "Your account is open again",
    sentence: "Everything but your passkeys is still here. Your password was off, so choose a new one now.",
    next: "reset",
  },
  "reopen-taken": {
    title: "We couldn't open your account",
    sentence: "Another account uses its email now. Write to us and we'll help.",
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
    sentence: () => "You asked for a new password. If that wasn't you, just close this page.",
    button: "Choose a new password",
    pending: "Opening...",
    remedy: "Ask for a new code. Its email has a new link.",
  },
  enter: {
    title: "Log in",
    sentence: () => "You asked for a link to log in. If that wasn't you, just close this page.",
    button: "Log in",
    pending: "Logging in...",
    remedy: "Ask for a new one.",
  },
  confirm: {
    title: "Confirm your email",
    sentence: (email: string) =>
      `Press the button to use ${email} for your account. Until then, your old email still works.`,
    button: "Confirm my email",
    pending: "Confirming...",
    remedy: "Log in and open My Account. If your new email isn't confirmed there, send yourself a new code.",
  },
  answer: {
    title: "Is this your new email?",
    sentence: (email: string, until = "") =>
      `Someone asked our support team to change your account's email to ${email}. The change happens on ${until}, or sooner if you agree. If it wasn't you, keep your address.`,
    button: "Use new address",
    pending: "Agreeing...",
    remedy: "If you didn't want your address changed, write to us.",
  },
  undo: {
    title: "Undo the change",
    sentence: (email: string) =>
      `We'll change your account's email back to ${email} and log out every device. Then you choose a new password.`,
    button: "Restore my email",
    pending: "Restoring...",
    remedy: "If you can't log in, write to us.",
  },
  reopen: {
    title: "Open your account again",
    sentence: (email: string) =>
      `You closed the account of ${email}. Open it again and everything will be as you left it.`,
    button: "Open my account",
    pending: "Opening...",
    remedy: "After 14 days the account is erased.",
  },
};
