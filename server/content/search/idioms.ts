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

function toPattern(texts: string[]): RegExp {
  return new RegExp(String.raw`(?<![\w'])(?:${texts.join("|")})(?![\w'])`, "g");
}

const [idlePattern, nightsPattern] = [toPattern(idle), toPattern(plainNights)];

/** A cleaned term without them, and without "nights" where that is no night work. */
export function dropIdioms(term: string): string {
  return term.replace(idlePattern, " ").replace(nightsPattern, " ");
}
