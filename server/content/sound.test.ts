import { expect, test } from "vitest";

import { findSound } from "./sound.ts";

const rain = { audio_url: "media/rain.opus", m4a_url: "media/rain.m4a" };

test("a recording has a second format, a length and a time to play, where its fields name them", () => {
  expect(findSound({ ...rain, audio_duration: 90, play_minutes: 45 })).toEqual({
    src: "media/rain.opus",
    type: "audio/ogg; codecs=opus",
    m4a: "media/rain.m4a",
    durationInSeconds: 90,
    playMinutes: 45,
  });
  expect(findSound({ audio_url: " media/talk.mp3 " })).toEqual({ src: "media/talk.mp3", type: "audio/mpeg" });
});

test.each([
  undefined,
  {},
  { m4a_url: "media/rain.m4a" },
  { audio_url: "https://elsewhere.example/rain.mp3" },
  { audio_url: "media/../rain.mp3" },
  { audio_url: "media/rain.mp4" },
  { audio_url: "javascript:alert(1)" },
])("%j names no recording", (fields) => expect(findSound(fields)).toBeUndefined());

test("a second format that is not ours is left out", () => {
  expect(findSound({ ...rain, m4a_url: "https://elsewhere.example/rain.m4a" })).toEqual({
    src: "media/rain.opus",
    type: "audio/ogg; codecs=opus",
  });
});
