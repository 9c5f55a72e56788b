import { describe, expect, test } from "vitest";

import { videosOnly } from "../../../tests/fakes/wordpress-items.ts";
import { startWordpressFake } from "../../../tests/fakes/wordpress.ts";
import { type ContentApp, openContentApp } from "../../../tests/helpers/content-app.ts";
import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import { Pace } from "./pages.ts";

function listSizes({ cms }: ContentApp): number[] {
  const requests = cms.requests.filter(({ query, path }) => query.has("_embed") && path.endsWith("/videos"));
  return requests.map(({ query }) => Number(query.get("per_page")));
}

const readCount = ({ catalogue }: ContentApp) => catalogue.status().counts.watch;

test(
  "10,000 items arrive from a host that takes 0.12 s for each, every one sent once",
  { timeout: 300_000 },
  async () => {
    await using app = await openContentApp({ content: videosOnly(10_000) });
    app.cms.weakness.msPerItem = 120;
    expect(await app.source.listItems()).toHaveLength(10_000);
    expect(app.cms.sentItems).toBe(10_000);
    expect(new Set(listSizes(app))).toEqual(new Set([100]));
  },
);

describe("a host that fails over many items", () => {
  test.each(["500", "slow", "half", "garbage", "reset", "huge"] as const)(
    "with “%s” is asked for half as many until it answers, and after that for as many as worked",
    async (fails) => {
      await using app = await openContentApp({ content: videosOnly(130) });
      Object.assign(app.cms.weakness, { tooMany: 61, fails });
      await app.catalogue.refresh();
      expect(app.catalogue.status().fault).toBeUndefined();
      expect(readCount(app)).toBe(130);
      expect(listSizes(app)).toEqual([100, 50, 50, 50]);

      app.cms.requests.length = 0;
      app.clock.advance(HOUR_IN_MS);
      await app.catalogue.refresh();
      expect(new Set(listSizes(app))).toEqual(new Set([50]));
    },
  );

  test("is asked for five at least, and for the same five later", async () => {
    await using app = await openContentApp({ content: videosOnly(40) });
    app.cms.weakness.tooMany = 5;
    await app.catalogue.refresh();
    expect(listSizes(app)).toEqual([100, 50, 25, 12, 6, 5]);
    expect(app.catalogue.status().fault).toContain("500");
    app.cms.weakness.tooMany = 6;
    await app.catalogue.refresh();
    expect(readCount(app)).toBe(40);
  });

  test("gets more items at once again after ten full pages, and after twice as many where that failed", () => {
    const pace = new Pace();
    const countPagesTo100 = () => {
      let pages = 0;
      for (; pace.perPage < 100; pages += 1) pace.noteFullPage();
      return pages;
    };
    expect([pace.slowDown(), pace.perPage]).toEqual([true, 50]);
    expect(countPagesTo100()).toBe(10);
    pace.slowDown();
    expect(countPagesTo100()).toBe(20);
    pace.slowDown();
    expect(countPagesTo100()).toBe(40);
    pace.noteFullPage();
    for (let count = 0; count < 5; count += 1) expect(pace.slowDown()).toBe(true);
    expect([pace.slowDown(), pace.perPage]).toEqual([false, 5]);
  });

  test("is not blamed for a line that is down: no smaller page is asked for", async () => {
    const away = await startWordpressFake();
    await away[Symbol.asyncDispose]();
    await using app = await openContentApp({ given: { url: away.url } });
    await app.catalogue.refresh();
    expect(app.catalogue.status().fault).toContain("ECONNREFUSED");
    await using back = await startWordpressFake({ content: videosOnly(20), port: Number(new URL(away.url).port) });
    await app.catalogue.refresh();
    expect(back.requests[0]?.query.get("per_page")).toBe("100");
  });
});

test("the time limit follows the size of a page: a host that takes 2 s for an item is read", async () => {
  await using app = await openContentApp({ content: videosOnly(30) });
  app.cms.weakness.msPerItem = 2000;
  await app.catalogue.refresh();
  expect(readCount(app)).toBe(30);
  expect(listSizes(app).slice(0, 6)).toEqual([100, 50, 25, 12, 6, 5]);
});

