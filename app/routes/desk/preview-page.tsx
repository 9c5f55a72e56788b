import type { ReactNode } from "react";
import { Link } from "react-router";

import type { Item } from "../../../server/content/item.ts";
import buttons from "../../components/button.module.css";
import { Picture } from "../../components/picture.tsx";
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
        <Article {...preview} />
        <Notes {...preview} />
      </div>
    </>
  );
}

function Article({ item, bodyHtml, transcriptHtml, isAwakePiece }: Preview) {
  const { title, author, date, picture, reviewed, video, sound } = item;
  return (
    <article className={styles.article} aria-labelledby="preview-title">
      <header className={styles.header}>
        <h2 id="preview-title">{title}</h2>
        {!isAwakePiece && (
          <p className={styles.meta}>
            <span>By {author}</span> <time dateTime={date}>{date}</time>
          </p>
        )}
      </header>
      {!isAwakePiece && (
        <div className={styles.cover}>
          <Picture picture={picture} sizes="wide" />
        </div>
      )}
      {video && <Film title={title} video={video} />}
      {sound && <Recording title={title} sound={sound} />}
      <Prose html={bodyHtml} />
      {reviewed && (
        <p className={styles.meta}>
          This text was last reviewed on <time dateTime={reviewed}>{reviewed}</time>.
        </p>
      )}
      {transcriptHtml && (
        <section className={styles.transcript} aria-labelledby="preview-transcript">
          <h2 id="preview-transcript">Transcript</h2>
          <Prose html={transcriptHtml} />
        </section>
      )}
    </article>
  );
}

/** HTML that the catalogue has sanitised. A component shared with members' pages would load with every page. */
function Prose({ html }: { html: string }) {
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}

type FilmProps = { title: string; video: NonNullable<Item["video"]> };

/** The browser's player for a film of the source; a link for one elsewhere. */
function Film({ title, video }: FilmProps) {
  if (video.kind !== "file")
    return <OutsideLink address={video.src}>Watch the film at {hostOf(video.src)}</OutsideLink>;
  const { src, webm, captions } = video;
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- A film of a CMS may have none; the page says beside it what is missing.
    <video className={styles.film} controls preload="metadata" playsInline aria-label={title}>
      <source src={src} type={src.endsWith(".webm") ? "video/webm" : "video/mp4"} />
      {webm && <source src={webm} type="video/webm" />}
      {captions && <track kind="captions" src={captions} srcLang="en" label="English" />}
    </video>
  );
}

function Recording({ title, sound }: { title: string; sound: NonNullable<Item["sound"]> }) {
  const { src, type, m4a, playMinutes } = sound;
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- A recording has no picture to caption; its text is on the page.
    <audio controls preload="none" loop={playMinutes !== undefined} aria-label={title}>
      <source src={src} type={type} />
      {m4a && <source src={m4a} type="audio/mp4" />}
    </audio>
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

function hostOf(address: string): string {
  return new URL(address).hostname;
}
