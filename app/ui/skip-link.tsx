import styles from "./skip-link.module.css";

/** First in the tab order: past the bar, to the content. */
export function SkipLink() {
  return (
    <a className={styles.skip} href="#main">
      Skip to content
    </a>
  );
}
