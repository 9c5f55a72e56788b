import styles from "./prose.module.css";

/** Text from the catalogue, which has made it safe. */
export function Prose({ html }: { html: string }) {
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
