import { Link } from "react-router";

import { keepWhole } from "../parts/data-table.tsx";
import type { TimelineEvent } from "./member-timeline.server.ts";
import screen from "../screen.module.css";
import styles from "./timeline.module.css";

const SHOWN = 8;

export function Timeline({ events, auditPath }: { events: TimelineEvent[]; auditPath: string }) {
  const earlier = events.slice(SHOWN);
  return (
    <section className={screen.section} id="timeline">
      <h2>What happened</h2>
      <Events events={events.slice(0, SHOWN)} />
      {earlier.length > 0 && (
        <details className={styles.earlier}>
          <summary>{earlier.length} earlier</summary>
          <Events events={earlier} />
        </details>
      )}
      <p>
        <Link to={auditPath}>In the audit log</Link>
      </p>
    </section>
  );
}

function Events({ events }: { events: TimelineEvent[] }) {
  return (
    <ol className={styles.events}>
      {events.map(({ key, at, exact, what, more }) => (
        <li key={key} className={styles.event}>
          <p className={styles.at} title={exact}>
            {at}
          </p>
          <div>
            <p className={styles.what}>{what}</p>
            {more && <p className={screen.note}>{keepWhole(more)}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
