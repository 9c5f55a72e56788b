/** A cleaned term as texts would say it: without turns of phrase, and with its times and ages in words. */
export function rewriteTerm(term: string): string {
  return writeTimes(dropIdioms(term));
}

/** Turns of phrase that name no subject, though their words could: "driving me mad", "losing my mind", "most nights". */

const someone = "(?:me|us|him|her|them|you|everyone|my husband|my wife|my partner)";
const idle = [
  `(?:driv(?:e|es|ing|en)|drove|send(?:s|ing)?|sent) ${someone} (?:absolutely |completely |totally )?(?:mad|crazy|nuts|insane|bonkers|barmy|potty|mental|up the wall|round the (?:bend|twist)|to distraction)`,
  "(?:doing|does|do|did|done) (?:my|our|his|her) (?:head|nut|brain) in",
  "(?:losing|lose|lost|going out of|out of) (?:my|our|her|his) (?:mind|marbles|head|rag|temper|patience)",
  "sick (?:and tired|to death) of|(?:so |just )?(?:sick|tired|weary) of(?: all)?(?: the| this| these| people)?|fed up (?:with|of)|had enough of",
  "at (?:my|our) wit'?s'? end|at the end of (?:my|our) (?:tether|rope)",
  "(?:is|it's|its|was|been|be|are|such|utter|absolute|total|complete|living) (?:an? )?(?:utter |absolute |total |complete |living |real |bloody )?nightmares?(?! about)",
  "for the life of me|for the love of god|to be honest|long story short|all of a sudden|out of the blue|for no (?:apparent )?reason|no matter (?:what|how)|what the (?:hell|heck)|(?:how|why|what|who) on earth|the hell|like (?:mad|crazy|hell)|any chance|one way or another|the last thing i need",
  "the death of (?:me|us)|bored to death|(?:could|i'd|would) kill for|(?:it's |is |are |this is )?killing me|dying (?:to|for)",
  "a (?:right |real )?pain in the (?:bum|arse|backside|butt|ass)",
  "takes the (?:biscuit|mick|mickey)|(?:taking|take) the (?:mick|mickey)|at sixes and sevens|cheesed off|ticked off|brassed off|hacked off|pissed off",
];
const plainNights = [
  "(?<=\\b(?:most|some|many|few|several|other|those|these|summer|winter|hot|cold|warm|bad|good|bank holiday|school|weekend|weekday|friday|saturday|sunday|recent|lonely|endless|countless) )nights",
  "nights (?:in a row|running|on end|on the trot|out of|this week|last week|like this|at home)",
  String.raw`(?:\d|one|two|three|four|five|six|a few|couple of|several) nights (?:a|per|each|every) (?:week|month)`,
  "night after night",
];

const idiomPattern = new RegExp(String.raw`(?<![\w'])(?:${[...idle, ...plainNights].join("|")})(?![\w'])`, "g");

/** A cleaned term without them, and without "nights" where that is no night work. */
function dropIdioms(term: string): string {
  return term.replace(idiomPattern, " ");
}

/** Times and lengths in a question as the words that texts have for them. */

const number = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)";
const hour = String.raw`(?:[01]?\d|2[0-4]|${number}|midnight)`;
const amount = String.raw`(?:\d{1,2}(?:[.]5)?|${number}|(?:a )?(?:few|couple of|several))`;
const unit = String.raw`(?:(?:hour|hr|minute|min|week|wk|month|mth|day|year|yr|time|night|kid|cup|glass|mile|pint)s?|h|m|percent|children|babies)`;

const others = "(?:s?he'?s|s?he is|aged)(?: only| just| nearly| almost)?";
const small = "(?:[1-4]|one|two|three|four)(?: and a half)?";
const yearsOld = "[- ]?(?:year|yr)s?[- ]?olds?";

const clock = String.raw`${hour}(?:[:.][0-5]\d)?(?: ?[ap]\.?m\.?| ?o'?clock|(?! ?${unit}))`;
const atWork =
  "(?:start|starting|starts|finish|finishing|finishes|finished|clock (?:on|off)|knock off|on shift|in work)(?: work| my shift)? (?:at|from|by|till?|until)(?: about| around)?";
const asleep =
  "(?:sleep|sleeps|slept|sleeping|lies? in|lay in|lying in|in bed|asleep|won't get up|doesn't get up|not up)";
const till = "(?:till?|'til|until|before|past)";
const afternoon = String.raw`(?:noon|midday|lunch ?time|tea ?time|dinner ?time|lunch|(?:in )?the afternoon|mid ?afternoon|(?:1[12]|[1-5])(?:[:.][0-5]\d)? ?pm|11 ?am)`;

