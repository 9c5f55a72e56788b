import sharp from "sharp";
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";

import { makeVideos, ORIGIN, videosOnly } from "../../../tests/fakes/wordpress-items.ts";
import { openContentApp, readItems } from "../../../tests/helpers/content-app.ts";
import { MINUTE_IN_MS } from "../../platform/clock.ts";

const token = "editor:abcd efgh";
const uploads = `${ORIGIN}/wp-content/uploads`;
const ref = { kind: "watch", id: 9001 } as const;

/** A WordPress with two published videos, and one in each unpublished state. */
async function openDraftApp(options: { editor?: string } = { editor: token }) {
  const content = videosOnly(2);
  const states = ["draft", "pending", "future", "private", "trash", "auto-draft"];
  const unpublished = makeVideos(states.length, 9001);
  for (const [index, item] of unpublished.entries()) {
    item.status = states[index] ?? "";
    item.modified_gmt = `2026-11-1${index}T10:00:00`;
  }
  const cover = { source_url: `${uploads}/cover.png`, alt_text: "A cover" };
  Object.assign(unpublished[0] ?? {}, {
    acf: { video_url: `${uploads}/film.mp4` },
    _embedded: { "wp:featuredmedia": [cover] },
  });
  content.lists.videos.push(...unpublished);
  const create = { width: 8, height: 8, channels: 3 as const, background: "#214" };
  content.uploads.set("cover.png", { bytes: await sharp({ create }).png().toBuffer(), contentType: "image/png" });
  content.uploads.set("film.mp4", { bytes: Buffer.from("a film"), contentType: "video/mp4" });
  const app = await openContentApp({ content, ...options });
  const { drafts } = app.source;
  if (!drafts) throw new Error("This source has no drafts");
  const fileNames = async () => {
    const found = await drafts.find(ref);
    const [, film = ""] = /media\/(\w+\.mp4)/.exec(JSON.stringify(found)) ?? [];
    const [, picture = ""] = /media\/(\w+\.webp)/.exec(JSON.stringify(found)) ?? [];
    return { film, picture };
  };
  return { ...app, drafts, fileNames };
}

describe("an Editor's token", () => {
  test("shows what is a draft, pending or scheduled, the latest change first, and nothing else", async () => {
    await using app = await openDraftApp();
    expect(await app.drafts.list()).toEqual({
      ok: true,
      drafts: [
        expect.objectContaining({ id: 9003, state: "scheduled", changedAt: new Date("2026-11-12T10:00:00Z") }),
        expect.objectContaining({ id: 9002, state: "pending" }),
        { ...ref, title: "Video 9001", state: "draft", changedAt: new Date("2026-11-10T10:00:00Z") },
      ],
    });
    for (const id of [1000, 9004, 9005, 9006, 77])
      expect(await app.drafts.find({ kind: "watch", id })).toEqual({ ok: true, draft: undefined });
    expect(await app.drafts.find({ kind: "read", id: 9001 })).toEqual({ ok: true, draft: undefined });
    expect(await app.drafts.find(ref)).toMatchObject({
      ok: true,
      draft: {
        ...ref,
        state: "draft",
        item: { type: "videos", content: { rendered: "<p>The text of video 9001.</p>" } },
      },
    });
  });

  test("is asked once for each kind, without the texts, and says what the list leaves out", async () => {
    await using app = await openDraftApp();
    const many = makeVideos(60, 5000);
    for (const item of many) item.status = "draft";
    app.cms.content.lists.videos.push(...many);
    app.cms.requests.length = 0;
    expect(await app.drafts.list()).toMatchObject({
      drafts: { length: 50 },
      note: "This lists the latest 50 of each kind.",
    });
    expect(app.cms.requests.map(({ path }) => path.split("/").at(-1))).toEqual(["videos", "posts", "tutorials"]);
    expect(app.cms.sentItems).toBe(0);
  });

  test("is told of drafts that WordPress counts and does not show", async () => {
    await using app = await openDraftApp();
    app.cms.garbled.set(9002, null);
    expect(await app.drafts.list()).toMatchObject({
      drafts: { length: 2 },
      note: "WordPress hides 1 more from the user of CMS_TOKEN. An Editor sees them all.",
    });
  });
});

