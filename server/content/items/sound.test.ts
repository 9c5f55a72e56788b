import { expect, test } from "vitest";

import type { Losses } from "./blocks.ts";
import { readFields } from "./fields.ts";
import { findSound } from "./sound.ts";

/** Reads a source's custom fields: the recording, and what is lost. */
function readSource(given: object | undefined) {
  const losses: Losses = new Map();
  const sound = findSound(readFields(given as Record<string, unknown>, losses), { host: "cms.example", losses });
  return { sound, losses: [...losses.values()].map(({ what, why }) => `${what}: ${why}`) };
}

const rain = { audio_url: "media/rain.opus", m4a_url: "media/rain.m4a" };

test("a recording has a second format, a length and a time to play, where its fields name them", () => {
  expect(readSource({ ...rain, audio_duration: 90, play_minutes: 45 }).sound).toEqual({
    src: "media/rain.opus",
    type: "audio/ogg; codecs=opus",
    m4a: "media/rain.m4a",
    durationInSeconds: 90,
    playMinutes: 45,
  });
  expect(readSource({ audio_url: " media/talk.mp3 " }).sound).toEqual({ src: "media/talk.mp3", type: "audio/mpeg" });
});

test.each([
  undefined,
  {},
  { m4a_url: "media/rain.m4a" },
  { audio_url: "https://elsewhere.example/rain.mp3" },
  { audio_url: "media/../rain.mp3" },
  { audio_url: "media/rain.mp4" },
  { audio_url: "javascript:alert(1)" },
])("%j names no recording", (fields) => expect(readSource(fields).sound).toBeUndefined());

test.each([
  [{ audio_url: "https://elsewhere.example/rain.mp3" }, "audio_url: its file is on another host, elsewhere.example"],
  [{ audio_url: "https://cms.example/rain.wma" }, "audio_url: its file is of a kind that we can't use here"],
  [{ audio_url: "oops" }, "audio_url: it doesn't name a file"],
  [{ audio_url: 55 }, "audio_url: the source shows no file with the number 55"],
  [{ m4a_url: "media/rain.m4a" }, "m4a_url: it belongs to a recording in audio_url, but there is none"],
  [{ ...rain, m4a_url: "https://elsewhere.example/a.m4a" }, "m4a_url: its file is on another host, elsewhere.example"],
])("of %j operators see: field %s", (fields, loss) => expect(readSource(fields).losses).toEqual([`field ${loss}`]));

test("a second format that is not ours is left out", () => {
  expect(readSource({ ...rain, m4a_url: "https://elsewhere.example/rain.m4a" }).sound).toEqual({
    src: "media/rain.opus",
    type: "audio/ogg; codecs=opus",
  });
});
