import { expect, test } from "vitest";

import { article, setting } from "../../../tests/helpers/article-source.ts";
import { countWork } from "../../../tests/helpers/count-work.ts";
import { takeEvery } from "../../../tests/helpers/many-cases.ts";
import { toEntry } from "../../adapters/wordpress/entry.ts";
import { cutCharacters, cutWords, toNewCard, toSearchCard } from "./cards.ts";
import { listBlocks, numberBlocks, prepareItem } from "./item.ts";
import { toText } from "./html-text.ts";
import { sanitiseBody } from "./sanitise.ts";
import { sourceItemSchema } from "./source.ts";

const LENGTH = 10_000;
/** All readers together take 50 to 250 steps a character; quadratic work would exceed this. */
const MOST_PER_CHARACTER = 500;

const long = (piece: string, end = "") => piece.repeat(Math.ceil(LENGTH / piece.length)) + end;

const hostile: [name: string, text: string][] = [
  ["summaries without an end", long("<summary>")],
  ["footnotes without an end", long("<sup><a ")],
  ["closed links in footnotes without an end", long("<sup><a >")],
  ["nested elements", long("<div>")],
  ["nested elements with their ends", "<div>".repeat(900) + "</div>".repeat(900)],
  ["ends of other elements in deep ones", "<span>".repeat(400) + long("</div>")],
  ["paragraphs without an end", long("<p>x")],
  ["headings without an end", long("<h2>x</h3>")],
  ["tables without an end", long("<table ")],
  ["pictures without an end", long("<img ")],
  ["pictures with half a quote each", long('<img src="')],
  ["pictures with quotes within quotes", long(`<img alt="'`)],
  ["frames without an end", long('<iframe src="https://www.youtube.com/embed/M7lc1UVf-VE">')],
  ["attributes", `<p ${Array.from({ length: LENGTH / 4 }, (_, index) => `a${index}`).join(" ")}>`],
  ["comments without an end", long("<!--")],
  ["scripts without an end", long("<script>")],
  ["raw texts without an end", long("<noscript></noscript")],
  ["references to characters", long("&#0000039")],
  ["brackets", long("<")],
  ["spaces", long(" ", "x")],
  ["full stops", long(".", "x")],
  ["commas in an address list", `<img srcset="${long(", ", "x")}">`],
  ["links to this site", long('<a href="/a-worry-list/?p=1#x">a</a>')],
  ["a link with strokes", `<a href="https://cms.example${long("/", "x")}">a</a>`],
  ["a link with many parameters", `<a href="?p=1${long("&p=1")}">a</a>`],
  ["players", long('<audio src="media/a.mp3"></audio>')],
  ["players without an end", long("<audio>")],
  ["sources without an end", "<video>" + long('<source src="//a">')],
  ["nested figures with captions", "<figure><figcaption>a</figcaption>".repeat(300)],
  ["forms without an end", long("<form><label>")],
  ["drawings in drawings", long("<svg>")],
  ["shortcodes", long("[a_b c=d]")],
  ["shortcodes without an end", long("[a b=")],
  ["addresses by themselves", long("<div>https://a</div>")],
  ["a very long address by itself", `<div>${long(" ")}https://${long("a")}</div>`],
  [
    "frames of many hosts",
    Array.from({ length: LENGTH / 40 }, (_, at) => `<iframe src="https://h${at}.example/">`).join("</iframe>"),
  ],
  ["one word", long("e")],
  ["apostrophes", long("e'")],
];

const sanitise = (html: string) =>
  sanitiseBody(html, {
    basePath: "/",
    base: "https://cms.example/",
    links: { targets: new Map(), lookedUp: new Set() },
  });

const readers: ((text: string) => unknown)[] = [
  toText,
  (text) => sanitise(text),
  (text) => listBlocks(numberBlocks(sanitise(text))),
  (text) => cutWords(`${text} a b c`, 2),
  (text) => cutCharacters(text, 350),
];

/** A refusal is an answer too; a slow one is none. */
function tryTo(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!/nested more than|is too long|date cannot be read/.test(String(error))) throw error;
  }
}

test.each(hostile)("reading %s costs no more than its length allows", (_, text) => {
  const most = MOST_PER_CHARACTER * text.length;
  const steps = countWork(() => {
    for (const read of readers) tryTo(() => read(text));
  }, most);
  expect(steps).toBeLessThan(most);
});

const fields: [field: string, fill: (text: string) => object][] = [
  ["title", (rendered) => ({ title: { rendered } })],
  ["content", (rendered) => ({ content: { rendered, protected: false } })],
  ["date", (date) => ({ date })],
  ["universal date", (date_gmt) => ({ date_gmt })],
  ["author", (name) => ({ _embedded: { author: [{ name }] } })],
  ["topics", (name) => ({ _embedded: { "wp:term": [[], Array.from({ length: 50 }, () => ({ name }))] } })],
  ["cover", (source_url) => ({ _embedded: { "wp:featuredmedia": [{ source_url, alt_text: source_url }] } })],
  ["film", (url) => ({ acf: { youtube_url: url, vimeo_url: url, video_url: url, video_network: url } })],
  ["recording", (url) => ({ acf: { audio_url: url, m4a_url: url } })],
  ["orientation", (orientation) => ({ acf: { youtube_url: "https://youtu.be/M7lc1UVf-VE", orientation } })],
  ["transcript", (transcript) => ({ acf: { transcript } })],
];

const origin = { type: "posts", base: new URL("https://cms.example/"), place: 1 } as const;

test.each(fields)("items with a hostile %s cost no more than their length allows", (_, fill) => {
  const sources = takeEvery(3, hostile).map(([, text]) => Object.assign({}, article, fill(text)));
  const most = MOST_PER_CHARACTER * JSON.stringify(sources).length;
  const steps = countWork(() => {
    for (const source of sources) tryTo(() => toCards(source));
  }, most);
  expect(steps).toBeLessThan(most);
});

function toCards(source: object): unknown {
  const parsed = sourceItemSchema.parse(toEntry(source, origin).readItem());
  const { item } = prepareItem(parsed, setting, { site: origin.base.href });
  return [toSearchCard(item), toNewCard(item)];
}
