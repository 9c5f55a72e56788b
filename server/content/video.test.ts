import { expect, test } from "vitest";

import { findVideo, parseVideoAddress } from "./video.ts";

const youtube = { kind: "youtube", src: "https://www.youtube-nocookie.com/embed/M7lc1UVf-VE" };
const vimeo = { kind: "vimeo", src: "https://player.vimeo.com/video/76979871?dnt=1" };

test.each([
  ["https://www.youtube.com/watch?v=M7lc1UVf-VE", youtube],
  ["https://m.youtube.com/watch?t=4&v=M7lc1UVf-VE", youtube],
  ["https://youtu.be/M7lc1UVf-VE?si=abc", youtube],
  ["https://www.youtube.com/shorts/M7lc1UVf-VE", youtube],
  ["https://www.youtube-nocookie.com/embed/M7lc1UVf-VE", youtube],
  [" https://vimeo.com/76979871 ", vimeo],
  ["https://player.vimeo.com/video/76979871", vimeo],
  ["https://vimeo.com/123/abcdef", { kind: "vimeo", src: "https://player.vimeo.com/video/123?h=abcdef&dnt=1" }],
  [
    "https://player.vimeo.com/video/123?h=abcdef",
    { kind: "vimeo", src: "https://player.vimeo.com/video/123?h=abcdef&dnt=1" },
  ],
  ["media/breathe.mp4", { kind: "file", src: "media/breathe.mp4" }],
  ["https://videos.example.org/watch/9", { kind: "elsewhere", src: "https://videos.example.org/watch/9" }],
])("%s is played from where it is", (address, place) => expect(parseVideoAddress(address)).toEqual(place));

test.each([
  "",
  "not a url",
  "javascript:alert(1)",
  "data:text/html,hi",
  "http://videos.example.org/plain-http",
  'https://www.youtube.com/watch?v="><script>',
  "https://vimeo.com/about",
  "media/../../etc/passwd",
])("%j is no video", (address) => expect(parseVideoAddress(address)).toBeUndefined());

test("the network decides between two addresses", () => {
  const fields = { youtube_url: "https://youtu.be/M7lc1UVf-VE", vimeo_url: "https://vimeo.com/76979871" };
  expect(findVideo({ ...fields, video_network: "Vimeo" })).toMatchObject(vimeo);
  expect(findVideo({ ...fields, video_network: "anything" })).toMatchObject(youtube);
});

test("a broken address gives way to one that plays, and a playable one goes before a link", () => {
  expect(
    findVideo({ video_network: "vimeo", vimeo_url: "oops", youtube_url: "https://youtu.be/M7lc1UVf-VE" }),
  ).toMatchObject(youtube);
  expect(
    findVideo({ video_url: "https://videos.example.org/1", vimeo_url: "https://vimeo.com/76979871" }),
  ).toMatchObject(vimeo);
});

test("a film of ours brings its second format and its captions, and nothing from elsewhere", () => {
  const film = { video_url: "media/a.mp4", webm_url: "media/a.webm", captions_url: "media/a.vtt" };
  expect(findVideo(film)).toMatchObject({ src: "media/a.mp4", webm: "media/a.webm", captions: "media/a.vtt" });
  expect(findVideo({ ...film, webm_url: "https://cms.example/a.webm", captions_url: "media/../a.vtt" })).toEqual({
    kind: "file",
    src: "media/a.mp4",
    orientation: "landscape",
  });
  expect(findVideo({ ...film, video_url: "https://vimeo.com/76979871" })).not.toHaveProperty("captions");
});

test("a film says how long it takes where the fields do", () => {
  expect(findVideo({ video_url: "media/a.mp4", video_duration: 96 })).toMatchObject({ durationInSeconds: 96 });
  expect(findVideo({ video_url: "media/a.mp4" })).not.toHaveProperty("durationInSeconds");
});

test("no custom fields, no video; no orientation, landscape", () => {
  expect(findVideo(undefined)).toBeUndefined();
  expect(findVideo({})).toBeUndefined();
  expect(findVideo({ video_url: "media/a.mp4" })).toMatchObject({ orientation: "landscape" });
  expect(findVideo({ video_url: "media/a.mp4", orientation: "Portrait" })).toMatchObject({ orientation: "portrait" });
});
