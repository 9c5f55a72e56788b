import { readFile, writeFile } from "node:fs/promises";

/** 165 words a minute, within the BBC's subtitle guidelines. */
const WORDS_PER_SECOND = 2.75;
const CUE_MAX_LENGTH = 84;
const CUE_MIN_LENGTH = 24;
/** In characters: a joined caption must break into two lines. */
const SLACK = 8;
const LINE_MAX_LENGTH = 42;
const CARD_MIN_LENGTH = 24;
const CARD_MAX_LENGTH = 95;

export type Film = {
  name: string;
  path: string;
  title: string;
  author: string;
  isPortrait: boolean;
  /** The item's picture, with which the film begins. */
  picture: string | undefined;
  paragraphs: string[][];
};
type Timed = { start: number; end: number };
export type Paragraph = Timed & { sentences: string[] };

export function readFilm(path: string, text: string): Film | undefined {
  const name = /^video_url: media\/(.+)\.mp4$/m.exec(text)?.[1];
  if (!name) return undefined;
  const [, transcript = ""] = text.split("<!-- transcript -->\n");
  return {
    name,
    path,
    title: /^title: "(.*)"$/m.exec(text)?.[1] ?? "",
    author: /^author: (?!dormouse)(.*)$/m.exec(text)?.[1] ?? "Dormouse Team",
    isPortrait: /^orientation: portrait$/m.test(text),
    picture: /^image: (.+)\.webp$/m.exec(text)?.[1],
    paragraphs: transcript
      .split("\n\n")
      .map((paragraph) => paragraph.trim().replace(/^\*\*\d+:\d\d\*\* /, ""))
      .filter((paragraph) => paragraph !== "")
      .map((paragraph) => paragraph.split(/(?<=[.?!]["”]?) (?=["“A-Z])/)),
  };
}

const countWords = (sentences: string[]) => sentences.join(" ").split(" ").length;

/** For calm reading, in seconds. */
export function countSeconds(paragraphs: string[][]): number {
  return countWords(paragraphs.flat()) / WORDS_PER_SECOND;
}

/** Drops the last sentences of the longest paragraphs. */
export function shorten(paragraphs: string[][], seconds: number): string[][] {
  const shortened = paragraphs.map((sentences) => [...sentences]);
  while (countSeconds(shortened) > seconds) {
    const longest = shortened.filter(({ length }) => length > 1).toSorted((a, b) => countWords(b) - countWords(a))[0];
    if (longest) longest.pop();
    else shortened.splice(-2, 1);
  }
  return shortened;
}

/** By their number of words. */
export function time(paragraphs: string[][], { start, end }: Timed): Paragraph[] {
  const total = countWords(paragraphs.flat());
  let words = 0;
  // To a fifth of a second, which is a frame.
  const at = (count: number) => Math.round((start + ((end - start) * count) / total) * 5) / 5;
  return paragraphs.map((sentences) => {
    const from = at(words);
    words += countWords(sentences);
    return { sentences, start: from, end: at(words) };
  });
}

/** At spaces into pieces of about equal length, none longer than `max`. */
function split(text: string, max: number): string[] {
  const target = text.length / Math.ceil(text.length / max);
  const pieces: string[] = [];
  for (const word of text.split(" ")) {
    const last = pieces.at(-1);
    const grown = `${last} ${word}`;
    if (last !== undefined && grown.length <= max && grown.length - word.length / 2 <= target)
      pieces[pieces.length - 1] = grown;
    else pieces.push(word);
  }
  return pieces;
}

/** Joins a caption of two words with a neighbour: alone it would be gone before it is read. */
function joinShort(texts: string[]): string[] {
  const joined: string[] = [];
  for (const text of texts) {
    const last = joined.at(-1) ?? "";
    const isShort = Math.min(last.length, text.length) < CUE_MIN_LENGTH;
    if (last && isShort && last.length + text.length < CUE_MAX_LENGTH - SLACK)
      joined[joined.length - 1] = `${last} ${text}`;
    else joined.push(text);
  }
  return joined;
}

export function toCaptions(paragraphs: Paragraph[]): string {
  const cues = paragraphs.flatMap((paragraph) =>
    time(
      joinShort(paragraph.sentences.flatMap((sentence) => split(sentence, CUE_MAX_LENGTH))).map((text) => [text]),
      paragraph,
    ),
  );
  const blocks = cues.map(({ sentences, start, end }) => {
    const lines = split(sentences.join(" "), LINE_MAX_LENGTH).join("\n");
    return `${stamp(start)} --> ${stamp(end)}\n${lines.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}\n`;
  });
  return `WEBVTT\n\n${blocks.join("\n")}`;
}

function stamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 23);
}

/** Updates the times of a transcript that has any. */
export async function writeTimes(path: string, paragraphs: Paragraph[]): Promise<void> {
  let index = 0;
  const text = await readFile(path, "utf8");
  const timed = text.replace(/^\*\*\d+:\d\d\*\*/gm, () => {
    const start = Math.floor(paragraphs[index]?.start ?? 0);
    index += 1;
    return `**${Math.floor(start / 60)}:${String(start % 60).padStart(2, "0")}**`;
  });
  await writeFile(path, timed);
}

/** The first sentence that fits on a card, else the shortest. */
export function chooseLine(sentences: string[]): string {
  const fitting = sentences.find(({ length }) => length >= CARD_MIN_LENGTH && length <= CARD_MAX_LENGTH);
  return fitting ?? sentences.toSorted((a, b) => a.length - b.length)[0] ?? "";
}
