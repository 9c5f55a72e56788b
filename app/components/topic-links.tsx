import { href } from "../frame/paths.ts";
import styles from "./topic-links.module.css";

export function TopicLinks({ topics }: { topics: string[] }) {
  return (
    <ul className={styles.topics} aria-label="Topics">
      {topics.map((topic) => (
        <li key={topic}>
          <a href={href(`/?q=${encodeURIComponent(topic)}`)}>{topic}</a>
        </li>
      ))}
    </ul>
  );
}
