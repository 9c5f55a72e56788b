import { toTextKey } from "../text.ts";
import { type Losses, noteLoss } from "./blocks.ts";
import { type Fields, noteField } from "./fields.ts";
import { AWAKE_TAG, GUIDE_TAG, landingTopics, type Tags, topicKey } from "./rules.ts";
import { toText } from "./sanitise.ts";
import { type SourceItem, sourceLimits } from "./source.ts";

/** An item has few tags; a list of thousands is a mistake of the source, and the first of them will do. */
export function readTags(
  { _embedded }: Pick<SourceItem, "_embedded">,
  fields: Fields = {},
  losses: Losses = new Map(),
): Tags {
  const [, written = []] = _embedded?.["wp:term"] ?? [];
  const { start_here_order: order = LAST, start_here_why: given = "" } = fields;
  const why = toText(given);
  const tags: Tags = { terms: [], isForAwakeNow: false, guideSteps: [] };
  for (const term of written.slice(0, sourceLimits.terms)) {
    const name = toText(term?.name ?? "");
    const [isGuide, topic] = guideTag.exec(name) ?? [];
    if (toTextKey(name) === toTextKey(AWAKE_TAG)) tags.isForAwakeNow = true;
    else if (topic) {
      const intro = toText(term?.description ?? "") || undefined;
      tags.guideSteps.push({ topic, intro, order, why });
    } else if (name !== "" && !isGuide) tags.terms.push(name);
    const isKnown = isGuide === undefined || knownTopics.has(topicKey(topic ?? ""));
    if (!isKnown) noteLoss(losses, `tag ${name}`, `the topics of guides are ${landingTopics.join(", ")}`);
    if (term === null) noteLoss(losses, "tag", "its name cannot be read");
  }
  for (const name of ["start_here_order", "start_here_why"] as const)
    if (fields[name] !== undefined && tags.guideSteps.length === 0)
      noteField(losses, name, `no tag “${GUIDE_TAG} …” goes with it`);
  if (written.length > sourceLimits.terms) noteLoss(losses, "tag", `only the first ${sourceLimits.terms} are taken`);
  return tags;
}

const guideTag = new RegExp(`^${GUIDE_TAG}\\s*(\\S.*)?$`, "i");
const knownTopics = new Set<string>(landingTopics.map(topicKey));

/** Behind the steps that have a number. */
const LAST = 99;
