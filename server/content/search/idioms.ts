/** Turns of phrase that name no subject, though their words could: "driving me mad", "a nightmare", "most nights". */

const idioms = [
  "(?:driv(?:e|es|ing|en)|drove|send(?:s|ing)?|sent) (?:me|us|him|her|them|everyone|my husband|my wife|my partner) (?:absolutely |completely |totally )?(?:mad|crazy|nuts|insane|bonkers|mental|up the wall|round the (?:bend|twist)|to distraction)",
  "(?:losing|lose|lost|going out of|out of) (?:my|our|her|his) (?:mind|marbles|head|rag|temper|patience)",
  "sick (?:and tired|to death) of|(?:sick|tired|weary) of(?: all)?(?: the| this| these| people)?",
  "(?:is|it's|its|was|been|be|are|such|utter|absolute|total|complete|living) (?:an? )?(?:utter |absolute |total |complete |living |real |bloody )?nightmares?(?! about)",
  "a (?:right |real )?pain in the (?:bum|arse|backside|butt|ass|neck)",
  // Other "nights" are work.
  "(?<=\\b(?:most|some|many|few|several|other|those|these|summer|winter|hot|cold|warm|bad|good|school|recent|endless|countless) )nights",
  String.raw`(?:\d|one|two|three|four|five|six) nights (?:a|per|each|every) (?:week|month)`,
  "nights (?:in a row|running|on end|on the trot|out of|this week|last week|like this|at home)|night after night",
];

const pattern = new RegExp(String.raw`(?<![\w'])(?:${idioms.join("|")})(?![\w'])`, "g");

/** A cleaned term without them. */
export function dropIdioms(term: string): string {
  return term.replace(pattern, " ");
}
