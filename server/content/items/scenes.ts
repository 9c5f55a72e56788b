import { type SceneName, sceneNames } from "./kinds.ts";

/** Word beginnings for each scene, as on the landing's tiles. A hit in the topics counts before one in the title. */
const meanings: Record<SceneName, RegExp> = {
  "moon-over-hills":
    /\b(?:can'?t (?:get to )?sleep|insomnia|fall(?:ing)? asleep|melatonin|medic|moon|hills?\b|dream|night sky)/i,
  "hedgerow-nest": /\b(?:famil|toddler|child|bab(?:y|ies)|pregnan|parent|nest|dormouse|pets?\b|cosy|winter|hibernat)/i,
  lighthouse: /\b(?:shift|work|rota|light(?!ly)|screen|blue light|daytime|driving|anxi|worr|coast)/i,
  "tent-and-stars": /\b(?:jet lag|travel|holiday|camp|tent|stars?\b|naps?\b|nature|summer|festival|students?\b|teen)/i,
  "rain-on-a-window": /\b(?:rain|storm|weather|noises?\b|sounds?\b|temperature|cool|hot\b|heat|flush|sweat|window)/i,
  "sleeping-village":
    /\b(?:snor|apn(?:o?ea)|cpap|partner|neighbo|village|town|street|communit|older|ageing|clinic|gp\b)/i,
  "owl-on-a-bough": /\b(?:wak(?:e|ing)|awake|early|clock|owl|nocturia|bathroom|nightmare|3 ?am|small hours|restless)/i,
  "quiet-sea": /\b(?:sea\b|ocean|waves?\b|water|breath|relax|calm|meditat|mindful|body scan|yoga|boat)/i,
  "attic-lamp":
    /\b(?:menopaus|hormon|bed|lamp|read|book|routine|sleep hygiene|habit|caffeine|coffee|tea\b|alcohol|diet|food|diary)/i,
};

/** The best first: by topics in their order, then by title, then by chance. */
export function rankScenes({ id, terms, title }: { id: number; terms: string[]; title: string }): number[] {
  const first = chanceScene(id);
  const byChance = sceneNames.map((_, index) => (first + index) % sceneNames.length);
  const rank = (scene: number) => {
    const meaning = meanings[sceneNames[scene] ?? "moon-over-hills"];
    const topic = terms.findIndex((term) => meaning.test(term));
    if (topic !== -1) return topic;
    return meaning.test(title) ? terms.length : terms.length + 1;
  };
  return byChance.toSorted((a, b) => rank(a) - rank(b));
}

/** A stable hash. Multiplying by the golden ratio (Knuth, TAOCP 3, section 6.4) keeps neighbours apart. */
function chanceScene(id: number): number {
  return Math.floor(((id * 0.618_033_988_749_895) % 1) * sceneNames.length);
}
