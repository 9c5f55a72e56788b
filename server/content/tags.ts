import { toTextKey } from "../text.ts";
import { AWAKE_TAG, GUIDE_TAG, type Tags } from "./rules.ts";
import { toText } from "./sanitise.ts";
import { type SourceItem, sourceLimits } from "./source.ts";

/** An item has few tags; a list of thousands is a mistake of the source, and the first of them will do. */
export function readTags({ _embedded, acf }: SourceItem): Tags {
  const [, written = []] = _embedded?.["wp:term"] ?? [];
  const tags: Tags = { terms: [], isForAwakeNow: false, guideSteps: [] };
  for (const term of written.slice(0, sourceLimits.terms)) {
    const name = toText(term?.name ?? "");
    const [, topic] = guideTag.exec(name) ?? [];
    if (toTextKey(name) === toTextKey(AWAKE_TAG)) tags.isForAwakeNow = true;
    else if (topic) {
      const intro = toText(term?.description ?? "") || undefined;
      const why = toText(acf?.start_here_why ?? "");
      tags.guideSteps.push({ topic, intro, order: acf?.start_here_order ?? LAST, why });
    } else if (name !== "") tags.terms.push(name);
  }
  return tags;
}

const guideTag = new RegExp(`^${GUIDE_TAG}\\s*(\\S.*)$`, "i");

/** Behind the steps that have a number. */
const LAST = 99;
