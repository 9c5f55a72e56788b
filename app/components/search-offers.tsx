import type { ReactNode } from "react";

import { suggestTopics, topics } from "../../server/content/suggestions.ts";
import { createHelpMatcher, type HelpCard, type HelpWords } from "../../server/urgent-help/rules.ts";
import { href } from "../paths.ts";
import { UrgentHelp } from "./urgent-help.tsx";
import styles from "./search-box.module.css";

/** The offers of the search box for a typed text: topics, or for words of despair where to call, to see and to hear. */
export type Offer = { topics: string[]; help?: { panel: ReactNode; spoken: string } };

/** Without a network there are topics still, and the search itself shows where to call. */
export async function loadOffers(): Promise<(typed: string) => Offer> {
  const findHelp = await loadHelp().catch(() => () => undefined);
  return (typed) => findHelp(typed) ?? { topics: suggestTopics(typed, topics) };
}

async function loadHelp(): Promise<(typed: string) => Offer | undefined> {
  const { card, words } = (await (await fetch(href("/urgent-help"))).json()) as { card: HelpCard; words: HelpWords };
  const isNeeded = createHelpMatcher(words);
  const panel = (
    // A press on it leaves the focus in the box, so that it stays until the link was followed.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles.help} onPointerDown={(event) => event.preventDefault()}>
      <UrgentHelp card={card} />
    </div>
  );
  const offer = { topics: [], help: { panel, spoken: helpText(card) } };
  return (typed) => (isNeeded(typed) ? offer : undefined);
}

/** The panel as one text, to be read aloud. */
function helpText({ heading, contacts }: HelpCard): string {
  return [`${heading}.`, ...contacts.map(({ name, number, about }) => `${name}, ${number}. ${about}`)].join(" ");
}
