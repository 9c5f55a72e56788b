import type { SceneName } from "../../../../server/content/items/kinds.ts";
import type { LandingTopic } from "../../../../server/content/items/item-facts.ts";

/** docs/behaviour.md, Landing; the names of topics and sections are elsewhere. */
export const landingTexts = {
  heading: "Let's Get Started",
  started: "Carry on",
  question: "What's your problem?",
  browse: "Or browse",
  allTopics: "All topics",
};

/** The six topics, their search terms (docs/behaviour.md, Landing), and the end of “More on …”. */
export const tiles: { label: LandingTopic; term: string; subject: string; scene: SceneName }[] = [
  { label: "Can't get to sleep", term: "can't sleep", subject: "getting to sleep", scene: "moon-over-hills" },
  {
    label: "Waking in the night",
    term: "waking in the night",
    subject: "waking in the night",
    scene: "owl-on-a-bough",
  },
  { label: "Temperature", term: "temperature", subject: "temperature", scene: "rain-on-a-window" },
  { label: "Snoring/Sleep apnea", term: "snoring", subject: "snoring and sleep apnea", scene: "sleeping-village" },
  { label: "Menopause", term: "menopause", subject: "menopause", scene: "attic-lamp" },
  { label: "Shift Work", term: "shift work", subject: "shift work", scene: "lighthouse" },
];
