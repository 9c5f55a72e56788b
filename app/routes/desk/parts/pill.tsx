import styles from "./pill.module.css";

/**
 * `good`: as it should be; `waits`: on its way, or soon to end; `bad`: an operator should look; `plain`: over, or
 * minor.
 */
export type Tone = "good" | "waits" | "bad" | "plain";

export type StateText = { text: string; tone: Tone };

/** The colour repeats the words. */
export function Pill({ text, tone }: StateText) {
  return <span className={`${styles.pill} ${styles[tone]}`}>{text}</span>;
}
