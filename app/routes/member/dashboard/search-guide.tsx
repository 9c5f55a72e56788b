import { Fragment } from "react";

import type { GuideItem } from "../../../../server/content/catalogue/guides.ts";
import { itemKey, type ItemKind, sections } from "../../../../server/content/catalogue/kinds.ts";
import { nightsText } from "../../../../server/content/catalogue/item-facts.ts";
import type { PositionState } from "../../../../server/platform/database/schema.ts";
import type { Services } from "../../../../server/services.ts";
import { href } from "../../../frame/paths.ts";
import { tiles } from "./landing-texts.ts";
import { nightsPath, type SearchView, viewPath } from "./view.ts";
import styles from "./search.module.css";

export type ShownGuide = {
  intro: string | undefined;
  steps: ShownStep[];
  /** Each under a heading: the topic's nights, and its recordings. */
  more: { heading: string; links: { title: string; path: string }[] }[];
};

/** `cue`: the first step's link plays at once; `mark`: the member's state. */
type ShownStep = { title: string; path: string; why: string; cue: string | undefined; mark: string | undefined };

/** Above a search for a landing topic; not for one section, another order or a further page. */
export async function findGuide(
  { catalogue, positions }: Services,
  memberId: number,
  { term, section, order, page }: SearchView,
): Promise<ShownGuide | undefined> {
  const tile = tiles.find((each) => each.term === term.toLowerCase());
  if (!tile || section || order !== "best" || page !== 1) return undefined;
  const { intro, steps = [], recordings = [] } = catalogue.findGuide(tile.label) ?? {};
  const nights = catalogue.listNights().find(({ topic }) => topic === tile.label);
  if (steps.length === 0 && !nights) return undefined;
  const marks = await positions.listMarks(memberId, steps);
  return {
    intro,
    steps: steps.map((step, index) => ({
      title: step.title,
      path: toItemPath(step, index === 0 && catalogue.findCard(step)?.isFilm === true),
      why: `${step.why} ${step.length ? `${sections[step.section].one}, ${step.length}.` : ""}`.trim(),
      cue: index === 0 ? sections[step.section].cue : undefined,
      mark: stateText(step.kind, marks[itemKey(step)]),
    })),
    more: [
      {
        heading: "For a week of evenings",
        links: nights
          ? [{ title: `${nightsText(nights.nights.length)}, one small thing a night`, path: nightsPath(nights.slug) }]
          : [],
      },
      {
        heading: "To listen to, with a sleep timer",
        links: recordings.map((recording) => ({ title: recording.title, path: toItemPath(recording) })),
      },
    ].filter(({ links }) => links.length > 0),
  };
}

function toItemPath({ kind, id }: GuideItem, isPlaying = false): string {
  return viewPath({ name: "item", kind, id, isPlaying });
}

/** "Read", "Watched", or "Opened" where another host's player tells no more. */
function stateText(kind: ItemKind, state: PositionState | undefined): string | undefined {
  if (state === "finished") return "Watched";
  return state === "opened" ? (kind === "read" ? "Read" : "Opened") : undefined;
}

export function StartHere({ intro, steps, more }: ShownGuide) {
  return (
    <section className={styles.guide}>
      <h2>Start here</h2>
      {intro && <p>{intro}</p>}
      <ol>
        {steps.map(({ title, path, why, cue, mark }) => (
          <li key={path}>
            <a href={href(path)}>
              {title} {cue && <span>{cue}</span>}
            </a>
            <p>
              {why}
              {mark && <b>{` ${mark}.`}</b>}
            </p>
          </li>
        ))}
      </ol>
      {more.map(({ heading, links }) => (
        <Fragment key={heading}>
          <h3>{heading}</h3>
          <ul>
            {links.map(({ title, path }) => (
              <li key={path}>
                <a href={href(path)}>{title}</a>
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
    </section>
  );
}
