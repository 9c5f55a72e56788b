import { data, href, Link } from "react-router";

import { itemKey, sections } from "../../../../server/content/items/kinds.ts";
import { findSection, isAwakePiece } from "../../../../server/content/items/item-facts.ts";
import buttons from "../../../components/button.module.css";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { href as hrefWithBase, withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/content.$id.ts";
import { DeskPage, Facts, Sentences } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import { OutsideLink } from "../../../components/outside-link.tsx";
import { readPreview, stateLabels } from "../content/preview.ts";
import { previewPath } from "../parts/paths.ts";
import screen from "../screen.module.css";
import styles from "../content/preview.module.css";

export const handle: ScreenHandle = { tab: "Content" };

const TITLE = "Preview";

/** An editor's facts, beside a frame that shows the item as members see it. */
export async function loader({ context, params, url: { searchParams } }: Route.LoaderArgs) {
  requireOperator(context);
  const found = await readPreview(requireServices(context), params.id, searchParams);
  if (!found) throw data(null, { status: 404 });
  if (!found.ok) return { problem: found.message, preview: undefined };
  const { item, draft, findings, outsideLinks, losses } = found;
  const { kind, id, title } = item;
  const key = itemKey({ kind, id });
  const play = searchParams.has("play") ? "1" : undefined;
  return {
    problem: undefined,
    preview: {
      state: draft ? stateLabels[draft.state] : "Published",
      isDraft: draft !== undefined,
      kind: sections[findSection(item)].one,
      isAwakePiece: isAwakePiece(item),
      itemTitle: title,
      framePath: withSearch(href("/desk/content/:id/frame", { id: key }), { play }),
      findings: findings.map(({ message }) => message),
      losses: losses.map(({ what, why, count }) => `${count > 1 ? `${count} × ` : ""}${what}: ${why}`),
      outsideLinks,
      filesPath: withSearch(previewPath(key), { files: "ask" }),
      asksForFiles: searchParams.get("files") === "ask",
    },
  };
}

type Preview = NonNullable<Route.ComponentProps["loaderData"]["preview"]>;

export default function ContentItem({ loaderData: { preview, problem } }: Route.ComponentProps) {
  if (!preview) {
    return (
      <DeskPage title={TITLE}>
        <p>{problem}</p>
        <p>
          <Link to={href("/desk/drafts")}>Drafts</Link>
        </p>
      </DeskPage>
    );
  }
  return (
    <DeskPage title={TITLE}>
      <p className={styles.bar}>
        <strong>This is a preview.</strong>{" "}
        <span>
          {preview.isDraft
            ? "It isn't published, so members can't see it. "
            : "It's published. Members see it like this, on their own page. "}
        </span>
        {preview.isAwakePiece && <span>It's a piece for Awake now, which shows only its title and its text. </span>}
        <a href="#notes">What's missing, and where its links lead</a>
      </p>
      <div className={styles.item}>
        <Shown {...preview} />
        <Notes {...preview} />
      </div>
    </DeskPage>
  );
}

/** The member's page, without script. `key`: a frame with a new address would add a step to history. */
function Shown({ itemTitle, framePath }: Preview) {
  return (
    <div className={styles.shown}>
      {/* A page of ours without script, whose players need their own origin. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe
        key={framePath}
        className={styles.frame}
        src={hrefWithBase(framePath)}
        title={`${itemTitle}, as members see it`}
      />
      <p>
        <a href={hrefWithBase(framePath)} target="_blank" rel="noopener">
          Open it on its own page<span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      </p>
    </div>
  );
}

function Notes({ state, kind, findings, losses, outsideLinks, filesPath, asksForFiles }: Preview) {
  return (
    <aside id="notes" className={styles.notes} aria-label="Notes on this item">
      <Facts
        facts={[
          ["Kind", kind],
          ["State", state],
        ]}
      />
      <section className={screen.section}>
        <h2>Missing</h2>
        {findings.length > 0 ? <Sentences sentences={findings} /> : <p>Nothing's missing.</p>}
        {asksForFiles ? (
          <p className={screen.note}>We checked each of its files just now.</p>
        ) : (
          <p>
            <Link className={buttons.quiet} to={filesPath}>
              Check its files
            </Link>
          </p>
        )}
      </section>
      {losses.length > 0 && (
        <section className={screen.section}>
          <h2>Left out of the text</h2>
          <Sentences sentences={losses} />
        </section>
      )}
      <section className={screen.section}>
        <h2>Links to other sites</h2>
        {outsideLinks.length > 0 ? <OutsideLinks links={outsideLinks} /> : <p>None.</p>}
      </section>
    </aside>
  );
}

function OutsideLinks({ links }: { links: string[] }) {
  return (
    <>
      <p className={screen.note}>We don't check other sites. Please try these links yourself.</p>
      <ul className={styles.links}>
        {links.map((address) => (
          <li key={address}>
            <OutsideLink className={screen.outside} href={address}>
              {address}
            </OutsideLink>
          </li>
        ))}
      </ul>
    </>
  );
}
