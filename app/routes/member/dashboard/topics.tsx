import { Link } from "react-router";

import { TopicLinks } from "../../../components/topic-links.tsx";
import styles from "./search.module.css";

/** All topics: the suggestions of the search box as a list, also for browsers that cannot make suggestions. */
export type TopicsScreen = { name: "topics"; topics: string[] };

export function Topics({ topics }: TopicsScreen) {
  return (
    <div className={styles.topics}>
      <h1 tabIndex={-1}>Search</h1>
      <p>Type what keeps you awake into the box above, or choose a topic.</p>
      <TopicLinks topics={topics} />
      <p>
        <Link to="/">Back to Home</Link>
      </p>
    </div>
  );
}
