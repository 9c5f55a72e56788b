import { describe, expect, test } from "vitest";

import { makeVideos, videosOnly } from "../../../tests/fakes/wordpress-items.ts";
import { openContentHouse } from "../../../tests/helpers/content-house.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../clock.ts";

describe("a refresh after the first", () => {
  test("reads and prepares what has changed, and nothing else", async () => {
    await using house = await openContentHouse({ content: videosOnly(250) });
    await house.catalogue.refresh();
    const before = new Map(makeVideos(250).map(({ id }) => [id, house.catalogue.findItem("watch", id)]));
    house.clock.advance(MINUTE_IN_MS);
    house.cms.sentItems = 0;
    house.cms.save("videos", { id: 1007, title: { rendered: "Told anew" } });
    await house.catalogue.refresh();
    expect(house.cms.sentItems).toBe(1);
    const changed = [...before].filter(([id, item]) => house.catalogue.findItem("watch", id) !== item);
    expect(changed.map(([id]) => id)).toEqual([1007]);
    expect(house.catalogue.findItem("watch", 1007)?.title).toBe("Told anew");
  });

  test("asks six small questions when nothing has changed, and prepares nothing", async () => {
    await using house = await openContentHouse({ content: videosOnly(120) });
    await house.catalogue.refresh();
    const first = await house.source.listItems();
    house.clock.advance(20 * MINUTE_IN_MS);
    house.cms.requests.length = 0;
    house.cms.sentItems = 0;
    expect(await house.source.listItems()).toBe(first);
    expect(house.cms.requests.length).toBe(6);
    expect(house.cms.sentItems).toBe(0);
  });

  test("takes in a new item, and one that was scheduled and has kept its old date", async () => {
    await using house = await openContentHouse({ content: videosOnly(20) });
    house.cms.content.lists.videos.push({ ...makeVideos(1, 2000)[0]!, status: "future" });
    await house.catalogue.refresh();
    house.clock.advance(30 * MINUTE_IN_MS);
    house.cms.save("videos", { ...makeVideos(1, 3000)[0]!, modified_gmt: house.clock().toISOString().slice(0, 19) });
    const scheduled = house.cms.content.lists.videos.find(({ id }) => id === 2000);
    Object.assign(scheduled ?? {}, { status: "publish" });
    await house.catalogue.refresh();
    expect(house.catalogue.findItem("watch", 3000)).toBeDefined();
    expect(house.catalogue.findItem("watch", 2000)).toBeDefined();
  });

  test.each([
    ["deleted", (cms: { withdraw(list: "videos", id: number): void }) => cms.withdraw("videos", 1004)],
    [
      "made private",
      (cms: { save(list: "videos", item: { id: number; status: string }): void }) =>
        cms.save("videos", { id: 1004, status: "private" }),
    ],
  ])("lets an item go that was %s", async (_, change) => {
    await using house = await openContentHouse({ content: videosOnly(20) });
    await house.catalogue.refresh();
    house.clock.advance(30 * MINUTE_IN_MS);
    change(house.cms);
    await house.catalogue.refresh();
    expect(house.catalogue.findItem("watch", 1004)).toBeUndefined();
    expect(house.catalogue.status().counts.watch).toBe(19);
  });

  test("sees one go and another come in the same minute", async () => {
    await using house = await openContentHouse({ content: videosOnly(20) });
    await house.catalogue.refresh();
    house.clock.advance(30 * MINUTE_IN_MS);
    house.cms.withdraw("videos", 1004);
    house.cms.save("videos", { ...makeVideos(1, 3000)[0]!, modified_gmt: house.clock().toISOString().slice(0, 19) });
    await house.catalogue.refresh();
    expect(house.catalogue.findItem("watch", 1004)).toBeUndefined();
    expect(house.catalogue.findItem("watch", 3000)).toBeDefined();
  });

  test("reads everything again after an hour: a renamed author changes no article's date", async () => {
    await using house = await openContentHouse({ content: videosOnly(3) });
    await house.catalogue.refresh();
    const [video] = house.cms.content.lists.videos;
    Object.assign(video?._embedded ?? {}, { author: [{ name: "Maren Holt" }] });
    house.clock.advance(30 * MINUTE_IN_MS);
    await house.catalogue.refresh();
    expect(house.catalogue.findItem("watch", 1000)?.author).toBe("Bruno Keller");
    house.clock.advance(HOUR_IN_MS);
    await house.catalogue.refresh();
    expect(house.catalogue.findItem("watch", 1000)?.author).toBe("Maren Holt");
  });
});
