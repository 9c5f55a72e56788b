import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { type FakeUpload, makeVideos, ORIGIN } from "../../../tests/fakes/wordpress-items.ts";
import { type ContentHouse, openContentHouse } from "../../../tests/helpers/content-house.ts";
import { DAY_IN_MS, MINUTE_IN_MS } from "../../clock.ts";
import { nameOfAddress } from "../../content/drawn-pictures.ts";
import type { ContentSource, Media } from "../../content/source.ts";

const uploads = `${ORIGIN}/wp-content/uploads`;

/** One video with a cover, a picture in its text and a film, on this WordPress. */
async function openPictureHouse(): Promise<ContentHouse & { name: (file: string) => string }> {
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
  const house = await openContentHouse({ content: { lists: { videos, posts: [], tutorials: [] }, uploads: files } });
  await house.catalogue.refresh();
  const ending = (file: string) => (file.endsWith(".mp4") ? "mp4" : "webp");
  const name = (file: string) => nameOfAddress(`${house.cms.url}/wp-content/uploads/${file}`, ending(file));
  return Object.assign(house, { name });
}

async function need(source: ContentSource, name: string, width?: number): Promise<Media> {
  const media = await source.findMedia(name, width);
  if (!media || media === "away") throw new Error(`${name} is ${media ?? "not there"}`);
  return media;
}

async function sizeOf({ read, sizeInBytes }: Media) {
  const { format, width, height } = await sharp(await read(0, sizeInBytes - 1)).metadata();
  return { format, width, height };
}

const uploadRequests = ({ cms }: ContentHouse) => cms.requests.filter(({ path }) => path.includes("/uploads/"));

