import type { ShownAct } from "../../../../server/operations/acts/acts.ts";
import type { Note } from "../../../../server/operations/notes/notes.ts";
import { formatRecent } from "../../../../server/platform/format.ts";
import { ActForm, LostRefusal } from "../act-form.tsx";
import styles from "./notes.module.css";
import screen from "../screen.module.css";

export function toNoteLine({ id, text, operator, notedAt }: Note, now: Date) {
  return { id, text, operator, at: formatRecent(notedAt, now) };
}

type NotesProps = {
  of: "member" | "company";
  notes: ReturnType<typeof toNoteLine>[];
  add: ShownAct | undefined;
  remove: ShownAct | undefined;
};

/** The newest first, with the form for another. */
export function Notes({ of, notes, add, remove }: NotesProps) {
  return (
    <section className={screen.section} id="notes">
      <h2>Notes</h2>
      <LostRefusal act={`${of} note-remove`} items={notes.map(({ id }) => id)} />
      {notes.length === 0 && <p className={screen.note}>None.</p>}
      {notes.map(({ id, text, operator, at }) => (
        <article key={id} className={styles.note}>
          <p className={styles.text}>{text}</p>
          <p className={styles.by}>
            {operator}, {at}
          </p>
          <ActForm act={remove} item={id} words={{ when: at }} />
        </article>
      ))}
      <ActForm act={add} />
    </section>
  );
}
