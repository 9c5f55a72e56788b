import { withoutHidden } from "../../platform/text.ts";
import { cutTerm } from "../items/item-facts.ts";

/** `text` is in lower case, without accents, in one spelling of British and American. */
export type Word = { text: string; start: number; end: number };

/** Two bits for how a word begins, one for two letters and one for three; others share them. */
export type Beginnings = number;

const ANY_BEGINNING: Beginnings = -1;

/** A capital counts as its small letter. */
export function toBeginning(text: string, start = 0, end = text.length): Beginnings {
  const first = text.charCodeAt(start) | 0x20;
  const second = start + 1 < end ? text.charCodeAt(start + 1) | 0x20 : 0;
  const third = start + 2 < end ? text.charCodeAt(start + 2) | 0x20 : 0;
  return (1 << ((7 * first + second) & 31)) | (1 << ((11 * first + 5 * second + 13 * third) & 31));
}

/**
 * The words of a text in order; some pairs are one word ("jet lag", "can not"), and "three" is "3". `wanted`: most words
 * with another beginning are left out.
 */
export function listWords(text: string, wanted = ANY_BEGINNING): Word[] {
  const words: Word[] = [];
  let last: Word | undefined;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = findWordEnd(text, start);
    if (end === start) {
      end += 1;
      continue;
    }
    const mayJoin = last !== undefined && firstHalves.has(last.text);
    if ((toBeginning(text, start, end) & ~wanted) !== 0 && !mayJoin) {
      last = undefined;
      continue;
    }
    const word: Word = { text: fold(text.slice(start, end)), start, end };
    if (word.text === "") continue;
    const joined = mayJoin && last ? join(last, word) : undefined;
    if (joined) words.pop();
    last = joined ?? word;
    words.push(last);
  }
  return words;
}

function join(last: Word, { text, end }: Word): Word | undefined {
  const joined = joinedWords.get(`${last.text} ${text}`);
  return joined === undefined ? undefined : { text: joined, start: last.start, end };
}

/** A character begins or continues a word, only continues one, or continues one before another of these. */
const LETTER = 1;
const MARK = 2;
const APOSTROPHE = 3;
const BETWEEN = 4;

/** By UTF-16 unit; 0 is unread. */
const knownKinds = new Uint8Array(0x10000);

function findKind(text: string, at: number): number {
  return knownKinds[text.charCodeAt(at)] || learnKind(text, at);
}

function learnKind(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const kind = readKind(String.fromCodePoint(text.codePointAt(at) ?? 0));
  const isHalf = unit >= 0xd800 && unit < 0xdc00;
  if (!isHalf) knownKinds[unit] = kind;
  return kind;
}

