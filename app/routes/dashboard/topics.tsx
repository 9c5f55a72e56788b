import { Link } from "react-router";

import { TopicLinks } from "../../ui/topic-links.tsx";
import { viewPath } from "./view.ts";
import styles from "./topics.module.css";

/** Everything one may search for: the suggestions of the search box, for browsers that cannot make them and for who likes lists. */
export function Topics({ topics }: { topics: string[] }) {
  return (
    <div className={styles.topics}>
      <h1 tabIndex={-1}>Search</h1>
      <p>Type what keeps you awake into the box above, or choose a topic.</p>
      <TopicLinks topics={topics} />
      <p>
        <Link to={viewPath({ name: "landing" })}>Back to Home</Link>
      </p>
    </div>
  );
}
