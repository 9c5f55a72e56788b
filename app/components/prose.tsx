import styles from "./prose.module.css";

/** HTML of the catalogue, which has sanitised it. */
export function Prose({ html }: { html: string }) {
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
