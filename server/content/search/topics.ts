/** The topics of the search box. It runs in the browser at every key, so it stays small. */

const MOST_TOPICS = 8;
/** One letter says little: a short list of frequent topics. */
const FIRST_LETTER_LIMIT = 4;
/** Also offered where nothing else is near. */
export const frequentTopics = ["Can't Sleep", "Waking in the Night", "Snoring"];
const common = new Set([
  ...frequentTopics,
  ..."Anxiety,Insomnia,Jet Lag,Melatonin,Menopause,Naps,Racing Thoughts,Restless Legs,Shift Work,Sleep Apnea".split(
    ",",
  ),
  ..."Stress,Temperature,Tiredness,Worry".split(","),
]);
const isCommon = (topic: string) => common.has(topic);
const NOT_BEGUN = Infinity;

/** Topics that continue the typed text without mistakes: at most eight, the likeliest first. */
export function completeTopics(typed: string, known = topics): string[] {
  const wanted = fold(typed);
  if (wanted === "") return [];
  const isLetter = wanted.length === 1;
  return known
    .map((topic) => ({ topic, distance: distanceTo(fold(topic), wanted) - (isLetter && isCommon(topic) ? 1 : 0) }))
    .filter(({ distance }) => distance < (isLetter ? 1 : NOT_BEGUN))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, isLetter ? FIRST_LETTER_LIMIT : MOST_TOPICS)
    .map(({ topic }) => topic);
}

/** 0: the topic begins so; 1: one of its words does; 2: it is within the topic. */
function distanceTo(topic: string, wanted: string): number {
  if (topic.startsWith(wanted)) return 0;
  if (topic.includes(` ${wanted}`)) return 1;
  return topic.includes(wanted) ? 2 : NOT_BEGUN;
}

const TYPED_MAX_LENGTH = 64;

function fold(text: string): string {
  return text
    .slice(0, TYPED_MAX_LENGTH)
    .normalize("NFKD")
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
    .toLowerCase()
    .replace(/['’‘`´]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replaceAll("apnoea", "apnea");
}

/** docs/behaviour.md, Search. Each finds something in the bundled content. */
export const topics = [
  "ADHD",
  "Alcohol",
  "Anxiety",
  "Babies",
  "Back Pain",
  "Back Sleeping",
  "Bad Dreams",
  "Bathroom Trips",
  "Bed Partner",
  "Bedding",
  "Bedroom",
  "Bedtime",
  "Blankets",
  "Body Clock",
  "Body Scan",
  "Breathing",
  "Broken Sleep",
  "Caffeine",
  "Can't Get to Sleep",
  "Can't Sleep",
  "Children",
  "Circadian Rhythm",
  "Clock Watching",
  "Coffee",
  "CPAP",
  "CPAP Mask",
  "Curtains",
  "Daylight",
  "Daytime Sleep",
  "Daytime Sleepiness",
  "Dementia",
  "Diet",
  "Doctor",
  "Dreams",
  "Driving Tired",
  "Duvets",
  "Early Waking",
  "Earplugs",
  "Evening Routine",
  "Exercise",
  "Falling Asleep",
  "Family",
  "Fan",
  "Flying",
  "Gasping",
  "Getting Older",
  "Grief",
  "Heartburn",
  "Hormones",
  "Hot Flushes",
  "HRT",
  "Insomnia",
  "Iron",
  "Jet Lag",
  "Light",
  "Low Mood",
  "Lying Awake",
  "Mattress",
  "Medicines",
  "Melatonin",
  "Menopause",
  "Morning Light",
  "Mouth Breathing",
  "Music",
  "Naps",
  "Night Shift",
  "Night Sweats",
  "Nightmares",
  "Nocturia",
  "Noise",
  "Older Adults",
  "Pain",
  "Parents",
  "Perimenopause",
  "Phones in Bed",
  "Pillows",
  "Pregnancy",
  "Racing Thoughts",
  "Reading in Bed",
  "Relaxation",
  "Restless Legs",
  "Screens",
  "Shift Work",
  "Side Sleeping",
  "Sleep and Ageing",
  "Sleep Apnea",
  "Sleep Clinic",
  "Sleep Cycles",
  "Sleep Diary",
  "Sleep Hygiene",
  "Sleep Paralysis",
  "Sleep Study",
  "Sleepiness",
  "Sleeping Pills",
  "Sleepwalking",
  "Smoking",
  "Snoring",
  "Stress",
  "Tea",
  "Teenagers",
  "Teeth Grinding",
  "Temperature",
  "Tiredness",
  "Toddlers",
  "Travel",
  "Waking in the Night",
  "Waking Too Early",
  "Weekends",
  "Weight",
  "Wine",
  "Worry",
];
