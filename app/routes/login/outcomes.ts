/** What became of an account by an email's link or a form: each a page with one sentence and one thing to do. */
export type Outcome = keyof typeof outcomes;

type Words = { title: string; sentence: string; next: "log-in" | "reset" | "contact" };

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
} satisfies Record<string, Words>;

export function parseOutcome(text: string | null): Outcome | undefined {
  return text !== null && Object.hasOwn(outcomes, text) ? (text as Outcome) : undefined;
}
