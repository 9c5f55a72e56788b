import { href } from "../../paths.ts";
import buttons from "../../ui/button.module.css";
import { logInPath } from "../login/paths.ts";
import { StepBar } from "./step-bar.tsx";
import { stepPath } from "./steps.ts";
import styles from "./welcome.module.css";

/** Step 0: what this is, and the two ways in. */
export function Welcome({ to }: { to: string | undefined }) {
  return (
    <>
      <div className={styles.welcome}>
        <h1 tabIndex={-1}>A quiet place for bad nights</h1>
        <p>
          Videos to watch in the dark, articles to read at lunch, webinars to follow in your own time: about falling
          asleep, waking in the night, snoring, shift work and more, from people who know how long three in the morning
          can be.
        </p>
        <h2 className={styles.prompt}>Log in or Sign up</h2>
        <p className={styles.ways}>
          <a className={buttons.button} href={href(stepPath(1, to))}>
            Sign up
          </a>{" "}
          <a className={buttons.quiet} href={href(logInPath(to))}>
            Log in
          </a>
        </p>
      </div>
      <StepBar step={0} to={to} />
    </>
  );
}