describe("pictures", () => {
  test("those of this WordPress have our addresses, the largest of each, and those elsewhere are gone", async () => {
    await using house = await openPictureHouse();
    const item = house.catalogue.findItem("watch", 1000);
    expect(item?.picture).toEqual({
      src: `/media/${house.name("cover.jpg")}`,
      alt: "",
      width: 1200,
      height: 900,
      widths: [400, 800, 1600],
    });
    const sources = [...(item?.bodyHtml ?? "").matchAll(/ src="([^"]*)"/g)].map(([, src]) => src);
    expect(sources).toEqual([`/media/${house.name("in-text.jpg")}`, `/media/${house.name("page.jpg")}`]);
    expect(item?.bodyHtml).toContain(`srcset="/media/${house.name("in-text.jpg")}?w=400 400w, `);
    expect(item?.bodyHtml).not.toContain("elsewhere.example");
    expect(JSON.stringify(item)).not.toContain(house.cms.url);
  });

  test("come as WebP in the width that fits, never larger than they are", async () => {
    await using house = await openPictureHouse();
    const name = house.name("cover.jpg");
    const widths = [
      [1, 400],
      [400, 400],
      [401, 800],
      [undefined, 800],
      [1600, 1200],
      [99_999, 1200],
    ] as const;
    for (const [asked, width] of widths) {
      const media = await need(house.source, name, asked);
      expect(media.contentType).toBe("image/webp");
      expect(await sizeOf(media)).toEqual({ format: "webp", width, height: (width * 3) / 4 });
    }
  });

  test("are fetched and drawn once, however many ask at once, and by none who starts later", async () => {
    await using house = await openPictureHouse();
    const name = house.name("cover.jpg");
    await Promise.all(Array.from({ length: 20 }, () => need(house.source, name, 400)));
    expect(uploadRequests(house).length).toBe(1);
    const next = house.restart();
    await next.catalogue.open();
    await need(next.source, name, 400);
    expect(uploadRequests(house).length).toBe(1);
    expect(uploadRequests(house)[0]?.authorisation).toBeUndefined();
  });

  test("that no item shows cannot be asked for, whatever lies on the CMS", async () => {
    await using house = await openPictureHouse();
    const names = [
      house.name("private.jpg"),
      "cover.jpg",
      "../standing.json",
      `${"0".repeat(32)}.webp`,
      house.name("cover.jpg").replace(".webp", ""),
    ];
    for (const name of names) expect(await house.source.findMedia(name)).toBeUndefined();
    expect(uploadRequests(house)).toEqual([]);

    house.clock.advance(MINUTE_IN_MS);
    house.cms.save("videos", { id: 1000, _embedded: {}, content: { rendered: "", protected: false } });
    await need(house.source, house.name("cover.jpg"), 400);
    await house.catalogue.refresh();
    expect(await house.source.findMedia(house.name("cover.jpg"), 400)).toBeUndefined();
  });

  test("that are none are not asked for again and again", async () => {
    await using house = await openPictureHouse();
    for (let count = 0; count < 5; count++)
      expect(await house.source.findMedia(house.name("page.jpg"))).toBeUndefined();
    expect(uploadRequests(house).length).toBe(1);
    expect(house.cms.requests.every(({ path }) => path.startsWith("/wp-"))).toBe(true);
  });

  test("of a CMS that is down come from disk, another width if need be; others are said to be away, at once after a few", async () => {
    await using house = await openPictureHouse();
    await need(house.source, house.name("cover.jpg"), 400);
    house.cms.trouble = { kind: "slow", on: "uploads" };
    expect(await sizeOf(await need(house.source, house.name("cover.jpg"), 400))).toMatchObject({ width: 400 });
    expect(await sizeOf(await need(house.source, house.name("cover.jpg"), 1600))).toMatchObject({ width: 400 });
    expect(await house.source.findMedia(house.name("in-text.jpg"))).toBe("away");
    const asked = uploadRequests(house).length;
    expect(await house.source.findMedia(house.name("in-text.jpg"))).toBe("away");
    expect(await house.source.findMedia(house.name("page.jpg"))).toBe("away");
    expect(uploadRequests(house).length).toBe(asked);

    house.cms.trouble = undefined;
    house.clock.advance(MINUTE_IN_MS);
    await need(house.source, house.name("in-text.jpg"));
  });

  test.each(["500", "reset", "half", "garbage", "html", "huge", "endless", "redirect-away"] as const)(
    "are none or away when the answer is “%s”, and never anything else",
    async (kind) => {
      await using house = await openPictureHouse();
      house.cms.trouble = { kind, on: "uploads" };
      expect(["away", undefined]).toContain(await house.source.findMedia(house.name("cover.jpg")));
      expect(await readdir(join(house.folder, "pictures")).catch(() => [])).toEqual([]);
    },
  );

  test("are fetched again after a week, for whoever put another in the place", async () => {
    await using house = await openPictureHouse();
    await need(house.source, house.name("cover.jpg"), 400);
    house.clock.advance(8 * DAY_IN_MS);
    await need(house.source, house.name("cover.jpg"), 400);
    expect(uploadRequests(house).length).toBe(2);
    house.clock.advance(8 * DAY_IN_MS);
    house.cms.trouble = { kind: "500", on: "uploads" };
    await need(house.source, house.name("cover.jpg"), 400);
  });
});

