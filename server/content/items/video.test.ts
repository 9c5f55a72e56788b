import { expect, test } from "vitest";

import type { Losses } from "./blocks.ts";
import { readFields } from "./fields.ts";
import { findVideo } from "./video.ts";

const youtube = { kind: "youtube", src: "https://www.youtube-nocookie.com/embed/M7lc1UVf-VE" };
const vimeo = { kind: "vimeo", src: "https://player.vimeo.com/video/76979871?dnt=1" };

/** Reads a source's custom fields: the film, and what is lost. */
function readSource(given: object | undefined) {
  const losses: Losses = new Map();
  const video = findVideo(readFields(given as Record<string, unknown>, losses), { host: "cms.example", losses });
  return { video, losses: [...losses.values()].map(({ what, why }) => `${what}: ${why}`) };
}

const find = (given: object | undefined) => readSource(given).video;

test("the network decides between two addresses", () => {
  const fields = { youtube_url: "https://youtu.be/M7lc1UVf-VE", vimeo_url: "https://vimeo.com/76979871" };
  expect(find({ ...fields, video_network: "Vimeo" })).toMatchObject(vimeo);
  expect(find({ ...fields, video_network: "anything" })).toMatchObject(youtube);
});

test("a broken address gives way to one that plays, and a playable one goes before a link", () => {
  expect(
    find({ video_network: "vimeo", vimeo_url: "oops", youtube_url: "https://youtu.be/M7lc1UVf-VE" }),
  ).toMatchObject(youtube);
  expect(find({ video_url: "https://videos.example.org/1", vimeo_url: "https://vimeo.com/76979871" })).toMatchObject(
    vimeo,
  );
});

test("a film of ours brings its second format and its captions, and nothing from elsewhere", () => {
  const film = { video_url: "media/a.mp4", webm_url: "media/a.webm", captions_url: "media/a.vtt" };
  expect(find(film)).toMatchObject({ src: "media/a.mp4", webm: "media/a.webm", captions: "media/a.vtt" });
  expect(find({ ...film, webm_url: "https://cms.example/a.webm", captions_url: "media/../a.vtt" })).toEqual({
    kind: "file",
    src: "media/a.mp4",
    orientation: "landscape",
  });
  expect(find({ ...film, video_url: "https://vimeo.com/76979871" })).not.toHaveProperty("captions");
});

test("a film says how long it takes where the fields do", () => {
  expect(find({ video_url: "media/a.mp4", video_duration: 96 })).toMatchObject({ durationInSeconds: 96 });
  expect(find({ video_url: "media/a.mp4" })).not.toHaveProperty("durationInSeconds");
});

test("a film is silent where its field says so", () => {
  expect(find({ video_url: "media/a.mp4", video_silent: true })).toMatchObject({ isSilent: true });
  expect(find({ video_url: "media/a.mp4" })).not.toHaveProperty("isSilent");
});

test("no custom fields, no video; no orientation, landscape", () => {
  expect(find(undefined)).toBeUndefined();
  expect(find({})).toBeUndefined();
  expect(find({ video_url: "media/a.mp4" })).toMatchObject({ orientation: "landscape" });
  expect(find({ video_url: "media/a.mp4", orientation: "Portrait" })).toMatchObject({ orientation: "portrait" });
});

test.each([
  [{ youtube_url: "oops" }, ["youtube_url: it doesn't name a file"]],
  [{ vimeo_url: "https://vimeo.com/76979871", video_url: "not a url" }, ["video_url: it doesn't name a file"]],
  [{ video_url: "http://cms.example/a.mov" }, ["video_url: its file is of a kind that we can't use here"]],
  [{ video_url: 77 }, ["video_url: the source shows no file with the number 77"]],
  [
    { video_url: { ID: 77, url: "", mime_type: "video/mp4" } },
    ["video_url: the source shows no file with the number 77"],
  ],
  [{ video_url: { title: "A film" } }, ["video_url: it has no address"]],
  [{ youtube_url: true }, ["youtube_url: it has no address"]],
  [{ captions_url: "media/a.vtt" }, ["captions_url: it belongs to a film in video_url, but there is none"]],
  [
    { video_url: "media/a.mp4", captions_url: "https://cms.example/a.srt", webm_url: "https://x.example/a.webm" },
    ["webm_url: its file is on another host, x.example", "captions_url: its file is of a kind that we can't use here"],
  ],
  [{ orientation: "square" }, ["orientation: it isn't one of landscape, portrait"]],
])("of %j operators see what is lost, by field", (given, losses) =>
  expect(readSource(given).losses).toEqual(losses.map((loss) => `field ${loss}`)),
);

test.each([
  [{ vimeo_url: 76979871 }, vimeo],
  [{ vimeo_url: "76979871" }, vimeo],
  [{ youtube_url: "M7lc1UVf-VE" }, youtube],
  [{ youtube_url: ["https://youtu.be/M7lc1UVf-VE"] }, youtube],
  [{ youtube_url: { url: "https://youtu.be/M7lc1UVf-VE", title: "Breathe", target: "" } }, youtube],
  [
    { youtube_url: '<iframe title="a" src="https://www.youtube.com/embed/M7lc1UVf-VE?feature=oembed"></iframe>' },
    youtube,
  ],
  [
    { video_url: '<p><iframe src="about:blank" data-src-cmplz="//player.vimeo.com/video/76979871"></iframe></p>' },
    vimeo,
  ],
  [{ video_url: "[embed]https://vimeo.com/76979871[/embed]" }, vimeo],
  [{ video_url: '<a href="https://vimeo.com/76979871">Watch</a>' }, vimeo],
  [
    { video_network: { value: "vimeo", label: "Vimeo" }, vimeo_url: "vimeo.com/76979871", youtube_url: "M7lc1UVf-VE" },
    vimeo,
  ],
])("%j names a film", (given, film) => {
  expect(readSource(given)).toEqual({ video: { ...film, orientation: "landscape" }, losses: [] });
});
