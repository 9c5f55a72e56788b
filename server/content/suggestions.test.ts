import { expect, test } from "vitest";

import { nearestTopics, suggestTopics, topics } from "./suggestions.ts";

const suggest = (typed: string) => suggestTopics(typed, topics);

test.each([
  ["snor", "Snoring"],
  ["SNOR", "Snoring"],
  ["snorring", "Snoring"],
  ["menopuase", "Menopause"],
  ["insomina", "Insomnia"],
  ["melatonine", "Melatonin"],
  ["sleep apnoea", "Sleep Apnea"],
  ["aponea", "Sleep Apnea"],
  ["apnea", "Sleep Apnea"],
  ["can’t", "Can't Get to Sleep"],
  ["cant sl", "Can't Sleep"],
  ["tod", "Toddlers"],
  ["men\u00ado\u200bp", "Menopause"],
  ["ｓｎｏｒ", "Snoring"],
  ["lag", "Jet Lag"],
  ["jet  lag ", "Jet Lag"],
])("typing %j suggests %s first", (typed, topic) => {
  expect(suggest(typed)[0]).toBe(topic);
});

test("how a topic begins goes before how a word in it does, and that before what is within", () => {
  const list = ["Bright Light", "Daylight", "Light Sleep"];
  expect(suggestTopics("light", list)).toEqual(["Light Sleep", "Bright Light", "Daylight"]);
});

test("one letter offers a few that most people look for, and a word more like it none that only sounds so", () => {
  expect(suggest("s")).toEqual(["Shift Work", "Sleep Apnea", "Snoring", "Stress"]);
  expect(suggest("rain")).not.toContain("Back Pain");
  expect(suggest("hartburn")[0]).toBe("Heartburn");
});

test("at most eight are suggested, and none for nothing", () => {
  expect(suggest("sle")).toHaveLength(8);
  for (const typed of ["", "  ", "🌙", "[$^]", "\ud800", "x".repeat(10_000), "__proto__"]) {
    expect(suggest(typed)).toEqual([]);
  }
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
])("near %j there are three to six topics, each once", (term) => {
  const near = nearestTopics(term, topics);
  expect(near.length).toBeGreaterThanOrEqual(3);
  expect(near.length).toBeLessThanOrEqual(6);
  expect(new Set(near).size).toBe(near.length);
  for (const topic of near) expect(topics).toContain(topic);
});

test("the nearest topics are near", () => {
  expect(nearestTopics("zzzz snoring", topics)[0]).toBe("Snoring");
  expect(nearestTopics("menopuase blues", topics)[0]).toBe("Menopause");
});

test("about a hundred topics, in order, each once, and those that members expect", () => {
  expect(topics.length).toBeGreaterThanOrEqual(95);
  expect(topics).toEqual(topics.toSorted((a, b) => a.localeCompare(b, "en")));
  expect(new Set(topics).size).toBe(topics.length);
  const named = "Sleep Apnea, Insomnia, Snoring, CPAP, Melatonin, Jet Lag, Menopause, Toddlers, Family".split(", ");
  expect(topics).toEqual(expect.arrayContaining(named));
});
