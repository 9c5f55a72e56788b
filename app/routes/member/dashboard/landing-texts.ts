import type { SceneName } from "../../../../server/content/catalogue/kinds.ts";
import type { LandingTopic } from "../../../../server/content/catalogue/item-facts.ts";

/** docs/behaviour.md, Landing; the names of topics and sections are elsewhere. */
export const landingTexts = {
  heading: "Let's Get Started",
  started: "Carry on",
  question: "What's your problem?",
  browse: "Or browse",
  allTopics: "All topics",
};

/** The six topics and their search terms (docs/behaviour.md, Landing). */
export const tiles: { label: LandingTopic; term: string; scene: SceneName }[] = [
  { label: "Can't get to sleep", term: "can't sleep", scene: "moon-over-hills" },
  { label: "Waking in the night", term: "waking in the night", scene: "owl-on-a-bough" },
  { label: "Temperature", term: "temperature", scene: "rain-on-a-window" },
  { label: "Snoring/Sleep apnea", term: "snoring", scene: "sleeping-village" },
  { label: "Menopause", term: "menopause", scene: "attic-lamp" },
  { label: "Shift Work", term: "shift work", scene: "lighthouse" },
];