describe("a reading of everything that takes longer than a refresh", () => {
  /** An hour after the first reading, on a host that now takes 6 s for a page of a hundred. */
  async function openSlowApp() {
    const app = await openContentApp({ content: videosOnly(1000) });
    await app.catalogue.refresh();
    app.cms.weakness.msPerItem = 60;
    app.clock.advance(HOUR_IN_MS);
    app.cms.sentItems = 0;
    for (const video of app.cms.content.lists.videos)
      Object.assign(video._embedded ?? {}, { author: [{ name: "Maren Holt" }] });
    return app;
  }
  const findAuthor = (app: ContentApp, id: number) => app.catalogue.findItem("watch", id)?.author;

  test("goes on with the next refresh, and each item is sent once", async () => {
    await using app = await openSlowApp();
    await app.catalogue.refresh();
    expect(app.cms.sentItems).toBe(500);
    expect(findAuthor(app, 1000)).toBe("Bruno Keller");
    await app.catalogue.refresh();
    expect(app.cms.sentItems).toBe(1000);
    expect([findAuthor(app, 1000), findAuthor(app, 1999)]).toEqual(["Maren Holt", "Maren Holt"]);
    await app.catalogue.refresh();
    expect(app.cms.sentItems).toBe(1000);
  });

  test("holds up no withdrawal and no change, and undoes none when it is done", async () => {
    await using app = await openSlowApp();
    await app.catalogue.refresh();
    app.clock.advance(10 * MINUTE_IN_MS);
    app.cms.withdraw("videos", 1001);
    app.cms.withdraw("videos", 1700);
    app.cms.save("videos", { id: 1002, title: { rendered: "Told anew" } });
    await app.catalogue.refresh();
    const check = () => {
      for (const id of [1001, 1700]) expect(app.catalogue.findItem("watch", id)).toBeUndefined();
      expect(app.catalogue.findItem("watch", 1002)?.title).toBe("Told anew");
      expect(readCount(app)).toBe(998);
    };
    check();
    for (let count = 0; count < 3; count += 1) await app.catalogue.refresh();
    check();
    for (const id of [1000, 1500, 1699, 1701, 1999]) expect(findAuthor(app, id), String(id)).toBe("Maren Holt");
  });

  test("tells its fault while changes and withdrawals come, and goes on from there", async () => {
    await using app = await openSlowApp();
    await app.catalogue.refresh();
    app.cms.trouble = { kind: "500", on: "_embed=1&per_page" };
    app.cms.withdraw("videos", 1001);
    for (let count = 0; count < 2; count += 1) await app.catalogue.refresh();
    expect(app.catalogue.status()).toMatchObject({ fault: expect.stringContaining("500"), isStale: false });
    expect(app.catalogue.findItem("watch", 1001)).toBeUndefined();
    app.cms.trouble = undefined;
    app.cms.sentItems = 0;
    for (let count = 0; count < 3; count += 1) await app.catalogue.refresh();
    expect(app.catalogue.status().fault).toBeUndefined();
    expect(findAuthor(app, 1999)).toBe("Maren Holt");
    expect(app.cms.sentItems).toBeLessThan(600);
  });
});

test("a first reading that was cut off goes on where it stopped", async () => {
  await using app = await openContentApp({ content: videosOnly(400) });
  const third = app.cms.nextRequest("page=3");
  const refreshed = app.catalogue.refresh();
  await third;
  app.cms.trouble = { kind: "500" };
  await refreshed;
  expect(app.catalogue.isReady()).toBe(false);
  expect(app.cms.sentItems).toBe(300);
  app.cms.trouble = undefined;
  await app.catalogue.refresh();
  expect(readCount(app)).toBe(400);
  expect(app.cms.sentItems).toBe(400);
});

test.each([
  ["120", 2 * MINUTE_IN_MS],
  ["Fri, 20 Nov 2026 03:05:00 GMT", 5 * MINUTE_IN_MS],
  ["999999999", HOUR_IN_MS],
])(
  "a host that asks with “Retry-After: %s” to be left alone is left alone, and then read",
  async (retryAfter, pauseInMs) => {
    await using app = await openContentApp({ content: videosOnly(20) });
    app.cms.retryAfter = retryAfter;
    app.cms.trouble = { kind: "429" };
    await app.catalogue.refresh();
    app.cms.trouble = undefined;
    app.clock.advance(pauseInMs - SECOND_IN_MS);
    await app.catalogue.refresh();
    expect(app.cms.requests).toHaveLength(1);
    expect(app.catalogue.status().fault).toContain("asks us to wait until 0");
    app.clock.advance(SECOND_IN_MS);
    await app.catalogue.refresh();
    expect(readCount(app)).toBe(20);
  },
);

describe("a list that changes while it is read", () => {
  async function readWhile(change: (app: ContentApp) => void) {
    const app = await openContentApp({ content: videosOnly(350) });
    const third = app.cms.nextRequest("page=3");
    const refreshed = app.catalogue.refresh();
    await third;
    change(app);
    await refreshed;
    return app;
  }

  test.each([
    ["one of the first is withdrawn", (app: ContentApp) => app.cms.withdraw("videos", 1001), 349],
    [
      "most of it is withdrawn",
      (app: ContentApp) => {
        for (let id = 1050; id < 1350; id += 1) app.cms.withdraw("videos", id);
      },
      50,
    ],
    [
      "one comes at its end",
      (app: ContentApp) => app.cms.save("videos", { ...app.cms.content.lists.videos[0]!, id: 9000 }),
      351,
    ],
    [
      "one of the first goes and another comes",
      (app: ContentApp) => {
        app.cms.withdraw("videos", 1001);
        const modified_gmt = app.clock().toISOString().slice(0, 19);
        app.cms.save("videos", { ...app.cms.content.lists.videos[0]!, id: 900, modified_gmt });
      },
      350,
    ],
  ])("%s", async (_, change, count) => {
    await using app = await readWhile(change);
    // A change that keeps the number of items is found by the next refresh.
    await app.catalogue.refresh();
    expect(app.catalogue.status().fault).toBeUndefined();
    expect(readCount(app)).toBe(count);
    const ids = app.cms.content.lists.videos.map(({ id }) => id);
    expect(ids.filter((id) => !app.catalogue.findItem("watch", id))).toEqual([]);
  });
});
