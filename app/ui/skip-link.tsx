import styles from "./skip-link.module.css";

/** First in the tab order: past the bar, to the content, or to the heading of what lies over it where no style shows that. */
export function SkipLink({ to = "main" }: { to?: string | undefined }) {
  return (
    <a className={styles.skip} href={`#${to}`}>
      Skip to content
    </a>
  );
}
