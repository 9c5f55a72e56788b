import type { ReactNode } from "react";

import type { Suggestion } from "../../server/content/search/suggestions.ts";
import { completeTopics } from "../../server/content/search/topics.ts";
import { createHelpMatcher, type HelpCard, type HelpWords } from "../../server/content/urgent-help/matcher.ts";
import { href } from "../frame/paths.ts";
import { UrgentHelp } from "./urgent-help.tsx";
import styles from "./search-box.module.css";

/** Suggestions for a typed text, or for words of despair the numbers to call, as panel and as speech. */
export type Offer = { suggestions: Suggestion[]; help?: { panel: ReactNode; spoken: string } };

/** Offers matching topics at once, and the server's suggestions, which begin with those, after a pause. */
export type MakeOffer = (typed: string, show: (offer: Offer) => void) => void;

/** In ms: shorter than between words, longer than between letters. */
const PAUSE = 150;

/** Without a network the topics remain, and the search itself shows the numbers to call. */
export async function loadOffers(): Promise<MakeOffer> {
  const findHelp = await loadHelp().catch(() => () => undefined);
  let pause: ReturnType<typeof setTimeout> | undefined;
  let unanswered: AbortController | undefined;
  return (typed, show) => {
    clearTimeout(pause);
    unanswered?.abort();
    const help = findHelp(typed);
    show(help ?? { suggestions: completeTopics(typed).map((label) => ({ label })) });
    if (help || typed.trim().length < REQUEST_FROM) return;
    pause = setTimeout(() => {
      unanswered = new AbortController();
      loadSuggestions(typed, unanswered.signal)
        .then((suggestions) => show({ suggestions }))
        .catch(() => undefined);
    }, PAUSE);
  };
}

/** The server gets texts from this length on. */
const REQUEST_FROM = 2;

async function loadSuggestions(typed: string, signal: AbortSignal): Promise<Suggestion[]> {
  const answer = await fetch(href(`/suggestions?q=${encodeURIComponent(typed)}`), { signal });
  return (await answer.json()) as Suggestion[];
}

async function loadHelp(): Promise<(typed: string) => Offer | undefined> {
  const { card, words } = (await (await fetch(href("/urgent-help"))).json()) as { card: HelpCard; words: HelpWords };
  const isNeeded = createHelpMatcher(words);
  const panel = (
    // A press leaves the focus in the box, so that the panel stays until the link was followed.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles.help} onPointerDown={(event) => event.preventDefault()}>
      <UrgentHelp card={card} />
    </div>
  );
  const offer = { suggestions: [], help: { panel, spoken: helpText(card) } };
  return (typed) => (isNeeded(typed) ? offer : undefined);
}

function helpText({ heading, contacts }: HelpCard): string {
  return [`${heading}.`, ...contacts.map(({ name, number, about }) => `${name}, ${number}. ${about}`)].join(" ");
}
