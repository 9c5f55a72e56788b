import { Link } from "react-router";

import type { CardFinds as Finds } from "./card-search.server.ts";
import styles from "../desk.module.css";

export function CardFinds({ what, payments }: Finds) {
  return (
    <section className={styles.section}>
      <h2>Paid with {what}</h2>
      {payments.length === 0 && (
        <p className={styles.empty}>
          No payment on this day or the three days before. A new payment takes a few minutes to show up.
        </p>
      )}
      <ul className={styles.finds}>
        {payments.map(({ key, path, words }) => (
          <li key={key}>{path === undefined ? words : <Link to={path}>{words}</Link>}</li>
        ))}
      </ul>
    </section>
  );
}
