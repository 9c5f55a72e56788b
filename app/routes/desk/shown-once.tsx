import styles from "./desk.module.css";

/** Codes that no other page will ever show. */
export function ShownOnce({ message, shownOnce }: { message: string; shownOnce: string[] }) {
  return (
    <section className={styles.shownOnce} role="status">
      <p>{message} Write them down now: they are not shown again.</p>
      <ul>
        {shownOnce.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