describe("films", () => {
  test("of this WordPress come through us, part by part", async () => {
    await using house = await openPictureHouse();
    const name = house.name("film.mp4");
    expect(house.catalogue.findItem("watch", 1000)?.video).toMatchObject({ kind: "file", src: `/media/${name}` });
    const film = await need(house.source, name);
    expect(film).toMatchObject({ contentType: "video/mp4", sizeInBytes: 3_000_000, partMaxBytes: 1_000_000 });
    expect(Buffer.from(await film.read(1, 6)).toString()).toBe("ilmfil");
    expect((await film.read(2_000_000, 2_999_999)).byteLength).toBe(1_000_000);
    await expect(film.read(0, 1_500_000)).rejects.toThrow("more than");
  });

  test("are away when the CMS is", async () => {
    await using house = await openPictureHouse();
    house.cms.trouble = { kind: "reset", on: "uploads" };
    expect(await house.source.findMedia(house.name("film.mp4"))).toBe("away");
  });

  test("that change while somebody watches are not mixed", async () => {
    await using house = await openPictureHouse();
    const film = await need(house.source, house.name("film.mp4"));
    house.cms.content.uploads.set("film.mp4", { bytes: Buffer.alloc(5000, "other"), contentType: "video/mp4" });
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

  async function openTextHouse(rendered: string, files: string[] = []) {
    const [video] = makeVideos(1);
    const uploaded = files.map((file): [string, FakeUpload] => [
      file,
      { bytes: Buffer.alloc(2_000_000, file), contentType: "application/octet-stream" },
    ]);
    const content = {
      lists: { videos: [{ ...video!, content: { rendered, protected: false } }], posts: [], tutorials: [] },
      uploads: new Map(uploaded),
    };
    const house = await openContentHouse({ content });
    await house.catalogue.refresh();
    return Object.assign(house, { html: house.catalogue.findItem("watch", 1000)?.bodyHtml ?? "" });
  }

  test.each(kinds)("get %s of this WordPress through us, part by part, as %s", async (file, type, ending) => {
    const [stored = ""] = file.split("?");
    await using house = await openTextHouse(`<audio controls src="${uploads}/${file}"></audio>`, [stored]);
    const [, name = ""] = /src="\/media\/([\da-f]{32}\.\w+)"/.exec(house.html) ?? [];
    expect(name).toBe(nameOfAddress(`${house.cms.url}/wp-content/uploads/${file}`, ending));
    const media = await need(house.source, name);
    expect(media).toMatchObject({ contentType: type, sizeInBytes: 2_000_000, partMaxBytes: 1_000_000 });
    expect(Buffer.from(await media.read(stored.length, 2 * stored.length - 1)).toString()).toBe(stored);
    expect(uploadRequests(house)[0]?.authorisation).toBeUndefined();
    expect(house.catalogue.status().losses).toEqual([]);
  });

  test("with a poster, captions and a second format, wherever they are written relative to the site", async () => {
    await using house = await openTextHouse(
      `<video poster='/wp-content/uploads/still.jpg'><source src=/wp-content/uploads/a.mp4 type="video/mp4">
        <source src="${uploads}/a.webm"><track src="/wp-content/uploads/a.vtt" srclang="en"></video>`,
    );
    const names = [...house.html.matchAll(/="\/media\/[\da-f]{32}\.(\w+)"/g)].map(([, ending]) => ending);
    expect(new Set(names)).toEqual(new Set(["mp4", "vtt", "webm", "webp"]));
    expect(house.html).not.toContain(house.cms.url);
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
    await using house = await openTextHouse(`<p>Words</p><figure><audio controls src="${src}"></audio></figure>`);
    expect(house.html).not.toContain("<audio");
    expect(house.html).not.toContain("/media/");
    expect(house.catalogue.status().losses).toMatchObject([{ id: 1000, losses: [{ what: "audio", count: 1 }] }]);
    expect(uploadRequests(house)).toEqual([]);
  });

  test("are not there when the CMS answers with a page in place of the file", async () => {
    await using house = await openTextHouse(`<audio src="${uploads}/a.mp3"></audio>`);
    house.cms.content.uploads.set("a.mp3", { bytes: Buffer.from("<!doctype html>"), contentType: "text/html" });
    expect(await house.source.findMedia(nameOfAddress(`${house.cms.url}/wp-content/uploads/a.mp3`, "mp3"))).toBe(
      undefined,
    );
  });

  test("are there after a restart without the CMS", async () => {
    await using house = await openTextHouse(`<audio src="${uploads}/a.mp3"></audio><a href="/?p=1000">a</a>`);
    house.cms.trouble = { kind: "reset" };
    const next = house.restart();
    await next.catalogue.open();
    expect(next.catalogue.findItem("watch", 1000)?.bodyHtml).toBe(house.html);
    expect(house.html).toContain('<a href="/?view=watch&amp;item=1000">');
  });
});
