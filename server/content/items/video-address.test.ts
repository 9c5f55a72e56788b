import { expect, test } from "vitest";

import { parseVideoAddress } from "./video-address.ts";

const youtube = (more = "") => ({ kind: "youtube", src: `https://www.youtube-nocookie.com/embed/M7lc1UVf-VE${more}` });
const list = (more = "") => ({
  kind: "youtube",
  src: `https://www.youtube-nocookie.com/embed/videoseries?list=${more}`,
});
const vimeo = (more = "?dnt=1") => ({ kind: "vimeo", src: `https://player.vimeo.com/video/76979871${more}` });
const elsewhere = (src: string) => ({ kind: "elsewhere", src });

test.each([
  ["https://www.youtube.com/watch?v=M7lc1UVf-VE", youtube()],
  ["http://www.youtube.com/watch?v=M7lc1UVf-VE", youtube()],
  ["www.youtube.com/watch?v=M7lc1UVf-VE", youtube()],
  ["https://music.youtube.com/watch?v=M7lc1UVf-VE", youtube()],
  ["https://www.youtube.com/watch?app=desktop&amp;v=M7lc1UVf-VE", youtube()],
  ["https://www.youtube.com/watch?app=desktop&#038;v=M7lc1UVf-VE", youtube()],
  ["https://youtu.be/M7lc1UVf-VE?si=abc", youtube()],
  ["youtu.be/M7lc1UVf-VE/", youtube()],
  ["https://www.youtube.com/shorts/M7lc1UVf-VE", youtube()],
  ["https://www.youtube.com/live/M7lc1UVf-VE?feature=share", youtube()],
  ["https://www.youtube.com/e/M7lc1UVf-VE", youtube()],
  ["https://www.youtube.com/v/M7lc1UVf-VE&hl=en", undefined],
  ["//www.youtube.com/embed/M7lc1UVf-VE", youtube()],
  ["https://www.youtube-nocookie.com/embed/M7lc1UVf-VE", youtube()],
  ["https://www.youtube.com/attribution_link?u=%2Fwatch%3Fv%3DM7lc1UVf-VE", youtube()],
  ["https://m.youtube.com/watch?t=4&v=M7lc1UVf-VE", youtube("?start=4")],
  ["https://youtu.be/M7lc1UVf-VE?t=1m30s", youtube("?start=90")],
  ["https://youtu.be/M7lc1UVf-VE#t=1:30", youtube("?start=90")],
  ["https://www.youtube.com/embed/M7lc1UVf-VE?feature=oembed&start=30", youtube("?start=30")],
  ["https://www.youtube.com/watch?v=M7lc1UVf-VE&list=PLabc&index=2", youtube("?list=PLabc")],
  ["https://www.youtube.com/playlist?list=PLabc", list("PLabc")],
  ["https://www.youtube.com/embed/videoseries?list=PLabc&start=5", list("PLabc&start=5")],
  ["https://www.youtube.com/embed?listType=playlist&list=PLabc", list("PLabc")],
  [
    "https://www.youtube.com/embed/live_stream?channel=UCabcdefghijk",
    { kind: "youtube", src: "https://www.youtube-nocookie.com/embed/live_stream?channel=UCabcdefghijk" },
  ],
])("YouTube's %s plays with its list and its start", (address, place) =>
  expect(parseVideoAddress(address)).toEqual(place ?? expect.objectContaining({ kind: "elsewhere" })),
);

test.each([
  [" https://vimeo.com/76979871 ", vimeo()],
  ["vimeo.com/76979871", vimeo()],
  ["https://vimeo.com/channels/staffpicks/76979871", vimeo()],
  ["https://vimeo.com/channels/staffpicks#76979871", vimeo()],
  ["https://vimeo.com/groups/sleep/videos/76979871", vimeo()],
  ["https://vimeo.com/album/22/video/76979871", vimeo()],
  ["https://vimeo.com/showcase/22/video/76979871", vimeo()],
  ["https://vimeo.com/ondemand/sleep/76979871", vimeo()],
  ["https://vimeo.com/manage/videos/76979871", vimeo()],
  ["https://player.vimeo.com/video/76979871", vimeo()],
  ["//player.vimeo.com/video/76979871?title=0", vimeo()],
  ["https://vimeo.com/moogaloop.swf?clip_id=76979871", vimeo()],
  ["https://vimeo.com/76979871/abcdef", vimeo("?h=abcdef&dnt=1")],
  ["https://vimeo.com/showcase/22/video/76979871/abcdef0123", vimeo("?h=abcdef0123&dnt=1")],
  ["https://player.vimeo.com/video/76979871?h=abcdef", vimeo("?h=abcdef&dnt=1")],
  ["https://vimeo.com/76979871?share=copy#t=1m30s", vimeo("?dnt=1#t=90s")],
  ["https://vimeo.com/76979871/settings", vimeo()],
])("Vimeo's %s plays with its key and its start", (address, place) =>
  expect(parseVideoAddress(address)).toEqual(place),
);

test.each([
  "https://videos.example.org/watch/9",
  "https://www.youtube.com/clip/Ugkxabc",
  "https://www.youtube.com/@sleep",
  "https://vimeo.com/event/76979871",
  "https://vimeo.com/showcase/22",
  "https://vimeo.com/ondemand/76979871",
  "https://vimeo.com/about",
  "https://youtube.com.example.org/watch?v=M7lc1UVf-VE",
])("%s cannot be embedded, and is linked to", (address) =>
  expect(parseVideoAddress(address)).toEqual(elsewhere(address)),
);

test.each([
  ["http://vimeo.com/event/76979871", elsewhere("https://vimeo.com/event/76979871")],
  ["videos.example.org/watch/9", elsewhere("https://videos.example.org/watch/9")],
  ["media/breathe.mp4", { kind: "file", src: "media/breathe.mp4" }],
])("%s is played from where it is", (address, place) => expect(parseVideoAddress(address)).toEqual(place));

test.each([
  "",
  "not a url",
  "javascript:alert(1)",
  "data:text/html,hi",
  "http://videos.example.org/plain-http",
  "oops",
  "film.mp4",
  "https://",
  "media/../../etc/passwd",
])("%j is no video", (address) => expect(parseVideoAddress(address)).toBeUndefined());

test("an address puts nothing else into the address of a player", () => {
  const hostile = 'https://www.youtube.com/watch?v=M7lc1UVf-VE&list="><script>&start=1&autoplay=1&origin=x';
  expect(parseVideoAddress(hostile)).toEqual(youtube("?start=1"));
  expect(parseVideoAddress('https://www.youtube.com/watch?v="><script>')?.kind).toBe("elsewhere");
});
