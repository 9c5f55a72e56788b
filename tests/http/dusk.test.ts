import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { ada, logIn } from "../helpers/account-page.ts";
import { openSite, type Site } from "../helpers/site.ts";

const readPictures = (text: string) => text.match(/<picture>.*?<\/picture>/g) ?? [];

/** The landing's tiles, and the door's pictures. */
async function openPictures(site: Site, scheme?: string) {
  const member = await logIn(site, ada);
  const visitor = site.openBrowser();
  for (const browser of [member, visitor]) if (scheme) browser.cookies.set("dormouse-scheme", scheme);
  const pages = await Promise.all([member.get("/"), visitor.get("/signup")]);
  const [tiles = [], door = []] = pages.map(({ text }) => readPictures(text));
  expect([tiles.length, door.length]).toEqual([6, 5]);
  return [...tiles, ...door];
}

test("the chosen scheme alone decides between night and dusk", async () => {
  await using site = await openSite();
  for (const picture of await openPictures(site, "dawn")) {
    const [first = ""] = picture.match(/<(?:source|img) [^>]*>/) ?? [];
    const files = first.match(/[\w/.-]+\.(?:avif|webp)/g) ?? [];
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !file.includes("dusk"))).toEqual([]);
  }
  for (const picture of await openPictures(site, "night")) expect(picture).not.toContain("dusk");
});

test("without a choice the system's scheme decides, and night is the default", async () => {
  await using site = await openSite();
  for (const picture of await openPictures(site)) {
    const sources = picture.match(/<source [^>]*>/g) ?? [];
    const ofDusk = sources.filter((source) => source.includes('media="(prefers-color-scheme: light)"'));
    expect(ofDusk.length).toBeGreaterThan(0);
    // The first that fits is taken.
    expect(sources.slice(0, ofDusk.length)).toEqual(ofDusk);
    expect(ofDusk.every((source) => source.includes("dusk"))).toBe(true);
    expect(ofDusk.reduce((rest, source) => rest.replace(source, ""), picture)).not.toContain("dusk");
  }
});

test("each picture has its file, by night and at dusk", async () => {
  await using site = await openSite();
  const pictures = await openPictures(site);
  const files = pictures.flatMap((picture) => picture.match(/\/(?:assets|dusk)\/[\w.-]+\.(?:avif|webp)/g) ?? []);
  // Of six tiles and the scene at the door, and of the pictures of four sections.
  expect(files.length).toBe(7 * 7 + 4 * 2);
  expect(files.filter((file) => !existsSync(join("build", "client", file)))).toEqual([]);
});
