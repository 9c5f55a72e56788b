import { expect, test } from "vitest";

import { article, setting } from "../../../tests/helpers/article-source.ts";
import { createFixedContent } from "../../../tests/helpers/fixed-content.ts";
import { createQuietLog } from "../../../tests/helpers/quiet-log.ts";
import { createCatalogue } from "./catalogue.ts";

const step = (id: number, order?: number) => ({
  ...article,
  id,
  link: `https://cms.example/${id}/`,
  title: { rendered: `Step ${id}` },
  acf: { start_here_order: order, start_here_why: `Why ${id}` },
  _embedded: { "wp:term": [[], [{ name: "Start here: Snow" }]] },
});

async function openCatalogue(items: unknown[]) {
  const catalogue = createCatalogue({
    source: createFixedContent(items),
    setting,
    log: createQuietLog(),
    cardsPerPage: 24,
  });
  await catalogue.refresh();
  return catalogue;
}

test("the steps go by their numbers, those without one last, and a guide has eight at most", async () => {
  const catalogue = await openCatalogue([
    step(7),
    step(6),
    step(1, 3),
    step(2, 1),
    step(3, 2),
    step(10),
    step(9),
    step(8, 0),
    step(4, 4),
  ]);
  const guide = catalogue.findGuide("snow");
  expect(guide?.steps.map(({ id }) => id)).toEqual([8, 2, 3, 1, 4, 6, 7, 9]);
  expect(guide?.steps[0]).toMatchObject({ kind: "read", title: "Step 8", why: "Why 8" });
  expect(guide?.intro).toBeUndefined();
});

test("nights go by their numbers, seven at most, with the paragraphs that their tag says of them", async () => {
  const night = (id: number, topic: string, order?: number) => ({
    ...step(id),
    acf: { night_order: order, night_why: `Why ${id}` },
    _embedded: { "wp:term": [[], [{ name: `nights: ${topic}`, description: "First.\r\n\r\nSecond &amp; last.\n" }]] },
  });
  const eight = [8, 7, 6, 5, 4, 3, 2, 1].map((id) => night(id, "Menopause", id));
  const catalogue = await openCatalogue([...eight, night(9, "Snow"), night(10, "Can&#8217;t get to sleep")]);
  const [sleep, menopause, ...others] = catalogue.listNights();
  expect(sleep).toMatchObject({ topic: "Can't get to sleep", slug: "cant-get-to-sleep", nights: [{ id: 10 }] });
  expect(menopause?.nights.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(menopause?.nights[0]).toMatchObject({ kind: "read", title: "Step 1", why: "Why 1" });
  expect(menopause?.intro).toEqual(["First.", "Second & last."]);
  expect(others).toEqual([]);
});

test("an article of Awake now is in no list, and search and what links to it lead there", async () => {
  const piece = {
    ...article,
    id: 30,
    link: "https://cms.example/snow/",
    title: { rendered: "Snow on a lane" },
    _embedded: { "wp:term": [[], [{ name: "Awake now" }]] },
  };
  const other = { ...article, content: { rendered: '<p><a href="https://cms.example/snow/">Snow</a></p>' } };
  const catalogue = await openCatalogue([piece, other]);
  expect(catalogue.listAwake().map(({ id }) => id)).toEqual([30]);
  expect(catalogue.findItem("read", 30)).toBeUndefined();
  expect(catalogue.status().counts.read).toBe(1);
  const { counts, list } = catalogue.search({ term: "lane", order: "best" });
  expect(counts.read).toBe(1);
  expect(list("read")).toMatchObject([{ id: 30, path: "awake?piece=read-30" }]);
  expect(catalogue.findItem("read", 25)?.readTexts().bodyHtml).toContain('href="/dashboard/awake?piece=read-30"');
  expect(catalogue.listFeatured().map(({ id }) => id)).toEqual([25]);
});

test("an article that gets the tag leaves the lists at the next refresh, and comes back without it", async () => {
  const items: unknown[] = [{ ...article, sticky: false }];
  const tagged = [{ ...article, sticky: false, _embedded: { "wp:term": [[], [{ name: "Awake now" }]] } }];
  let now = items;
  const source = { ...createFixedContent(), listItems: async () => now };
  const catalogue = createCatalogue({ source, setting, log: createQuietLog(), cardsPerPage: 24 });
  const look = async (next: unknown[]) => {
    now = next;
    await catalogue.refresh();
    return [catalogue.findPage("read", 1)?.cards.length, catalogue.listAwake().length];
  };
  expect(await look(items)).toEqual([1, 0]);
  expect(await look(tagged)).toEqual([0, 1]);
  expect(await look([...items])).toEqual([1, 0]);
});

test("a guide has the recordings of its topic beside its steps, then those of Awake now, eight at most", async () => {
  const recording = (id: number, terms: string[]) => ({
    ...article,
    id,
    type: "videos",
    title: { rendered: `Recording ${id}` },
    acf: { audio_url: "media/rain.opus" },
    _embedded: { "wp:term": [[], terms.map((name) => ({ name }))] },
  });
  const many = [11, 10, 9, 8, 7, 6, 5, 4, 3].map((id) => recording(id, ["SNOW"]));
  const catalogue = await openCatalogue([
    step(1, 1),
    ...many,
    recording(20, ["Rain"]),
    recording(21, ["Start here: Snow"]),
  ]);
  const guide = catalogue.findGuide("Snow");
  expect(guide?.steps.map(({ id }) => id)).toEqual([1, 21]);
  expect(guide?.recordings.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  const night = [recording(2, ["Rain", "Awake now"]), recording(30, ["Awake now"]), recording(31, ["Rain"])];
  const mixed = await openCatalogue([step(1, 1), recording(9, ["Snow"]), ...night]);
  expect(mixed.findGuide("Snow")?.recordings.map(({ id }) => id)).toEqual([9, 2, 30]);
});
