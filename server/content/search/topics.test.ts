import { expect, test } from "vitest";

import { completeTopics, topics } from "./topics.ts";

test.each([
  ["snor", "Snoring"],
  ["SNOR", "Snoring"],
  ["sleep apnoea", "Sleep Apnea"],
  ["apnea", "Sleep Apnea"],
  ["can’t", "Can't Get to Sleep"],
  ["cant sl", "Can't Sleep"],
  ["tod", "Toddlers"],
  ["men\u00ado\u200bp", "Menopause"],
  ["ｓｎｏｒ", "Snoring"],
  ["lag", "Jet Lag"],
  ["jet  lag ", "Jet Lag"],
])("typing %j suggests %s first", (typed, topic) => {
  expect(completeTopics(typed)[0]).toBe(topic);
});

test("how a topic begins goes before how a word in it does, and that before what is within", () => {
  const list = ["Bright Light", "Daylight", "Light Sleep"];
  expect(completeTopics("light", list)).toEqual(["Light Sleep", "Bright Light", "Daylight"]);
});

test("one letter offers a few that most people look for", () => {
  expect(completeTopics("s")).toEqual(["Shift Work", "Sleep Apnea", "Snoring", "Stress"]);
});

test("at most eight are suggested, and none for nothing", () => {
  expect(completeTopics("sle")).toHaveLength(8);
  for (const typed of ["", "  ", "🌙", "[$^]", "\ud800", "x".repeat(10_000), "__proto__"]) {
    expect(completeTopics(typed)).toEqual([]);
  }
});

test("about a hundred topics, in order, each once, and those that members expect", () => {
  expect(topics.length).toBeGreaterThanOrEqual(95);
  expect(topics).toEqual(topics.toSorted((a, b) => a.localeCompare(b, "en")));
  expect(new Set(topics).size).toBe(topics.length);
  const named = "Sleep Apnea, Insomnia, Snoring, CPAP, Melatonin, Jet Lag, Menopause, Toddlers, Family".split(", ");
  expect(topics).toEqual(expect.arrayContaining(named));
});
