import { join } from "node:path";

import type { ContentSource } from "../server/content/items/source.ts";
import { findDiskFile } from "../server/platform/disk-files.ts";
import { createFixedContent } from "../tests/helpers/fixed-content.ts";
import { createSpeaker } from "./synthetic-words.ts";

/** How many videos come first, so that even the smallest catalogue fills the longest list that is measured. */
export const LIST_LENGTH = 60;
/** The smallest catalogue: one list, and one item of each other kind. */
export const SMALLEST_COUNT = LIST_LENGTH + 2;

const TITLE_WORDS = 6;
const SECTIONS = 6;
const SECTION_WORDS = 100;
const NEWEST = Date.parse("2026-11-01T07:00:00Z");
const HOUR_IN_MS = 3_600_000;

/** As many items as are asked for, of 600 words and a picture each, in the shape of a CMS, and the same at every run. */
export function createSyntheticContent(count: number): ContentSource {
  return {
    ...createFixedContent(),
    listItems: async () => listSyntheticItems(count),
    findMedia: findScene,
  };
}

/** The items alone. */
export function listSyntheticItems(count: number): SyntheticItem[] {
  return Array.from({ length: count }, (_, index) => createItem(index));
}

type SyntheticItem = ReturnType<typeof createItem>;

const scenes = ["lighthouse", "quiet-sea", "attic-lamp", "rain-on-a-window", "sleeping-village"];

/** A picture is named as those are that the product draws in the widths it needs; what is answered is one of its own scenes. */
function nameOfPicture(index: number): string {
  return `${index.toString(16).padStart(32, "0")}.webp`;
}

async function findScene(name: string, wantedWidth = 800) {
  const scene = scenes[Number.parseInt(name, 16) % scenes.length];
  const width = wantedWidth <= 400 ? 400 : wantedWidth <= 800 ? 640 : 1280;
  const file = await findDiskFile(
    join(import.meta.dirname, "../app/components/pictures/scenes", `${scene}-${width}.webp`),
  );
  return file && { ...file, contentType: "image/webp" };
}

/** The id of the first article. */
export const FIRST_ARTICLE_ID = LIST_LENGTH + 1;

function createItem(index: number) {
  const speak = createSpeaker(index + 1);
  const type = chooseType(index);
  const sections = Array.from(
    { length: SECTIONS },
    () => `<h2>${speak(3)}</h2>\n<p>${speak(SECTION_WORDS / 2)}.</p>\n<p>${speak(SECTION_WORDS / 2)}.</p>`,
  );
  return {
    id: index + 1,
    type,
    date: new Date(NEWEST - index * HOUR_IN_MS).toISOString().slice(0, 19),
    title: { rendered: speak(TITLE_WORDS) },
    content: { rendered: `<p>${speak(40)}.</p>\n${sections.join("\n")}` },
    acf: type === "post" ? {} : { youtube_url: "https://youtu.be/dormouse-00" },
    _embedded: {
      author: [{ name: "Maren Holt" }],
      "wp:featuredmedia": [
        {
          source_url: `media/${nameOfPicture(index)}`,
          alt_text: speak(4),
          media_details: { width: 1600, height: 900 },
        },
      ],
      "wp:term": [[], [{ name: speak(1) }, { name: speak(2) }]],
    },
  };
}

function chooseType(index: number): "videos" | "post" | "tutorials" {
  if (index < LIST_LENGTH) return "videos";
  return (["post", "tutorials", "videos"] as const)[(index - LIST_LENGTH) % 3] ?? "post";
}
