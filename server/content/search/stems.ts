/**
 * The stem of an English word: sleep, sleeps, sleeping, slept. Light on purpose: it removes grammar and keeps words of
 * different meaning apart. A stem is compared, never shown.
 */
export function toStem(word: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  if (!/^[a-z]{3,}$/.test(word)) return word;
  if (word.length === 3) return word.replace(/([^aeiou])y$/, "$1i");
  return finish(withoutEnding(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:sh|ch|ss|x|zz)es$/.test(word)) return word.slice(0, -2);
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  if (/[^aeiou]ied$/.test(word)) return `${word.slice(0, -3)}y`;
  for (const [ending, shortest] of endings) {
    const root = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || root.length < shortest || !/[aeiouy]/.test(root)) continue;
    return ending === "ing" || ending === "ed" ? mendVerb(root) : root;
  }
  return word;
}

/** With the number of letters that must remain without each. */
const endings: [ending: string, shortest: number][] = [
  ["ness", 4],
  ["ing", 3],
  ["ed", 3],
  ["al", 6],
];

/** "napp" is nap and "travell" is travel, but "fall" is fall; "wak" is wake. */
function mendVerb(root: string): string {
  if (/([bdgkmnprt])\1$/.test(root) || /[a-z]{4}ll$/.test(root)) return root.slice(0, -1);
  return /^[^aeiou][aeiou][^aeiouwxy]$/.test(root) ? `${root}e` : root;
}

/** The silent e of "snore", which "wine" keeps because of "win"; and the y of "sleepiness". */
function finish(root: string): string {
  return root.replace(/([a-z]{4})e$/, "$1").replace(/([^aeiou])y$/, "$1i");
}

const irregular = new Map(
  Object.entries({
    wake: "woke woken waken wakens wakened awoken awoke awaken awakens awakened awakening awakenings wakeful wakefulness awake",
    sleep: "slept asleep sleeper sleepers",
    snor: "snorer snorers",
    child: "children childrens",
    woman: "women womens",
    man: "men mens",
    foot: "feet",
    tooth: "teeth",
    lie: "lies lying lied",
    fall: "fell fallen",
    feel: "felt",
    dream: "dreamt",
    drink: "drank drunk",
    eat: "ate eaten",
    relax: "relaxation",
    ache: "aches ached aching",
    anxi: "anxiety anxieties anxious anxiously",
    age: "aging aged ages",
    tire: "tiredness",
    use: "used using uses",
    evening: "evening evenings",
    need: "need needs needed",
    weighted: "weighted",
    bedding: "bedding",
    old: "older oldest",
    feed: "feed feeds feeding",
    med: "medicine medicines medication medications",
  }).flatMap(([stem, words]) => words.split(" ").map((word): [string, string] => [word, stem])),
);
