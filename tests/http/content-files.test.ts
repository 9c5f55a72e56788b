import sharp from "sharp";
import { expect, test } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { makeVideos, ORIGIN, type FakeUpload } from "../fakes/wordpress-items.ts";
import { ada, logIn } from "../helpers/account-page.ts";
import { openContentApp } from "../helpers/content-app.ts";
import { openSite } from "../helpers/site.ts";

const uploads = `${ORIGIN}/wp-content/uploads`;

/** A WordPress's videos, each with a cover and one with a film. */
async function openCmsSite() {
  const picture = await sharp({ create: { width: 1600, height: 900, channels: 3, background: "#214" } })
    .jpeg()
    .toBuffer();
  const files = new Map<string, FakeUpload>([
    ["film.mp4", { bytes: Buffer.alloc(2_500_000, "film"), contentType: "video/mp4" }],
    ["rain.mp3", { bytes: Buffer.alloc(1_500_000, "rain"), contentType: "audio/mpeg" }],
    ["film.vtt", { bytes: Buffer.from("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n"), contentType: "text/vtt" }],
    ["cover.jpg", { bytes: picture, contentType: "image/jpeg" }],
  ]);
  const cover = {
    source_url: `${uploads}/cover.jpg`,
    alt_text: "A cover",
    media_details: { width: 1600, height: 900 },
  };
  const videos = makeVideos(30);
  for (const video of videos) {
    video["acf"] = { video_url: `${uploads}/film.mp4`, captions_url: `${uploads}/film.vtt` };
    video["content"] = {
      rendered: `<p>Text</p><img src="${uploads}/cover.jpg" alt="In the text"><audio src="${uploads}/rain.mp3"></audio>`,
      protected: false,
    };
    video._embedded = { "wp:featuredmedia": [cover] };
  }
  const app = await openContentApp({ content: { lists: { videos, posts: [], tutorials: [] }, uploads: files } });
  const site = await openSite({}, { content: app.source });
  await site.services.catalogue.refresh();
  const browser = await logIn(site, ada);
  const dispose = async () => {
    await site[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  };
  return { app, site, browser, [Symbol.asyncDispose]: dispose };
}

test("a page names no address of the CMS, and offers each picture in the widths that are worth it", async () => {
  await using open = await openCmsSite();
  const list = (await open.browser.get("/?view=watch")).text;
  const item = (await open.browser.get("/?view=watch&item=1000&play=1")).text;
  for (const page of [list, item]) expect(page).not.toContain(new URL(open.app.cms.url).host);
  const [, offered = ""] = /srcSet="(\/media\/[\da-f]{32}\.webp[^"]*)"/i.exec(list) ?? [];
  expect(offered.match(/(?<=\?)\S+ \w+/g)).toEqual(["w=400 400w", "w=640 640w", "w=800 800w"]);
  expect(list).not.toContain("1600w");
  expect(item).toContain("?w=1600 1600w");
  expect(list).toContain('width="1600" height="900"');
});

test("pictures and films of the CMS are for active members, by widths and by parts", async () => {
  await using open = await openCmsSite();
  const { browser, site } = open;
  const page = (await browser.get("/?view=watch&item=1000&play=1")).text;
  const [picture = ""] = /\/media\/[\da-f]{32}\.webp/.exec(page) ?? [];
  const [film = ""] = /\/media\/[\da-f]{32}\.mp4/.exec(page) ?? [];

  const small = await browser.get(`${picture}?w=400`);
  expect([small.status, small.headers.get("Content-Type")]).toEqual([200, "image/webp"]);
  expect((await browser.get(film, { Range: "bytes=0-" })).headers.get("Content-Range")).toBe("bytes 0-999999/2500000");
  const part = await browser.get(film, { Range: "bytes=4-7" });
  expect([part.status, part.text]).toEqual([206, "film"]);
  expect((await browser.get(film)).status).toBe(416);
  expect((await browser.get(`/media/${"0".repeat(32)}.webp`)).status).toBe(404);

  const [captions = ""] = /\/media\/[\da-f]{32}\.vtt/.exec(page) ?? [];
  const spoken = await browser.get(captions);
  expect([spoken.status, spoken.headers.get("Content-Type")]).toEqual([200, "text/vtt; charset=utf-8"]);
  expect(spoken.text).toContain("Hello");

  const [recording = ""] = /\/media\/[\da-f]{32}\.mp3/.exec(page) ?? [];
  const heard = await browser.get(recording, { Range: "bytes=2-5" });
  expect([heard.status, heard.headers.get("Content-Type"), heard.text]).toEqual([206, "audio/mpeg", "inra"]);
  expect(heard.headers.get("Content-Range")).toBe("bytes 2-5/1500000");
  const rest = await browser.get(recording, { Range: "bytes=1000000-" });
  expect(rest.headers.get("Content-Range")).toBe("bytes 1000000-1499999/1500000");
  expect((await browser.get(recording, { Range: "bytes=1500000-" })).status).toBe(416);

  const stranger = site.openBrowser();
  for (const path of [picture, film, captions, recording]) expect((await stranger.get(path)).status).toBe(403);
});

test("a CMS that is down only affects files that were not fetched yet", async () => {
  await using open = await openCmsSite();
  const { browser, app, site } = open;
  const page = (await browser.get("/?view=watch&item=1000&play=1")).text;
  const [picture = ""] = /\/media\/[\da-f]{32}\.webp/.exec(page) ?? [];
  app.cms.trouble = { kind: "reset" };
  const away = await browser.get(picture);
  expect([away.status, away.headers.get("Cache-Control"), away.headers.get("Retry-After")]).toEqual([
    503,
    "private, max-age=60",
    "60",
  ]);
  expect((await browser.get("/?view=watch")).status).toBe(200);

  expect(await browser.get("/readyz")).toMatchObject({ status: 200, text: '{"database":true,"catalogue":true}' });
  site.clock.advance(20 * MINUTE_IN_MS);
  await site.services.catalogue.refresh();
  const ready = await browser.get("/readyz");
  expect([ready.status, JSON.parse(ready.text)]).toEqual([
    200,
    { database: true, catalogue: true, isCatalogueStale: true },
  ]);
});
