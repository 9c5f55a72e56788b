import { describe, expect, test } from "vitest";

import { makeVideos, videosOnly } from "../../../tests/fakes/wordpress-items.ts";
import { openContentApp } from "../../../tests/helpers/content-app.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../clock.ts";

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

  test("takes in a new item, and one that was scheduled and has kept its old date", async () => {
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
    ["deleted", (cms: { withdraw(list: "videos", id: number): void }) => cms.withdraw("videos", 1004)],
    [
      "made private",
      (cms: { save(list: "videos", item: { id: number; status: string }): void }) =>
        cms.save("videos", { id: 1004, status: "private" }),
    ],
  ])("lets an item go that was %s", async (_, change) => {
    await using app = await openContentApp({ content: videosOnly(20) });
    await app.catalogue.refresh();
    app.clock.advance(30 * MINUTE_IN_MS);
    change(app.cms);
    await app.catalogue.refresh();
    expect(app.catalogue.findItem("watch", 1004)).toBeUndefined();
    expect(app.catalogue.status().counts.watch).toBe(19);
  });

  test("sees one go and another come in the same minute", async () => {
    await using app = await openContentApp({ content: videosOnly(20) });
    await app.catalogue.refresh();
    app.clock.advance(30 * MINUTE_IN_MS);
    app.cms.withdraw("videos", 1004);
    app.cms.save("videos", { ...makeVideos(1, 3000)[0]!, modified_gmt: app.clock().toISOString().slice(0, 19) });
    await app.catalogue.refresh();
    expect(app.catalogue.findItem("watch", 1004)).toBeUndefined();
    expect(app.catalogue.findItem("watch", 3000)).toBeDefined();
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
