import type { ReactNode } from "react";

import { suggestTopics, topics } from "../../server/content/suggestions.ts";
import { createHelpMatcher, type HelpCard, type HelpWords } from "../../server/urgent-help/rules.ts";
import { href } from "../paths.ts";
import { UrgentHelp } from "./urgent-help.tsx";
import styles from "./search-box.module.css";

/** A topic to search for, or an item to open, by its path below the site's base path. */
export type Suggestion = { label: string; path?: string };

/** The offers of the search box for a typed text: suggestions, or for words of despair where to call, to see and to hear. */
export type Offer = { suggestions: Suggestion[]; help?: { panel: ReactNode; spoken: string } };

/** Offers what fits a typed text: topics at once, titles once a person pauses and they are there. */
export type MakeOffer = (typed: string, show: (offer: Offer) => void) => void;

/** A pause in typing, in ms: shorter than one between words, longer than one between letters. */
const PAUSE = 150;

/** Without a network there are topics still, and the search itself shows where to call. */
export async function loadOffers(): Promise<MakeOffer> {
  const findHelp = await loadHelp().catch(() => () => undefined);
  let pause: ReturnType<typeof setTimeout> | undefined;
  let unanswered: AbortController | undefined;
  return (typed, show) => {
    clearTimeout(pause);
    unanswered?.abort();
    const help = findHelp(typed);
    const found = suggestTopics(typed, topics).map((label) => ({ label }));
    show(help ?? { suggestions: found });
    if (help || typed.trim().length < TITLES_FROM) return;
    pause = setTimeout(() => {
      unanswered = new AbortController();
      loadTitles(typed, unanswered.signal)
        .then((titles) => show({ suggestions: [...found, ...titles] }))
        .catch(() => undefined);
    }, PAUSE);
  };
}

/** The letters from which on titles are looked for. */
const TITLES_FROM = 2;

async function loadTitles(typed: string, signal: AbortSignal): Promise<Suggestion[]> {
  const answer = await fetch(href(`/titles?q=${encodeURIComponent(typed)}`), { signal });
  const titles = (await answer.json()) as { title: string; path: string }[];
  return titles.map(({ title, path }) => ({ label: title, path }));
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
  const offer = { suggestions: [], help: { panel, spoken: helpText(card) } };
  return (typed) => (isNeeded(typed) ? offer : undefined);
}

/** The panel as one text, to be read aloud. */
function helpText({ heading, contacts }: HelpCard): string {
  return [`${heading}.`, ...contacts.map(({ name, number, about }) => `${name}, ${number}. ${about}`)].join(" ");
}
