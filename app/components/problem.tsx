import type { ReactNode } from "react";

import { href } from "../frame/paths.ts";
import buttons from "./button.module.css";
import dormouse from "./dormouse.module.css";
import styles from "./problem.module.css";

export type ProblemText = { title: string; sentence: string; action: { label: string; href: string } };

const goHome = { label: "Go to the dashboard", href: href("/") };

const tryAgain = { label: "Try again", href: "" };

/** The sentence for a status. A response that we threw brings its own, and perhaps a title. */
export function toProblem(status: number | undefined, error?: unknown): ProblemText {
  const { title, sentence: ownSentence } = readTexts(error);
  if (status === 404) {
    return {
      title: "We couldn't find that page",
      sentence: ownSentence || "The link may be old or mistyped.",
      action: goHome,
    };
  }
  if (status !== undefined && status < 500) {
    return {
      title: "That didn't work",
      sentence: ownSentence || "We couldn't understand that. Please go back and try again.",
      action: goHome,
    };
  }
  if (status === undefined && isConnectionLoss(error)) {
    return {
      title: "You seem to be offline",
      sentence: "We couldn't load the page. Try again when you're back online.",
      action: tryAgain,
    };
  }
  if (status === 503 && ownSentence) {
    return { title: title ?? "We can't do that just now", sentence: ownSentence, action: tryAgain };
  }
  return {
    title: "Something went wrong",
    sentence: "It's our fault, not yours. We've made a note of it, and nothing you did is lost.",
    action: goHome,
  };
}

function readTexts(error: unknown): { title?: string; sentence?: string | undefined } {
  const body = typeof error === "object" && error !== null && "data" in error ? error.data : undefined;
  if (typeof body === "object" && body !== null && "title" in body && "sentence" in body) {
    return { title: String(body.title), sentence: String(body.sentence) };
  }
  // The framework's own refusals begin so, and are for developers.
  return typeof body === "string" && !body.startsWith("Error: ") ? { sentence: body } : {};
}

/** The errors of `fetch` in a browser without a network. */
export function isConnectionLoss(error: unknown): boolean {
  return (
    typeof document !== "undefined" &&
    error instanceof TypeError &&
    (!navigator.onLine || /fetch|network|load/i.test(error.message))
  );
}

type ProblemProps = ProblemText & {
  productName?: string;
  children?: ReactNode;
};

export function Problem({ title, sentence, action, productName, children }: ProblemProps) {
  return (
    <main className={`${styles.problem} ${dormouse.asleep}`} id="main">
      <title>{productName ? `${title} – ${productName}` : title}</title>
      <h1 tabIndex={-1}>{title}</h1>
      <p>{sentence}</p>
      {children}
      <a className={buttons.button} href={action.href}>
        {action.label}
      </a>
    </main>
  );
}
