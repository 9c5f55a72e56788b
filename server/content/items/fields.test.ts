import { expect, test } from "vitest";

import type { Losses } from "./blocks.ts";
import { type FieldName, fieldNames, findFileReference, readFields, replaceFirst } from "./fields.ts";

function read(given: Record<string, unknown>) {
  const losses: Losses = new Map();
  return { fields: readFields(given, losses), losses: [...losses.values()].map(({ what, why }) => `${what}: ${why}`) };
}

test.each([undefined, null, false, "", "  ", [], {}, [""], [null, false]])(
  "a field that is empty, as %j, is none and no loss",
  (empty) => {
    const given = Object.fromEntries(fieldNames.map((name) => [name, empty]));
    expect(read(given)).toEqual({ fields: {}, losses: [] });
  },
);

test.each(fieldNames)("a field %s that cannot be used is counted by its name", (name) => {
  const { fields, losses } = read({ [name]: { nothing: { of: "use" } } });
  expect(fields).toEqual({});
  expect(losses).toEqual([expect.stringContaining(`field ${name}: `)]);
});

const spans: [FieldName, unknown, number][] = [
  ["video_duration", 750, 750],
  ["video_duration", " 750 ", 750],
  ["video_duration", "750.5", 750.5],
  ["video_duration", "12:30", 750],
  ["audio_duration", "1:02:03", 3723],
  ["audio_duration", "00:12:30", 750],
  ["video_duration", "PT12M30S", 750],
  ["video_duration", "PT1H", 3600],
  ["video_duration", "12 min 30 s", 750],
  ["video_duration", "1 hour and 5 minutes", 3900],
  ["video_duration", "12m30s", 750],
  ["video_duration", "12′30″", 750],
  ["video_duration", { value: "12:30", label: "Half" }, 750],
  ["play_minutes", " 3 ", 3],
  ["play_minutes", "45 min", 45],
  ["play_minutes", "45:00", 45],
  ["play_minutes", "PT45M", 45],
  ["breathe_in", "4", 4],
  ["breathe_out", "5,5", 5.5],
];
test.each(spans)("%s of %j is a span of %d", (name, given, span) => {
  expect(read({ [name]: given })).toEqual({ fields: { [name]: span }, losses: [] });
});

test.each([true, 1, "1"])("a film with %j in its field is silent, and one with a zero is not", (given) => {
  expect(read({ video_silent: given }).fields).toEqual({ video_silent: true });
  for (const no of ["0", 0]) expect(read({ video_silent: no })).toEqual({ fields: {}, losses: [] });
});

test.each(["0", 0, "00:00", "PT0S"])("a span of %j says that none was given", (given) => {
  expect(read({ video_duration: given, play_minutes: given, breathe_in: given })).toEqual({ fields: {}, losses: [] });
});

test.each(["soon", "-5", -5, "12:30 pm", 90_000, "1:2", "PT", true, [{}, "x"]])(
  "a film of the length %j is counted",
  (given) => {
    expect(read({ video_duration: given })).toEqual({
      fields: {},
      losses: [expect.stringMatching(/^field video_dur/)],
    });
  },
);

const orders: [unknown, number | undefined][] = [
  ["", undefined],
  [null, undefined],
  [false, undefined],
  [[], undefined],
  ["0", 0],
  [" 3 ", 3],
  ["2.5", 2.5],
];
test.each(orders)("a step of a guide with the order %j has the place %j", (given, place) => {
  expect(read({ start_here_order: given })).toEqual({
    fields: place === undefined ? {} : { start_here_order: place },
    losses: [],
  });
});

test.each([
  "20261116",
  20261116,
  "2026-11-16",
  "2026-11-16 00:00:00",
  "2026-11-16T09:30:00+00:00",
  "2026/11/16",
  "16/11/2026",
  "16.11.2026",
  "16-11-2026",
  "16/11/2026 9:30 am",
  "11/16/2026",
  "November 16, 2026",
  "Nov 16, 2026",
  "16 November 2026",
  "16th Nov 2026",
  "Monday, 16 November 2026",
  "Monday 16th of November 2026",
  { date: "2026-11-16 00:00:00.000000", timezone_type: 3, timezone: "UTC" },
])("a review on %j was on the 16th of November", (given) => {
  expect(read({ reviewed: given })).toEqual({ fields: { reviewed: "2026-11-16" }, losses: [] });
});

test("of a day that may be two the British one is meant, which is how ACF shows days too", () => {
  expect(read({ reviewed: "05/06/2026" }).fields.reviewed).toBe("2026-06-05");
});

test.each(["2026-13-01", "31/02/2026", "soon", 7, "16/11/26", "November 2026", "0000-00-00", "M 16, 2026"])(
  "a review on %j is counted",
  (given) => expect(read({ reviewed: given })).toEqual({ fields: {}, losses: ["field reviewed: it isn't a day"] }),
);

test("of several values the first is used, and the others are counted", () => {
  expect(read({ video_url: ["media/a.mp4", "media/b.mp4", ""], orientation: ["portrait"] })).toEqual({
    fields: { video_url: "media/a.mp4", orientation: "portrait" },
    losses: ["field video_url: it holds 1 more than the one that is shown"],
  });
});

test("a transcript is a text, or is counted", () => {
  expect(read({ transcript: { rendered: "<p>a</p>" } }).fields.transcript).toBe("<p>a</p>");
  expect(read({ transcript: { url: "https://cms.example/a.txt" } }).losses).toEqual([
    "field transcript: it isn't text",
  ]);
  for (const file of [77, "77", [77]])
    expect(read({ transcript: file })).toEqual({
      fields: {},
      losses: ["field transcript: it is the number of a file, not text"],
    });
});

const page = "https://cms.example/film/";
const address = "https://cms.example/a.mp4";
test.each([
  [77, { number: 77 }],
  ["77", { number: 77 }],
  [[77, 78], { number: 77 }],
  [{ ID: 77 }, { number: 77 }],
  [{ id: "77", link: page }, { number: 77 }],
  [{ ID: 77, post_type: "attachment", guid: page }, { number: 77 }],
  [{ ID: 77, url: address, link: page, filename: "a.mp4" }, { address }],
  [[{ ID: 77, url: address }], { address }],
  [{ source_url: address }, { address }],
  [{ link: address }, { address }],
  [{ guid: { rendered: address } }, { address }],
  [{ title: "A film", url: address, target: "" }, { address }],
  [`<video controls><source src="${address}" type="video/mp4"></video>`, { address }],
  [`[video width="640" mp4="${address}"][/video]`, { address }],
  [false, undefined],
  [0, undefined],
  ["", undefined],
])("the file field %j names %j", (given, file) => expect(findFileReference(given)).toEqual(file));

test("a name of ours takes the place of the first file alone", () => {
  expect(replaceFirst(77, "media/a.mp4")).toBe("media/a.mp4");
  expect(replaceFirst([77, 78], "media/a.mp4")).toEqual(["media/a.mp4", 78]);
});
