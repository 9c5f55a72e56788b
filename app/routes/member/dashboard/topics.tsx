import { Link } from "react-router";

import { TopicLinks } from "../../../components/topic-links.tsx";
import styles from "./search.module.css";

/** The search box's suggestions as a list, for browsers without suggestions. */
export type TopicsScreen = { name: "topics"; topics: string[] };

export function Topics({ topics }: TopicsScreen) {
  return (
    <div className={styles.topics}>
      <h1 tabIndex={-1} className="beside-title">
        Search
      </h1>
      <p>Type what's keeping you awake, or choose a topic.</p>
      <TopicLinks topics={topics} />
      <p>
        <Link to="/">Back to Home</Link>
      </p>
    </div>
  );
}
