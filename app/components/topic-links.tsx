import { href } from "../frame/paths.ts";
import buttons from "./button.module.css";
import styles from "./topic-links.module.css";

export function TopicLinks({ topics }: { topics: string[] }) {
  return (
    <ul className={styles.topics} aria-label="Topics">
      {topics.map((topic) => (
        <li key={topic}>
          <a className={buttons.pill} href={href(`/?q=${encodeURIComponent(topic)}`)}>
            {topic}
          </a>
        </li>
      ))}
    </ul>
  );
}
