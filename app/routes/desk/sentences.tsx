import styles from "./desk.module.css";

/** Sentences about one item. */
export function Sentences({ sentences }: { sentences: string[] }) {
  return (
    <ul className={styles.findings}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
