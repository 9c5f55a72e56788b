import styles from "./prose.module.css";

/** HTML that the catalogue has sanitised. */
export function Prose({ html }: { html: string }) {
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
