import { href } from "../../paths.ts";
import buttons from "../../ui/button.module.css";
import type { EntranceHouse } from "../../ui/entrance.tsx";
import styles from "./welcome.module.css";

/** Step 0: what this is, and the way in. */
export function Welcome({ house, to }: { house: EntranceHouse; to: string | undefined }) {
  const search = to ? `?to=${encodeURIComponent(to)}` : "";
  return (
    <div className={styles.welcome}>
      <h1 tabIndex={-1}>A quiet place for bad nights</h1>
      <p>
        Videos to watch in the dark, articles to read at lunch, webinars to follow in your own time: about falling
        asleep, waking in the night, snoring, shift work and more, from people who know how long three in the morning
        can be.
      </p>
      <p>
        <a className={buttons.button} href={href(`/login${search}`)}>
          Log in
        </a>
      </p>
      <p className={styles.join}>
        Not a member yet? Write to <a href={`mailto:${house.contactEmail}`}>{house.contactEmail}</a> and we will get you
        started.
      </p>
    </div>
  );
}
