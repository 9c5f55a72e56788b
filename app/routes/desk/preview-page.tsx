import type { ReactNode } from "react";
import { Link } from "react-router";

import buttons from "../../components/button.module.css";
import { href } from "../../paths.ts";
import type { PreviewScreen } from "./content.ts";
import { Findings } from "./content-page.tsx";
import { Facts } from "./desk-layout.tsx";
import { deskPath } from "./view.ts";
import desk from "./desk.module.css";
import styles from "./preview.module.css";

type Preview = NonNullable<PreviewScreen["preview"]>;

/** An item or a draft as members would see it, and beside it what an editor should know. */
export function PreviewPage({ preview, problem }: PreviewScreen) {
  if (!preview) {
    return (
      <>
        <p>{problem}</p>
        <p>
          <Link to={deskPath("drafts")}>Drafts</Link>
        </p>
      </>
    );
  }
  return (
    <>
      <p className={styles.bar}>
        <strong>This is a preview.</strong>{" "}
        {preview.isDraft
          ? "It is not published: members see nothing of it. "
          : "It is published: members see it like this, in their own page. "}
        {preview.isAwakePiece && "It is a piece of Awake now: its title and its words alone are shown there. "}
        <a href="#notes">What is missing, and where its links lead</a>
      </p>
      <div className={desk.columns}>
        <Shown {...preview} />
        <Notes {...preview} />
      </div>
    </>
  );
}

/** The member's own page, without script. `key`: a frame that is led on by its address would be one more step back. */
function Shown({ itemTitle, framePath }: Preview) {
  return (
    <div className={styles.shown}>
      {/* It is a page of ours without script, and its players need their own origin. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe
        key={framePath}
        className={styles.frame}
        src={href(framePath)}
        title={`${itemTitle}, as members see it`}
      />
      <p>
        <a href={href(framePath)} target="_blank" rel="noopener">
          Open it on a page of its own<span className="visually-hidden"> (opens in a new tab)</span>
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
      <section className={desk.section}>
        <h2>Missing</h2>
        {findings.length > 0 ? <Findings findings={findings} /> : <p>Nothing is missing.</p>}
        {asksForFiles ? (
          <p className={desk.note}>Each of its files was asked for just now.</p>
        ) : (
          <p>
            <Link className={buttons.quiet} to={filesPath}>
              Ask for each of its files
            </Link>
          </p>
        )}
      </section>
      {losses.length > 0 && (
        <section className={desk.section}>
          <h2>Left out of the text</h2>
          <Findings findings={losses} />
        </section>
      )}
      <section className={desk.section}>
        <h2>Links to other sites</h2>
        {outsideLinks.length > 0 ? <OutsideLinks links={outsideLinks} /> : <p>There are none.</p>}
      </section>
    </aside>
  );
}

function OutsideLinks({ links }: { links: string[] }) {
  return (
    <>
      <p className={desk.note}>
        The server asks no other site, so it cannot tell whether these are alive. Please try them.
      </p>
      <ul className={desk.findings}>
        {links.map((address) => (
          <li key={address}>
            <OutsideLink address={address}>{address}</OutsideLink>
          </li>
        ))}
      </ul>
    </>
  );
}

function OutsideLink({ address, children }: { address: string; children: ReactNode }) {
  return (
    <a className={styles.outside} href={address} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
