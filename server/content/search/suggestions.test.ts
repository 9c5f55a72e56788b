import { expect, test } from "vitest";

import { openLibrary } from "../../../tests/helpers/library.ts";
import { topics } from "./topics.ts";

const catalogue = await openLibrary();
const suggest = (typed: string) => catalogue.suggest(typed).map(({ label }) => label);

test.each([
  ["snroe", "Snoring"],
  ["snorring", "Snoring"],
  ["insomia", "Insomnia"],
  ["insomi", "Insomnia"],
  ["menopuase", "Menopause"],
  ["aponea", "Sleep Apnea"],
  ["anixety", "Anxiety"],
  ["nightmre", "Nightmares"],
  ["jet lga", "Jet Lag"],
  ["shfit wo", "Shift Work"],
  ["hot flsh", "Hot Flushes"],
  ["cpap maks", "CPAP Mask"],
  ["tierd", "Tiredness"],
  ["hartburn", "Heartburn"],
  ["waking ear", "Waking Too Early"],
  ["medit", "Relaxation"],
  ["overthink", "Racing Thoughts"],
  ["toliet", "Nocturia"],
  ["newbor", "Babies"],
  ["babys", "Babies"],
  ["cofe", "Coffee"],
  ["todl", "Toddlers"],
])("half a word or a misspelt one, %j, suggests %s", (typed, topic) => {
  expect(suggest(typed).slice(0, 3)).toContain(topic);
});

test.each([
  ["snroe", "Snoring: what it is, and what may help"],
  ["jet lga", "Jet lag, one day at a time"],
  ["tinnit", "Rain on a window: something quiet to look at"],
])("for %j the title of what is found is offered, and leads to it", (typed, title) => {
  const found = catalogue.suggest(typed).find(({ label }) => label === title);
  expect(found?.path).toMatch(/item=\d+$/);
});

test("what is typed right comes before what is near, and a word is not taken for one that rhymes with it", () => {
  expect(suggest("light")[0]).toBe("Light");
  expect(suggest("wory")).toEqual(expect.not.arrayContaining(["Shift Work"]));
  expect(suggest("rain")).not.toContain("Back Pain");
});

test.each(["", " ", "🌙", "\ud800", "zzzzqqqq", "x".repeat(9999)])("nothing is suggested for %j", (typed) => {
  expect(suggest(typed)).toEqual([]);
});

test.each([
  "",
  "xyzzyq",
  "🌙",
  "a",
  "sleep problems of toddlers",
  "menopuase",
  "\ud800",
  "zzzz snoring",
  "x".repeat(9999),
])("instead of %j there are three to six topics, each once", (term) => {
  const near = catalogue.suggestInstead(term);
  expect(near.length).toBeGreaterThanOrEqual(3);
  expect(near.length).toBeLessThanOrEqual(6);
  expect(new Set(near).size).toBe(near.length);
  for (const topic of near) expect(topics).toContain(topic);
});

test("the topics to try instead are near", () => {
  expect(catalogue.suggestInstead("zzzz snoring")[0]).toBe("Snoring");
  expect(catalogue.suggestInstead("menopuase blues")[0]).toBe("Menopause");
});
