import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { type FakeUpload, makeRecording, makeVideos, ORIGIN } from "../../../tests/fakes/wordpress-items.ts";
import { type ContentApp, openContentApp } from "../../../tests/helpers/content-app.ts";
import { DAY_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import { nameOfAddress } from "../../content/items/pictures.ts";
import type { ContentSource, Media } from "../../content/items/source.ts";

const uploads = `${ORIGIN}/wp-content/uploads`;

async function openPictureApp(): Promise<ContentApp & { name: (file: string) => string }> {
  const colour = { r: 90, g: 60, b: 120 };
  const jpeg = await sharp({ create: { width: 1200, height: 900, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();
  const files = new Map<string, FakeUpload>([
    ["cover.jpg", { bytes: jpeg, contentType: "image/jpeg" }],
    ["in-text.jpg", { bytes: jpeg, contentType: "image/jpeg" }],
    ["film.mp4", { bytes: Buffer.alloc(3_000_000, "film"), contentType: "video/mp4" }],
    ["page.jpg", { bytes: Buffer.from("<!doctype html>"), contentType: "text/html" }],
    ["private.jpg", { bytes: jpeg, contentType: "image/jpeg" }],
  ]);
  const media = [{ source_url: `${uploads}/cover.jpg`, alt_text: "", media_details: { width: 1200, height: 900 } }];
  const body = `<p><img src="${uploads}/in-text-300.jpg" srcset="${uploads}/in-text-300.jpg 300w, ${uploads}/in-text.jpg 1200w">
    <img src="https://elsewhere.example/spy.png"><img src='/wp-content/uploads/page.jpg' alt='a > b'>
    <img src="https://elsewhere.example/x.png" srcset="https://elsewhere.example/y.png 900w"></p>`;
  const [video] = makeVideos(1);
  const videos = [
    {
      ...video!,
      content: { rendered: body, protected: false },
      acf: { video_url: `${uploads}/film.mp4` },
      _embedded: { "wp:featuredmedia": media },
    },
  ];
  const app = await openContentApp({ content: { lists: { videos, posts: [], tutorials: [] }, uploads: files } });
  await app.catalogue.refresh();
  const ending = (file: string) => (file.endsWith(".mp4") ? "mp4" : "webp");
  const name = (file: string) => nameOfAddress(`${app.cms.url}/wp-content/uploads/${file}`, ending(file));
  return Object.assign(app, { name });
}

async function need(source: ContentSource, name: string, width?: number): Promise<Media> {
  const media = await source.findMedia(name, width);
  if (!media || media === "away") throw new Error(`${name} is ${media ?? "not there"}`);
  return media;
}

async function readSize({ read, sizeInBytes }: Media) {
  const { format, width, height } = await sharp(await read(0, sizeInBytes - 1)).metadata();
  return { format, width, height };
}

const uploadRequests = ({ cms }: ContentApp) => cms.requests.filter(({ path }) => path.includes("/uploads/"));

describe("pictures", () => {
  test("of this WordPress get our addresses, the largest size of each, and those elsewhere are removed", async () => {
    await using app = await openPictureApp();
    const item = app.catalogue.findItem("watch", 1000);
    expect(item?.picture).toEqual({
      src: `/media/${app.name("cover.jpg")}`,
      alt: "",
      width: 1200,
      height: 900,
      widths: [400, 640, 800, 1600],
    });
    const sources = [...(item?.readTexts().bodyHtml ?? "").matchAll(/ src="([^"]*)"/g)].map(([, src]) => src);
    expect(sources).toEqual([`/media/${app.name("in-text.jpg")}`, `/media/${app.name("page.jpg")}`]);
    expect(item?.readTexts().bodyHtml).toContain(`srcset="/media/${app.name("in-text.jpg")}?w=400 400w, `);
    expect(item?.readTexts().bodyHtml).not.toContain("elsewhere.example");
    expect(JSON.stringify(item)).not.toContain(app.cms.url);
  });

  test("are served as WebP in the fitting width, never enlarged", async () => {
    await using app = await openPictureApp();
    const name = app.name("cover.jpg");
    const widths = [
      [1, 400],
      [400, 400],
      [401, 640],
      [641, 800],
      [undefined, 800],
      [1600, 1200],
      [99_999, 1200],
    ] as const;
    for (const [requested, width] of widths) {
      const media = await need(app.source, name, requested);
      expect(media.contentType).toBe("image/webp");
      expect(await readSize(media)).toEqual({ format: "webp", width, height: (width * 3) / 4 });
    }
  });

  test("are fetched and resized once, however many ask at once, and not again after a restart", async () => {
    await using app = await openPictureApp();
    const name = app.name("cover.jpg");
    await Promise.all(Array.from({ length: 20 }, () => need(app.source, name, 400)));
    expect(uploadRequests(app).length).toBe(1);
    const next = app.restart();
    await next.catalogue.open();
    await need(next.source, name, 400);
    expect(uploadRequests(app).length).toBe(1);
    expect(uploadRequests(app)[0]?.authorisation).toBeUndefined();
  });

  test("that no item shows cannot be asked for", async () => {
    await using app = await openPictureApp();
    const names = [
      app.name("private.jpg"),
      "cover.jpg",
      "../standing.json",
      `${"0".repeat(32)}.webp`,
      app.name("cover.jpg").replace(".webp", ""),
    ];
    for (const name of names) expect(await app.source.findMedia(name)).toBeUndefined();
    expect(uploadRequests(app)).toEqual([]);

    app.clock.advance(MINUTE_IN_MS);
    app.cms.save("videos", { id: 1000, _embedded: {}, content: { rendered: "", protected: false } });
    await need(app.source, app.name("cover.jpg"), 400);
    await app.catalogue.refresh();
    expect(await app.source.findMedia(app.name("cover.jpg"), 400)).toBeUndefined();
  });

  test("that are invalid are not asked for repeatedly", async () => {
    await using app = await openPictureApp();
    for (let count = 0; count < 5; count++) expect(await app.source.findMedia(app.name("page.jpg"))).toBeUndefined();
    expect(uploadRequests(app).length).toBe(1);
    expect(app.cms.requests.every(({ path }) => path.startsWith("/wp-"))).toBe(true);
  });

  test("of a CMS that is down come from disk, in another width if need be; others are unavailable, at once after a few", async () => {
    await using app = await openPictureApp();
    await need(app.source, app.name("cover.jpg"), 400);
    app.cms.trouble = { kind: "slow", on: "uploads" };
    expect(await readSize(await need(app.source, app.name("cover.jpg"), 400))).toMatchObject({ width: 400 });
    expect(await readSize(await need(app.source, app.name("cover.jpg"), 1600))).toMatchObject({ width: 400 });
    expect(await app.source.findMedia(app.name("in-text.jpg"))).toBe("away");
    const requestCount = uploadRequests(app).length;
    expect(await app.source.findMedia(app.name("in-text.jpg"))).toBe("away");
    expect(await app.source.findMedia(app.name("page.jpg"))).toBe("away");
    expect(uploadRequests(app).length).toBe(requestCount);

    app.cms.trouble = undefined;
    app.clock.advance(MINUTE_IN_MS);
    await need(app.source, app.name("in-text.jpg"));
  });

  test.each(["500", "reset", "half", "garbage", "html", "huge", "endless", "redirect-away"] as const)(
    "are missing or unavailable when the answer is “%s”",
    async (kind) => {
      await using app = await openPictureApp();
      app.cms.trouble = { kind, on: "uploads" };
      expect(["away", undefined]).toContain(await app.source.findMedia(app.name("cover.jpg")));
      expect(await readdir(join(app.folder, "pictures")).catch(() => [])).toEqual([]);
    },
  );

  test("are fetched again after a week, in case they were replaced", async () => {
    await using app = await openPictureApp();
    await need(app.source, app.name("cover.jpg"), 400);
    app.clock.advance(8 * DAY_IN_MS);
    await need(app.source, app.name("cover.jpg"), 400);
    expect(uploadRequests(app).length).toBe(2);
    app.clock.advance(8 * DAY_IN_MS);
    app.cms.trouble = { kind: "500", on: "uploads" };
    await need(app.source, app.name("cover.jpg"), 400);
  });
});

describe("recordings", () => {
  test("of this WordPress come through us, in both formats; those elsewhere are gone", async () => {
    const files = new Map<string, FakeUpload>([["rain.opus", makeRecording()]]);
    const [here, elsewhere] = makeVideos(2);
    const videos = [
      { ...here!, acf: { audio_url: `${uploads}/rain.opus`, m4a_url: `${uploads}/rain.m4a`, play_minutes: 45 } },
      { ...elsewhere!, acf: { audio_url: "https://elsewhere.example/rain.mp3" } },
    ];
    await using app = await openContentApp({
      content: { lists: { videos, posts: [], tutorials: [] }, uploads: files },
    });
    await app.catalogue.refresh();
    const name = (file: string, ending: string) => nameOfAddress(`${app.cms.url}/wp-content/uploads/${file}`, ending);
    const opus = name("rain.opus", "ogg");
    expect(app.catalogue.findItem("watch", 1000)?.sound).toEqual({
      src: `/media/${opus}`,
      type: "audio/ogg",
      m4a: `/media/${name("rain.m4a", "m4a")}`,
      playMinutes: 45,
    });
    expect((await need(app.source, opus)).contentType).toBe("audio/ogg");
    expect(app.catalogue.findItem("watch", 1001)?.sound).toBeUndefined();
  });
});

describe("films", () => {
  test("of this WordPress are passed on in ranges", async () => {
    await using app = await openPictureApp();
    const name = app.name("film.mp4");
    expect(app.catalogue.findItem("watch", 1000)?.video).toMatchObject({ kind: "file", src: `/media/${name}` });
    const film = await need(app.source, name);
    expect(film).toMatchObject({ contentType: "video/mp4", sizeInBytes: 3_000_000, maxRangeBytes: 1_000_000 });
    expect(Buffer.from(await film.read(1, 6)).toString()).toBe("ilmfil");
    expect((await film.read(2_000_000, 2_999_999)).byteLength).toBe(1_000_000);
    await expect(film.read(0, 1_500_000)).rejects.toThrow("more than");
  });

  test("are unavailable when the CMS is", async () => {
    await using app = await openPictureApp();
    app.cms.trouble = { kind: "reset", on: "uploads" };
    expect(await app.source.findMedia(app.name("film.mp4"))).toBe("away");
  });

  test("that change during playback are not mixed", async () => {
    await using app = await openPictureApp();
    const film = await need(app.source, app.name("film.mp4"));
    app.cms.content.uploads.set("film.mp4", { bytes: Buffer.alloc(5000, "other"), contentType: "video/mp4" });
    await expect(film.read(0, 9)).rejects.toThrow("has changed");
  });
});

describe("players in a text", () => {
  const kinds: [file: string, type: string, name: string][] = [
    ["a.mp3", "audio/mpeg", "mp3"],
    ["a.M4A", "audio/mp4", "m4a"],
    ["a.aac", "audio/aac", "aac"],
    ["a.ogg?_=1", "audio/ogg", "ogg"],
    ["a.opus", "audio/ogg", "ogg"],
    ["a.wav", "audio/wav", "wav"],
    ["a.flac", "audio/flac", "flac"],
    ["a.mp4", "video/mp4", "mp4"],
    ["a.m4v", "video/mp4", "mp4"],
    ["a.webm", "video/webm", "webm"],
  ];

  async function openTextApp(rendered: string, files: string[] = []) {
    const [video] = makeVideos(1);
    const uploaded = files.map((file): [string, FakeUpload] => [
      file,
      { bytes: Buffer.alloc(2_000_000, file), contentType: "application/octet-stream" },
    ]);
    const content = {
      lists: { videos: [{ ...video!, content: { rendered, protected: false } }], posts: [], tutorials: [] },
      uploads: new Map(uploaded),
    };
    const app = await openContentApp({ content });
    await app.catalogue.refresh();
    return Object.assign(app, { html: app.catalogue.findItem("watch", 1000)?.readTexts().bodyHtml ?? "" });
  }

  test.each(kinds)("get %s of this WordPress through us, in ranges, as %s", async (file, type, ending) => {
    const [stored = ""] = file.split("?");
    await using app = await openTextApp(`<audio controls src="${uploads}/${file}"></audio>`, [stored]);
    const [, name = ""] = /src="\/media\/([\da-f]{32}\.\w+)"/.exec(app.html) ?? [];
    expect(name).toBe(nameOfAddress(`${app.cms.url}/wp-content/uploads/${file}`, ending));
    const media = await need(app.source, name);
    expect(media).toMatchObject({ contentType: type, sizeInBytes: 2_000_000, maxRangeBytes: 1_000_000 });
    expect(Buffer.from(await media.read(stored.length, 2 * stored.length - 1)).toString()).toBe(stored);
    expect(uploadRequests(app)[0]?.authorisation).toBeUndefined();
    expect(app.catalogue.status().losses).toEqual([]);
  });

  test("with a poster, captions and a second format, wherever they are written relative to the site", async () => {
    await using app = await openTextApp(
      `<video poster='/wp-content/uploads/still.jpg'><source src=/wp-content/uploads/a.mp4 type="video/mp4">
        <source src="${uploads}/a.webm"><track src="/wp-content/uploads/a.vtt" srclang="en"></video>`,
    );
    const names = [...app.html.matchAll(/="\/media\/[\da-f]{32}\.(\w+)"/g)].map(([, ending]) => ending);
    expect(new Set(names)).toEqual(new Set(["mp4", "vtt", "webm", "webp"]));
    expect(app.html).not.toContain(app.cms.url);
  });

  test.each([
    "https://elsewhere.example/a.mp3",
    "https://127.0.0.1:1/a.mp3",
    "https://elsewhere.example/?a=127.0.0.1/a.mp3",
    "a.exe",
    "/wp-json/a.php",
    "data:audio/mpeg;base64,AA",
    "file:///etc/passwd.mp3",
  ])("never ask for %s", async (src) => {
    await using app = await openTextApp(`<p>Words</p><figure><audio controls src="${src}"></audio></figure>`);
    expect(app.html).not.toContain("<audio");
    expect(app.html).not.toContain("/media/");
    expect(app.catalogue.status().losses).toMatchObject([{ id: 1000, losses: [{ what: "audio", count: 1 }] }]);
    expect(uploadRequests(app)).toEqual([]);
  });

  test("are missing when the CMS answers with a page in place of the file", async () => {
    await using app = await openTextApp(`<audio src="${uploads}/a.mp3"></audio>`);
    app.cms.content.uploads.set("a.mp3", { bytes: Buffer.from("<!doctype html>"), contentType: "text/html" });
    expect(await app.source.findMedia(nameOfAddress(`${app.cms.url}/wp-content/uploads/a.mp3`, "mp3"))).toBe(undefined);
  });

  test("are there after a restart without the CMS", async () => {
    await using app = await openTextApp(`<audio src="${uploads}/a.mp3"></audio><a href="/?p=1000">a</a>`);
    app.cms.trouble = { kind: "reset" };
    const next = app.restart();
    await next.catalogue.open();
    expect(next.catalogue.findItem("watch", 1000)?.readTexts().bodyHtml).toBe(app.html);
    expect(app.html).toContain('<a href="/?view=watch&amp;item=1000">');
  });
});
