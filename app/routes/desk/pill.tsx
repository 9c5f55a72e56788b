import type { ReactNode } from "react";

import styles from "./pill.module.css";

/** `good`: as it should be; `waits`: on its way, or soon to end; `bad`: an operator should look; `plain`: over, or of no weight. */
export type Tone = "good" | "waits" | "bad" | "plain";

/** A state of something: its words, and how much they weigh. */
export type StateText = { text: string; tone: Tone };

/** A state, known by its words; the colour says the same. */
export function Pill({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${styles.pill} ${styles[tone]}`}>{children}</span>;
}