/** `needs`: what a term has that is worth trying; the pattern alone costs more than all others. */
type Reading = { pattern: RegExp; needs?: RegExp; toText: (whole: string, hour: string, half?: string) => string };

/** In this order: what an earlier one has read, a later one does not see. */
const readings: Reading[] = [
  {
    pattern: toPattern(
      `(?:${others} ${small}(?! ?${unit})|${small}${yearsOld}|(?:1[2-9]|2\\d|3[0-6]|eighteen) ?(?:months?|mths?)[- ]old)`,
    ),
    toText: () => "toddler",
  },
  {
    pattern: toPattern(`(?:(?:i'?m|i am|${others}) [6-9]\\d(?! ?${unit})|[6-9]\\d${yearsOld})`),
    toText: () => "older adults",
  },
  {
    pattern: toPattern(
      `(?<!\\b(?:for|in|after|next|last|every|past) )(?:[23]\\d|4[0-2]) ?(?:weeks|wks)(?! (?:ago|later|old|of))`,
    ),
    toText: () => "pregnant",
  },
  { pattern: toPattern(`(?:year|yr) ?(?:[7-9]|1[0-3])(?! ?${unit})`), toText: () => "teenager" },
  {
    pattern: toPattern(`(?:(?:i'?m|i am|aged) 1[3-9](?! ?${unit})|1[3-9](?:[- ]?(?:year|yr)s?[- ]?olds?| ?y/?o))`),
    toText: () => "teenager",
  },
  { pattern: toPattern(`every (?:${amount} ?)?(?:hours?|hrs?|h)`), toText: () => "waking every hour" },
  {
    pattern: toPattern(`(?:about |every )?${amount} times (?:a|per|every|each|in the|in a) night`),
    toText: () => "at night",
  },
  {
    needs: /start|finish|clock o|knock off|on shift|in work/,
    pattern: toPattern(`(?:${atWork} ${clock}|${clock} (?:starts?|finish|finishes))`),
    toText: () => "shift work",
  },
  {
    needs: /til|before|past/,
    pattern: toPattern(`${asleep} (?:in )?${till} ${afternoon}`),
    toText: () => "sleep till noon",
  },
  { pattern: toPattern(String.raw`(${hour})(?:[:.][0-5]\d)? ?([ap])\.?m\.?`), toText: hourText },
  { pattern: toPattern(String.raw`([01]?\d|2[0-4])[:.][0-5]\d`), toText: hourText },
  { pattern: toPattern(`(?:half|quarter)(?: past| to| after)? (${hour})(?! ?${unit})`), toText: hourText },
  { pattern: toPattern(`(${hour})(?: ?o'?clock|ish)`), toText: hourText },
  {
    pattern: toPattern(
      String.raw`(?<=\b(?:at|since|till?|until|past|gone|around|about|after|before|by) )(${hour})(?! ?(?:${unit}|and|or|,|-))`,
    ),
    toText: hourText,
  },
  {
    pattern: toPattern(
      `(?<!\\b(?:for|in|within|after|another|next|last|first|the|here|there|awake|up|lying|lain|laid|laying) )${amount}(?: ?(?:-|to|or) ?${amount})? ?(?:hours?|hrs?|h)(?! (?:to (?:fall|get|go|drop|nod|doze|drift|sleep)|before|after|ago|later|apart|early|drive|flight|ahead|behind|shift))`,
    ),
    toText: () => "hours of sleep",
  },
];

function toPattern(text: string): RegExp {
  return new RegExp(String.raw`(?<![\w.:])${text}(?![\w:])`, "g");
}

/**
 * A cleaned term with its times said in words: an hour of the night is "small hours", one before dawn "early waking",
 * and six hours are "hours of sleep". What is no time stays (docs/behaviour.md, Search).
 */
function writeTimes(term: string): string {
  return readings.reduce(
    (text, { pattern, needs, toText }) => (needs?.test(text) === false ? text : text.replace(pattern, toText)),
    term,
  );
}

const names = "midnight one two three four five six seven eight nine ten eleven twelve".split(" ");

function hourText(whole: string, written: string, half?: string): string {
  const named = names.indexOf(written);
  const at = named === -1 ? Number(written) : named;
  if (half === "p" || (at > 6 && at % 12 !== 0)) return whole;
  return at === 4 || at === 5 || at === 6 ? "early waking" : "small hours";
}
