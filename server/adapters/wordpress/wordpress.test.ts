import { describe, expect, test } from "vitest";

import { makeVideos, ORIGIN, videosOnly } from "../../../tests/fakes/wordpress-items.ts";
import { openContentApp } from "../../../tests/helpers/content-app.ts";
import { after, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";

describe("what was recorded from a real WordPress", () => {
  test("is read completely, odd items too, without a fault", async () => {
    await using app = await openContentApp();
    await app.catalogue.refresh();
    const { counts, fault, skipped, readAt, source } = app.catalogue.status();
    // One of the odd videos has a password.
    expect({ counts, fault, skipped }).toEqual({
      counts: { watch: 3, listen: 0, read: 3, learn: 3 },
      fault: undefined,
      skipped: [],
    });
    expect(readAt).toEqual(app.clock());
    expect(source).toBe(`WordPress at ${app.cms.url}/`);
    expect(app.catalogue.findItem("watch", 43)).toMatchObject({
      title: "Sentence member clearly could team 14 & more",
      author: "Bruno Keller",
      terms: ["leadership", "wellbeing"],
      video: { kind: "youtube" },
      picture: {
        src: expect.stringMatching(/^\/media\/[\da-f]{32}\.webp$/),
        alt: "Cover of item 14",
        width: 1600,
        height: 900,
      },
    });
    expect(app.catalogue.findItem("watch", 79)).toBeUndefined();
    expect(app.catalogue.findItem("learn", 81)?.title).toBe("A title with markup & “quotes” alert(1)");
    expect(app.catalogue.findItem("learn", 78)?.picture).toHaveProperty("scene");
    expect(app.catalogue.findItem("read", 77)?.author).toBe("Dormouse Team");
    expect(app.catalogue.findItem("read", 80)?.title).toBe("Untitled");
  });

  test.each([null, "odd", 7, { _embedded: null }])(
    "%j in a list is left out and logged, and refreshes go on, also after a restart",
    async (odd) => {
      await using app = await openContentApp({ content: videosOnly(5) });
      app.cms.garbled.set(1002, odd);
      await app.catalogue.refresh();
      const left = { counts: { watch: 4 }, fault: undefined, skipped: [{ reason: expect.any(String) }] };
      expect(app.catalogue.status()).toMatchObject(left);
      expect(app.log.lines.map(({ event }) => event)).toContain("an item was skipped");

      app.clock.advance(MINUTE_IN_MS);
      app.cms.save("videos", { id: 1004, title: { rendered: "Told anew" } });
      const next = app.restart();
      await next.catalogue.open();
      await next.catalogue.refresh();
      expect(next.catalogue.status()).toMatchObject(left);
      expect(next.catalogue.findItem("watch", 1004)?.title).toBe("Told anew");
    },
  );
});

describe("paging", () => {
  test.each([0, 100, 101])("%d videos are all read, each once", async (count) => {
    await using app = await openContentApp({ content: videosOnly(count) });
    await app.catalogue.refresh();
    expect(app.catalogue.status().counts.watch).toBe(count);
    expect(app.cms.sentItems).toBe(count);
  });

  test("an item that is withdrawn between two pages does not hide the next one", async () => {
    await using app = await openContentApp({ content: videosOnly(250) });
    const secondPage = app.cms.nextRequest("videos?_embed=1&per_page=100&page=1");
    const refreshed = app.catalogue.refresh();
    await secondPage;
    app.cms.withdraw("videos", 1005);
    await refreshed;
    expect(app.catalogue.status().fault).toBeUndefined();
    expect(app.catalogue.findItem("watch", 1100)).toBeDefined();
    expect(app.catalogue.findItem("watch", 1005)).toBeUndefined();
    expect(app.catalogue.status().counts.watch).toBe(249);
  });
});

test("a cover that was not embedded is asked for", async () => {
  await using app = await openContentApp({ content: videosOnly(2) });
  const cover = {
    id: 77,
    source_url: `${ORIGIN}/wp-content/uploads/moon.jpg`,
    alt_text: "A moon",
    media_details: { width: 900, height: 600 },
  };
  const [one] = app.cms.content.lists.videos;
  Object.assign(one ?? {}, { featured_media: 77, cover });
  delete one?._embedded?.["wp:featuredmedia"];
  await app.catalogue.refresh();
  expect(app.catalogue.findItem("watch", 1000)?.picture).toMatchObject({
    alt: "A moon",
    width: 900,
    height: 600,
    widths: [400, 640, 800, 1600],
  });
});

test("a WordPress may be in a folder of its host", async () => {
  await using app = await openContentApp({ subfolder: "/blog" });
  await app.catalogue.refresh();
  expect(app.catalogue.status()).toMatchObject({ fault: undefined, counts: { watch: 3 } });
});

describe("a refresh after the first", () => {
  test("reads and prepares what has changed, and nothing else", async () => {
    await using app = await openContentApp({ content: videosOnly(250) });
    await app.catalogue.refresh();
    const before = new Map(makeVideos(250).map(({ id }) => [id, app.catalogue.findItem("watch", id)]));
    app.clock.advance(MINUTE_IN_MS);
    app.cms.sentItems = 0;
    app.cms.save("videos", { id: 1007, title: { rendered: "Told anew" } });
    await app.catalogue.refresh();
    expect(app.cms.sentItems).toBe(1);
    const changed = [...before].filter(([id, item]) => app.catalogue.findItem("watch", id) !== item);
    expect(changed.map(([id]) => id)).toEqual([1007]);
    expect(app.catalogue.findItem("watch", 1007)?.title).toBe("Told anew");
  });

  test("asks six small questions when nothing has changed, and prepares nothing", async () => {
    await using app = await openContentApp({ content: videosOnly(120) });
    await app.catalogue.refresh();
    const first = await app.source.listItems();
    app.clock.advance(20 * MINUTE_IN_MS);
    app.cms.requests.length = 0;
    app.cms.sentItems = 0;
    expect(await app.source.listItems()).toBe(first);
    expect(app.cms.requests.length).toBe(6);
    expect(app.cms.sentItems).toBe(0);
  });

  test("adds a new item, and a scheduled one that keeps its old date", async () => {
    await using app = await openContentApp({ content: videosOnly(20) });
    app.cms.content.lists.videos.push({ ...makeVideos(1, 2000)[0]!, status: "future" });
    await app.catalogue.refresh();
    app.clock.advance(30 * MINUTE_IN_MS);
    app.cms.save("videos", { ...makeVideos(1, 3000)[0]!, modified_gmt: app.clock().toISOString().slice(0, 19) });
    const scheduled = app.cms.content.lists.videos.find(({ id }) => id === 2000);
    Object.assign(scheduled ?? {}, { status: "publish" });
    await app.catalogue.refresh();
    expect(app.catalogue.findItem("watch", 3000)).toBeDefined();
    expect(app.catalogue.findItem("watch", 2000)).toBeDefined();
  });

  test.each([
    ["one that was scheduled for this minute arrives", 250, 0],
    ["one that was due two days ago arrives", 250, 2 * 24 * HOUR_IN_MS],
    ["an old one is brought back with its old dates, in a list of one page", 90, 3000 * 24 * HOUR_IN_MS],
  ])("removes a withdrawn item where in the same minute %s", async (_, count, ageInMs) => {
    await using app = await openContentApp({ content: videosOnly(count) });
    const date = after(app.clock(), MINUTE_IN_MS - ageInMs)
      .toISOString()
      .slice(0, 19);
    const modified_gmt = "2015-01-01T00:00:00";
    app.cms.save("videos", { ...makeVideos(1, 2000)[0]!, status: "future", date, date_gmt: date, modified_gmt });
    await app.catalogue.refresh();
    app.clock.advance(MINUTE_IN_MS);
    app.cms.withdraw("videos", 1004);
    app.cms.save("videos", { id: 2000, status: "publish", modified_gmt });
    await app.catalogue.refresh();
    expect(app.catalogue.findItem("watch", 1004)).toBeUndefined();
    expect(app.catalogue.findItem("watch", 2000)).toBeDefined();
    expect(app.catalogue.status()).toMatchObject({ counts: { watch: count }, fault: undefined });
  });

  test("removes deleted and private items, also when another arrives in the same minute", async () => {
    await using app = await openContentApp({ content: videosOnly(20) });
    await app.catalogue.refresh();
    app.clock.advance(30 * MINUTE_IN_MS);
    app.cms.withdraw("videos", 1004);
    app.cms.save("videos", { id: 1005, status: "private" });
    await app.catalogue.refresh();
    expect(app.catalogue.findItem("watch", 1004)).toBeUndefined();
    expect(app.catalogue.findItem("watch", 1005)).toBeUndefined();
    app.clock.advance(30 * MINUTE_IN_MS);
    app.cms.withdraw("videos", 1006);
    app.cms.save("videos", { ...makeVideos(1, 3000)[0]!, modified_gmt: app.clock().toISOString().slice(0, 19) });
    await app.catalogue.refresh();
    expect(app.catalogue.findItem("watch", 1006)).toBeUndefined();
    expect(app.catalogue.findItem("watch", 3000)).toBeDefined();
    expect(app.catalogue.status().counts.watch).toBe(18);
  });

  test("reads everything again after an hour: a renamed author changes no article's date", async () => {
    await using app = await openContentApp({ content: videosOnly(3) });
    await app.catalogue.refresh();
    const [video] = app.cms.content.lists.videos;
    Object.assign(video?._embedded ?? {}, { author: [{ name: "Maren Holt" }] });
    app.clock.advance(30 * MINUTE_IN_MS);
    await app.catalogue.refresh();
    expect(app.catalogue.findItem("watch", 1000)?.author).toBe("Bruno Keller");
    app.clock.advance(HOUR_IN_MS);
    await app.catalogue.refresh();
    expect(app.catalogue.findItem("watch", 1000)?.author).toBe("Maren Holt");
  });
});