describe("a draft's files", () => {
  test("are had through it alone: the catalogue serves none of them, before and after it was looked at", async () => {
    await using app = await openDraftApp();
    await app.catalogue.refresh();
    const { film, picture } = await app.fileNames();
    const drawn = await app.drafts.findMedia(ref, picture, 400);
    if (!drawn || drawn === "away") throw new Error("The picture is not there");
    expect(drawn.contentType).toBe("image/webp");
    expect(Buffer.from(await drawn.read(0, 3)).toString()).toBe("RIFF");
    const played = await app.drafts.findMedia(ref, film);
    if (!played || played === "away") throw new Error("The film is not there");
    expect(Buffer.from(await played.read(2, 5)).toString()).toBe("film");

    await app.catalogue.refresh();
    for (const name of [film, picture]) {
      expect(await app.catalogue.findMedia(name)).toBeUndefined();
      expect(await app.drafts.findMedia({ kind: "watch", id: 1000 }, name)).toBeUndefined();
    }
    expect(await app.drafts.findMedia(ref, `${"0".repeat(32)}.webp`)).toBeUndefined();
  });

  test("are kept nowhere, and not had any more once it is gone", async () => {
    await using app = await openDraftApp();
    await app.catalogue.refresh();
    const { picture } = await app.fileNames();
    const before = await readdir(app.folder, { recursive: true });
    await app.drafts.findMedia(ref, picture);
    expect(await readdir(app.folder, { recursive: true })).toEqual(before);
    app.cms.withdraw("videos", ref.id);
    app.clock.advance(2 * MINUTE_IN_MS);
    expect(await app.drafts.findMedia(ref, picture)).toBeUndefined();
  });
});

describe("there are no drafts to show, and a sentence says why", () => {
  const message = (text: string) => ({ ok: false, message: expect.stringContaining(text) });

  test("without a token, and WordPress is not asked", async () => {
    await using app = await openDraftApp({});
    expect(await app.drafts.list()).toEqual(message("Set CMS_TOKEN to “name:application password”"));
    expect(await app.drafts.find(ref)).toEqual(message("CMS_TOKEN"));
    expect(await app.drafts.findMedia(ref, "x.mp4")).toBeUndefined();
    expect(app.cms.requests).toEqual([]);
  });

  test("with the token of a user who may not edit", async () => {
    await using app = await openDraftApp();
    const { picture } = await app.fileNames();
    app.cms.isEditor = false;
    app.clock.advance(2 * MINUTE_IN_MS);
    expect(await app.drafts.list()).toEqual(message("Give that user the role Editor"));
    expect(await app.drafts.find(ref)).toEqual(message("Give that user the role Editor"));
    expect(await app.drafts.findMedia(ref, picture)).toBeUndefined();
  });

  test.each([
    ["slow", "did not answer in time"],
    ["reset", "cannot be reached"],
    ["500", "its web server's log says why"],
    ["firewall", "a firewall, a log-in or a rule of its web server"],
    ["garbage", "not JSON"],
    ["empty-object", "no list"],
    ["redirect-away", "which we don't follow"],
    ["unauthorised", "make a new application password"],
  ] as const)("where WordPress is in trouble: %s", async (kind, text) => {
    await using app = await openDraftApp();
    const { film } = await app.fileNames();
    app.cms.trouble = { kind };
    app.clock.advance(2 * MINUTE_IN_MS);
    expect(await app.drafts.list()).toEqual(message(text));
    if (kind !== "empty-object") expect(await app.drafts.find(ref)).toEqual(message(text));
    expect(["away", undefined]).toContain(await app.drafts.findMedia(ref, film));
  });
});

test("no reading of the catalogue asks for what is not published, and none of it is kept on disk", async () => {
  await using app = await openDraftApp();
  await app.catalogue.refresh();
  await app.drafts.list();
  await app.drafts.find(ref);
  await app.catalogue.refresh();
  const requests = app.cms.requests.filter(({ query }) => query.has("status") || query.has("_embed"));
  expect(requests.filter(({ query }) => query.has("status")).length).toBe(3);
  expect(app.catalogue.status().counts.watch).toBe(2);
  const items = readItems((await app.restart().source.readStored?.())?.items);
  expect(items).toHaveLength(2);
  expect(JSON.stringify(items)).not.toContain("9001");
});
