import { lazy } from "../lazy.ts";
import { listWords, toStem } from "./search-words.ts";

/** Words for one thing. A word in `typed` leads here too, but is too wide to be searched for: "nights". */
type Saying = { words: string[]; typed?: string[] };

const phrasings: Saying[] = [
  {
    words: ["can't sleep", "can't get to sleep", "insomnia", "sleeplessness"],
    typed: [
      "can't fall asleep",
      "trouble sleeping",
      "trouble falling asleep",
      "sleepless",
      "insomniac",
      "not sleeping",
    ],
  },
  { words: ["waking in the night", "waking at night", "broken sleep"], typed: ["wake up at night", "night waking"] },
  { words: ["early waking"], typed: ["waking too early", "waking up early", "wake up too early"] },
  { words: ["sleep apnoea"], typed: ["stop breathing", "stops breathing", "apnoea", "OSA"] },
  { words: ["CPAP", "mask"], typed: ["breathing machine"] },
  { words: ["GP", "doctor"], typed: ["physician"] },
  { words: ["children", "kids", "toddlers"] },
  { words: ["babies", "infants", "newborn"] },
  { words: ["family", "families", "parents"], typed: ["parenting", "parenthood"] },
  { words: ["hot flush", "hot flash"], typed: ["flushes", "flushing"] },
  { words: ["night sweats"], typed: ["sweating", "sweaty", "sweating at night"] },
  { words: ["menopause", "perimenopause"], typed: ["the change", "change of life"] },
  { words: ["nocturia", "toilet", "bathroom", "loo"], typed: ["bladder", "peeing", "weeing", "urinating"] },
  {
    words: ["shift work", "shift worker", "night shift", "night work"],
    typed: ["nights", "working nights", "on nights", "shiftwork", "nightshift", "rota", "night worker"],
  },
  { words: ["jet lag"], typed: ["time zones", "jetlagged"] },
  { words: ["travel"], typed: ["flying", "flight", "trip", "holiday"] },
  { words: ["snoring"], typed: ["snort"] },
  { words: ["nap"], typed: ["siesta", "catnap", "power nap"] },
  {
    words: ["worry", "racing thoughts", "anxiety"],
    typed: ["racing mind", "overthinking", "can't switch off", "stress", "stressed"],
  },
  { words: ["body clock", "circadian rhythm"], typed: ["circadian", "internal clock"] },
  { words: ["restless legs"], typed: ["RLS", "twitchy legs"] },
  { words: ["caffeine", "coffee"], typed: ["espresso"] },
  { words: ["older adults", "getting older"], typed: ["elderly", "old age", "aging", "seniors", "pensioners"] },
  { words: ["screens", "phone"], typed: ["blue light", "smartphone", "mobile phone", "tablet"] },
  { words: ["partner", "bed partner"], typed: ["husband", "wife", "spouse", "boyfriend", "girlfriend"] },
  { words: ["medicines", "medication"], typed: ["sleeping pills", "sleeping tablets", "pills"] },
  { words: ["temperature"], typed: ["too hot", "too cold", "too warm", "overheating"] },
  { words: ["noise"], typed: ["sounds", "noisy"] },
  { words: ["sleep hygiene"], typed: ["sleep habits", "good habits"] },
];

/** A saying as the index knows it: each way as the stems of its words. */
export type Synonyms = { phrases: string[] };

const PHRASE_MAX_WORDS = 4;

const byTyped = lazy(() => {
  const found = new Map<string, Synonyms>();
  for (const { words, typed = [] } of phrasings) {
    const synonyms = { phrases: [...new Set(words.map(stemPhrase))] };
    for (const phrase of words.map(stemPhrase)) found.set(phrase, synonyms);
    for (const phrase of typed) found.set(exactKey(phrase), synonyms);
  }
  return found;
});

/** The longest saying that begins at a word, and how many words it takes. */
export function findSaying(words: string[], start: number): (Synonyms & { length: number }) | undefined {
  for (let length = Math.min(PHRASE_MAX_WORDS + 1, words.length - start); length > 0; length -= 1) {
    const typed = words.slice(start, start + length);
    const synonyms = byTyped().get(`=${typed.join(" ")}`) ?? byTyped().get(typed.map(toStem).join(" "));
    if (synonyms) return { ...synonyms, length };
  }
  return undefined;
}

function stemPhrase(phrase: string): string {
  return listWords(phrase)
    .map(({ text }) => toStem(text))
    .join(" ");
}

/** Words in `typed` match letter by letter: "nights" is work, "night" is not. */
function exactKey(phrase: string): string {
  return `=${listWords(phrase)
    .map(({ text }) => text)
    .join(" ")}`;
}
