import type { Guide } from "../../../server/content/guides.ts";
import { itemKey, type ItemKind, sections } from "../../../server/content/kinds.ts";
import type { PositionState } from "../../../server/database/schema.ts";
import type { Services } from "../../../server/services.ts";
import { href } from "../../paths.ts";
import { tiles } from "./landing.tsx";
import type { SearchView } from "./view.ts";
import styles from "./search.module.css";

/** A guide whose steps say what the member has done with them. */
export type MarkedGuide = Omit<Guide, "steps"> & { steps: (Guide["steps"][number] & { mark: string | undefined })[] };

/** The guide above a search for a topic of the landing; none for one section, another order or a further page. */
export async function findGuide(
  { catalogue, positions }: Services,
  memberId: number,
  { term, section, order, page }: SearchView,
): Promise<MarkedGuide | undefined> {
  const tile = tiles.find((each) => each.term === term.toLowerCase());
  const guide = tile && !section && order === "best" && page === 1 ? catalogue.findGuide(tile.label) : undefined;
  if (!guide) return undefined;
  const marks = await positions.listMarks(memberId, guide.steps);
  const steps = guide.steps.map((step) => Object.assign({ mark: stateText(step.kind, marks[itemKey(step)]) }, step));
  return { ...guide, steps };
}

/** "Read", "Watched", or "Opened" where a player of another host tells no more. */
function stateText(kind: ItemKind, state: PositionState | undefined): string | undefined {
  if (state === "finished") return "Watched";
  return state === "opened" ? (kind === "read" ? "Read" : "Opened") : undefined;
}

/** The way into a topic, above all that is found for it. */
export function StartHere({ intro, steps, recordings }: MarkedGuide) {
  return (
    <section className={styles.guide}>
      <h2>Start here</h2>
      {intro && <p>{intro}</p>}
      <ol>
        {steps.map(({ kind, id, section, title, length, why, mark }) => (
          <li key={id}>
            <a href={href(`/?view=${kind}&item=${id}`)}>{title}</a>
            <p>
              {why}
              {length && ` ${sections[section].one}, ${length}.`}
              {mark && <b>{` ${mark}.`}</b>}
            </p>
          </li>
        ))}
      </ol>
      {recordings.length > 0 && (
        <>
          <h3>To listen to, with a sleep timer</h3>
          <ul>
            {recordings.map(({ kind, id, title }) => (
              <li key={id}>
                <a href={href(`/?view=${kind}&item=${id}`)}>{title}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
