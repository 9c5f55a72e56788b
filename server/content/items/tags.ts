import { toTextKey } from "../../platform/text.ts";
import { type Losses, noteLoss } from "./blocks.ts";
import { type Fields, noteField } from "./fields.ts";
import { AWAKE_TAG, HELP_TAG, landingTopics, stepTags, type Tags, topicKey } from "./item-facts.ts";
import { toText } from "./html-text.ts";
import { type SourceItem, sourceLimits } from "./source.ts";

/** A list of thousands of tags is a mistake of the source: the first of them are enough. */
export function readTags(
  { _embedded }: Pick<SourceItem, "_embedded">,
  fields: Fields = {},
  losses: Losses = new Map(),
): Tags {
  const [, written = []] = _embedded?.["wp:term"] ?? [];
  const tags: Tags = { terms: [], isForAwakeNow: false, isForHelp: false, guideSteps: [], nightSteps: [] };
  for (const term of written.slice(0, sourceLimits.terms)) {
    const name = toText(term?.name ?? "");
    const step = readStepTag(name);
    if (toTextKey(name) === toTextKey(AWAKE_TAG)) tags.isForAwakeNow = true;
    else if (toTextKey(name) === toTextKey(HELP_TAG)) tags.isForHelp = true;
    else if (step?.topic) {
      const intro = toParagraphs(term?.description ?? "") || undefined;
      const { [step.order]: order = LAST, [step.why]: why = "" } = fields;
      tags[step.list].push({ topic: step.topic, intro, order, why: toText(why) });
    } else if (name !== "" && !step) tags.terms.push(name);
    if (step && !knownTopics.has(topicKey(step.topic)))
      noteLoss(losses, `tag ${name}`, `the topics of guides are ${landingTopics.join(", ")}`);
    if (term === null) noteLoss(losses, "tag", "its name cannot be read");
  }
  for (const { list, tag, order, why } of stepTags)
    for (const name of [order, why])
      if (fields[name] !== undefined && tags[list].length === 0)
        noteField(losses, name, `no tag “${tag} …” goes with it`);
  if (written.length > sourceLimits.terms) noteLoss(losses, "tag", `only the first ${sourceLimits.terms} are used`);
  return tags;
}

/** The topic is empty where the tag names none. */
function readStepTag(name: string): ((typeof stepTags)[number] & { topic: string }) | undefined {
  const found = stepTags.find(({ tag }) => name.toLowerCase().startsWith(tag.toLowerCase()));
  return found && { ...found, topic: name.slice(found.tag.length).trim() };
}

/** The lines of a WordPress field are paragraphs. */
function toParagraphs(text: string): string {
  return text
    .split(/[\r\n]+/)
    .map(toText)
    .filter((line) => line !== "")
    .join("\n");
}

const knownTopics = new Set<string>(landingTopics.map(topicKey));

/** After the numbered steps. */
const LAST = 99;
