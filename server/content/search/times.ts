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
export function writeTimes(term: string): string {
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