function readKind(character: string): number {
  if (/[\p{L}\p{N}]/u.test(character)) return LETTER;
  // A soft hyphen and the like are within a word, and so is the second half of a letter of two units.
  if (/[\p{M}\p{Default_Ignorable_Code_Point}\uDC00-\uDFFF]/u.test(character)) return MARK;
  return /['’ʼ‘`´]/.test(character) ? APOSTROPHE : BETWEEN;
}

/** The end of the word that begins here; the same place where none does. */
function findWordEnd(text: string, start: number): number {
  let at = start;
  if (findKind(text, at) !== LETTER) return at;
  for (let kind = LETTER; kind !== BETWEEN; kind = findKind(text, at)) {
    if (kind === APOSTROPHE && findKind(text, at + 1) > MARK) break;
    at += 1;
  }
  return at;
}

/** A stop word says nothing beside other words. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** A word of so many questions that it does not show the subject: "best", "help", "always". */
export function isVagueWord(word: string): boolean {
  return vagueWords.has(word);
}

/** Either of them. */
export function isSmallWord(word: string): boolean {
  return isStopWord(word) || isVagueWord(word);
}

export function listSmallWords(): Iterable<string> {
  return [...stopWords, ...vagueWords];
}

export function cleanTerm(term: string): string {
  // Decomposing a letter may give several.
  return cutTerm(straighten(withoutAccents(cutTerm(term).toLowerCase())));
}

/** Longer words in capitals are shouted. */
const ABBREVIATION_LENGTH = 5;

/** Words typed as abbreviations are: "SIDS" in "SIDS worries", or alone; a term of several such words is shouted. */
export function listCapitals(term: string): Set<string> {
  const words = cutTerm(term).match(/[\p{L}\p{N}]+/gu) ?? [];
  const inCapitals = words.filter((word) => /^\p{Lu}{2,}$/u.test(word));
  if (words.length > 1 && inCapitals.length === words.length) return new Set();
  return new Set(inCapitals.filter((word) => word.length <= ABBREVIATION_LENGTH).map((word) => fold(word)));
}

/** A longer word would hold the whole text that it was cut from in memory. */
const REMEMBERED_LENGTH = 12;
const REMEMBERED_COUNT = 100_000;
const remembered = new Map<string, string>();

function fold(written: string): string {
  if (written.length > REMEMBERED_LENGTH) return foldWord(written);
  let folded = remembered.get(written);
  if (folded === undefined) {
    folded = foldWord(written);
    if (remembered.size >= REMEMBERED_COUNT) remembered.clear();
    remembered.set(written, folded);
  }
  return folded;
}

function foldWord(written: string): string {
  const plain = straighten(withoutAccents(written.toLowerCase()));
  const whole = plain.includes("'") ? plain.replace(/'s$/, "").replaceAll("'", "") : plain;
  return numbers.get(whole) ?? spellings.get(whole) ?? americanise(whole);
}

/** Ligatures and full-width letters become plain ones. */
function withoutAccents(text: string): string {
  return /^[ -~]*$/.test(text) ? text : withoutHidden(text.normalize("NFKD")).replace(/\p{M}/gu, "");
}

function straighten(text: string): string {
  return text.replace(/[’ʼ‘`´]/g, "'").replace(/[“”„]/g, '"');
}

/** Both sides are folded, so it does no harm if the result is no word. */
function americanise(word: string): string {
  if (word.length < 5) return word;
  return word
    .replace("oea", "ea")
    .replace(/^oe(?=[sd])/, "e")
    .replace(/(an|h|gyn|c|p)ae(?=[mdsct])/, "$1e")
    .replace(/^([a-z]{2,})our/, "$1or")
    .replace(/([a-z]{3})([iy])s(e[drs]?|ing|ation)$/, "$1$2z$3")
    .replace(/gramme(s?)$/, "gram$1")
    .replace(/([a-z]{2}[bnt])re(s?)$/, "$1er$2")
    .replace(/ence$/, "ense");
}

const spellings = new Map(
  Object.entries({
    cant: "cannot",
    ageing: "aging",
    grey: "gray",
    mum: "mom",
    mums: "moms",
    practise: "practice",
    pyjama: "pajama",
    pyjamas: "pajamas",
    tyre: "tire",
    okay: "ok",
    hr: "hour",
    hrs: "hours",
    mth: "month",
    mths: "months",
    wk: "week",
    wks: "weeks",
    yr: "year",
    yrs: "years",
    nite: "night",
    tonite: "tonight",
    cos: "because",
    coz: "because",
    cuz: "because",
    pls: "please",
    plz: "please",
    u: "you",
    ur: "your",
    thru: "through",
  }),
);

const upToNineteen =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const tens = "ten twenty thirty forty fifty sixty seventy eighty ninety";
const numbers = new Map([
  ...upToNineteen.split(" ").map((word, place): [string, string] => [word, `${place + 1}`]),
  ...tens.split(" ").map((word, place): [string, string] => [word, `${10 * (place + 1)}`]),
]);

const joinedWords = new Map(
  [
    "can not",
    "jet lag",
    "bed time",
    "day time",
    "night time",
    "bed room",
    "heart burn",
    "over weight",
    "ear plugs",
  ].map((pair) => [pair, pair.replace(" ", "")]),
);

export function listJoined(): Iterable<string> {
  return joinedWords.keys();
}

const firstHalves = new Set([...joinedWords.keys()].map((pair) => pair.split(" ")[0]));

const toSet = (words: string) => new Set(words.split(/\s+/));

const stopWords = toSet(
  `a about all also am an and any are as at be been being but by can could did do does doing done dont during each for from
  get gets getting got had has have having he hed her hers hes him his how i id if im in into is isnt it its ive me might
  must my myself no not of off on onto or our out per shall she shes should so some such than that thats the their them then
  there theres these they theyre this those to too until up upon us was we were weve what whats when where which while who
  whom why will with within wont would you your youre yours yourself yourselves`,
);

/** Words of questions, requests, comparisons and frequency; "bad" and "like" fit any topic. */
const vagueWords = toSet(
  `able above absolutely across actual actually add added advice advise after afterwards again against ago agree almost
  along alot already although altogether always among amount another anybody anymore anyone anything anyway anywhere
  apart apparently area argh around ask asked asking available aware away awfully back bad badly barely basically bear
  because become becomes before began begin begins behind below beside besides best better between bit bits bizarre
  blame bloody both bothered bring brings brought btw bugger came cannot case cause causes certain chance choose clue
  come comes coming common complain completely constant constantly continue cope correct could couldnt crazy curious
  current currently damn day days deal dear decent definitely deliberately desperate details didnt different difficult
  difficulty doesnt down dreadful earlier easier easiest easily easy effective effort either else end ended ending
  ends enough entire entirely especially even eventually ever every everybody everyday everyone everything everywhere
  exactly example except expect experience explain explanation extra extremely fact fair fairly far fast faster fed
  feel feeling few ffs figure figured finally find finding finish finished first fix flipping follow fortunately
  frequent frequently fucking full fully funny further general generally give given glad go goes going gone gonna good
  gotta gradually great guess guide guys haha half handle happen happened happening happens hard harder hardest hardly
  hate hated hear hello help helped helpful helping helps here hey hi hold honestly horrendous hour hours however huge
  idea ideas idk ignore im immediately impossible improve incredibly information infuriating instead intend involve
  itself joke just keep keeping keeps kept kind kinda kinds know known knows last lately later least less let lets
  like likely likes literally little lol long look looking lot lots love made mainly make makes making manage managed
  managing many massively matter maybe mean means mention method minute minutes moment moments month months more most
  mostly much natural naturally nearly necessarily necessary need needed needing needs neither never new next nice
  nobody none nonsense nope nor normal normally nothing notice noticed now nowhere number nuts obviously occasionally
  odd oddly often ok okay omg once only opinion option options ordinary other others otherwise ourselves over own part
  particularly partly people perfectly perhaps person please pleased plenty pointless possible possibly prefer pretty
  prevent prevents probably problem problems proper properly purpose put puts putting question questions quick quickly
  quite rarely rather read real really reason reasons recently recommend recommendation recommended reduce refuse
  regularly relatively remember repeatedly require ridiculous right rotten rubbish ruin ruined ruining ruins safe
  safely said same say says second see seem seemed seems seldom sensible seriously set sets several show shows silly
  similar simple simply since situation slightly smh sodding solution solve somebody somehow someone something
  sometimes somewhat somewhere soon sooner sorry sort sorts special specific spend spent stand start started starting
  starts still stop stopping stops straight strange stuff stupid sudden suddenly suffer suffering suggest suggestion
  suggestions super suppose supposed sure surely surprise surprised take takes taking talk tbh tell telling tend
  terribly thank thanks themselves therefore thing things think third tho though thought through throughout till time
  times tip tips together told tonight top total totally towards tried true truth try trying turn turned turning turns
  twice type types typical typically ugh under unfortunately unless unlikely upset use used useful useless using usual
  usually utterly various version very via wait waiting wanna want wanted wants watch way ways week weeks well went
  whatever whenever whether whole wise wish without wonder wondering work works worse worst worth wrong wtf yeah year
  years yep yes yet`,
);
