import type { Browser, Page } from "@playwright/test";
import { z } from "zod";

import { createBundledContent } from "../server/adapters/bundled/bundled.ts";
import { topics } from "../server/content/search/topics.ts";
import type { Beginning } from "./questions.ts";
import { visitSearch } from "./search-visit.ts";
import type { App } from "./stage.ts";

/** A topic that does not open where it is meant most, and the items that mean it, with their tabs. */
export type LostTopic = { topic: string; opened: string; isMeantThere: boolean; meant: string[] };

/**
 * Opens every topic that the search box suggests. An item means it whose title says it, less one that has it among its topics, and
 * least one that has its words there, apart from each other. A topic that only texts have is `unjudged`.
 */
export async function findLostTopics(app: App): Promise<{ lost: LostTopic[]; unjudged: string[]; empty: string[] }> {
  const library = await readLibrary();
  const lost: LostTopic[] = [];
  const unjudged: string[] = [];
  const empty: string[] = [];
  for (const topic of topics) {
    const { opened, lists, total } = await visitSearch(app, topic);
    const closest = (ids: Iterable<number>) => Math.max(0, ...[...ids].map((id) => closeness(topic, library.get(id))));
    const best = closest(library.keys());
    const there = closest(lists.get(opened) ?? []);
    if (total === 0) empty.push(topic);
    else if (best === 0) unjudged.push(topic);
    else if (there < best) {
      const meant = [...lists].flatMap(([name, ids]) =>
        ids.filter((id) => closeness(topic, library.get(id)) === best).map((id) => `${id} in ${name}`),
      );
      lost.push({ topic, opened, isMeantThere: there > 0, meant });
    }
  }
  return { lost, unjudged, empty };
}

type Names = { title: string; topics: string[] };

const itemSchema = z.object({
  id: z.int(),
  title: z.object({ rendered: z.string() }),
  _embedded: z.object({ "wp:term": z.array(z.array(z.object({ name: z.string() }))) }),
});

/** The titles and topics of the library by id, which no search has touched. */
async function readLibrary(): Promise<Map<number, Names>> {
  const items = z.array(itemSchema).parse(await createBundledContent("server/content/bundled").listItems());
  return new Map(
    items.map(({ id, title, _embedded }) => [
      id,
      {
        title: fold(title.rendered),
        topics: _embedded["wp:term"].flat().map(({ name }) => fold(name)),
      },
    ]),
  );
}

const IN_TITLE = 4;
const IN_TOPICS = 2;
const IN_WORDS = 1;
const smallWords = new Set(["and", "in", "the", "to", "too"]);

function closeness(topic: string, item: Names | undefined): number {
  if (!item) return 0;
  const phrase = fold(topic);
  const inNames =
    (item.title.includes(phrase) ? IN_TITLE : 0) + (item.topics.some((each) => each.includes(phrase)) ? IN_TOPICS : 0);
  if (inNames > 0) return inNames;
  const names = [item.title, ...item.topics].join("");
  const words = phrase.split(" ").filter((word) => word !== "" && !smallWords.has(word));
  return words.every((word) => names.includes(` ${word} `)) ? IN_WORDS : 0;
}

/** Words between spaces, without what differs between two spellings or between one and many. */
function fold(text: string): string {
  const words = text
    .toLowerCase()
    .replaceAll(/&#39;|['’]/g, "")
    .replaceAll(/&#?\w+;/g, " ")
    .replaceAll("apnoea", "apnea")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return ` ${words.map((word) => word.replace(/ies$/, "y").replace(/(?<=..)s$/, "")).join(" ")} `;
}

const FIRST_COUNT = 5;
/** Suggestions that are there appear at once; this is for a machine with much else to do. */
const PATIENCE_IN_MS = 5000;

/** A beginning, and the suggestions that it gets first. */
export type Offered = Beginning & { first: string[]; isUseful: boolean };

/** Types each beginning into the box of a page of its own, with script. */
export async function typeBeginnings(
  browser: Browser,
  { server, cookie }: App,
  beginnings: Beginning[],
): Promise<Offered[]> {
  const context = await browser.newContext();
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url: server.origin }]);
  const page = await context.newPage();
  const offered: Offered[] = [];
  for (const { typed, offer } of beginnings) {
    await page.goto(server.origin);
    await page.locator("html[data-enhanced]").waitFor();
    await page.getByRole("combobox", { name: "Search" }).fill(typed);
    offered.push({ typed, offer, ...(await awaitUseful(page, offer)) });
  }
  await context.close();
  return offered;
}

async function awaitUseful(page: Page, offer: string[]): Promise<Pick<Offered, "first" | "isUseful">> {
  const options = page.getByRole("option");
  const isOffered = (texts: string[]) =>
    texts.some((text) => offer.some((each) => text.toLowerCase().startsWith(each.toLowerCase())));
  const endsAt = performance.now() + PATIENCE_IN_MS;
  for (;;) {
    const first = (await options.allInnerTexts()).slice(0, FIRST_COUNT);
    if (isOffered(first) || performance.now() > endsAt) return { first, isUseful: isOffered(first) };
    await page.waitForTimeout(50);
  }
}
