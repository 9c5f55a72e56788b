import type { Note } from "../../../../server/operations/notes/notes.ts";
import { formatRecent } from "../../../../server/platform/format.ts";
import { ActForm, LostRefusal } from "../act-form.tsx";
import styles from "./notes.module.css";
import deskStyles from "../desk.module.css";

export function toNoteLine({ id, text, operator, notedAt }: Note, now: Date) {
  return { id, text, operator, at: formatRecent(notedAt, now) };
}

/** The newest first, with the form for another. */
export function Notes({ of, notes }: { of: "member" | "company"; notes: ReturnType<typeof toNoteLine>[] }) {
  const removal = `${of} note-remove` as const;
  return (
    <section className={deskStyles.section} id="notes">
      <h2>Notes</h2>
      <LostRefusal act={removal} items={notes.map(({ id }) => id)} />
      {notes.length === 0 && <p className={deskStyles.empty}>None.</p>}
      {notes.map(({ id, text, operator, at }) => (
        <article key={id} className={styles.note}>
          <p className={styles.text}>{text}</p>
          <p className={styles.by}>
            {operator}, {at}
          </p>
          <ActForm act={removal} item={id} words={{ when: at }} />
        </article>
      ))}
      <ActForm act={`${of} note`} />
    </section>
  );
}
