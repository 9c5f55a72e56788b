import styles from "./pending-bar.module.css";

/** Says that a page is on its way, but only when it takes long enough to wonder (the style waits a moment). */
export function PendingBar({ isPending }: { isPending: boolean }) {
  return (
    <div aria-live="polite" className={styles.place}>
      {isPending && (
        <div className={styles.bar}>
          <span className="visually-hidden">Loading</span>
        </div>
      )}
    </div>
  );
}
