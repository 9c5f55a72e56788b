import { describe, expect, test } from "vitest";

import { makeVideos } from "../../../tests/fakes/wordpress-items.ts";
import type { Trouble } from "../../../tests/fakes/wordpress.ts";
import { openContentApp } from "../../../tests/helpers/content-app.ts";
import { MINUTE_IN_MS } from "../../platform/clock.ts";
import { explainRefusal } from "./client.ts";

const many = (count: number) => ({
  lists: { videos: makeVideos(count), posts: [], tutorials: [] },
  uploads: new Map(),
});

/** Every possible fault, and its message for an operator. */
const troubles: [Trouble, RegExp][] = [
  ["slow", /did not answer in time/],
  ["500", /“videos”, a 500, is not from WordPress's REST API: its web server's log says why$/],
  ["429", /“videos”, a 429, is not from WordPress's REST API: we have sent too many requests$/],
  ["garbage", /not JSON/],
  ["html", /not JSON/],
  ["firewall", /“videos”, a 403, is not from WordPress's REST API: a firewall.*let this server through$/],
  ["false", /no list/],
  ["empty-object", /no list/],
  ["huge", /more than 20000000 bytes/],
  ["endless", /more than 20000000 bytes|did not answer in time/],
  ["redirect-away", /redirects to http:\/\/localhost:\d+, which we don't follow/],
  ["redirect-in-a-circle", /in a circle/],
  ["half", /cannot be reached/],
  ["wrong-length", /cannot be reached/],
  ["reset", /cannot be reached/],
  ["wrong-page-count", /says it wrongly/],
  ["no-page-count", /does not say how many/],
  ["empty", /no “videos” where there were 20.*--accept-empty/],
  ["unauthorised", /shows nothing without a log-in \(401 rest_forbidden\): set CMS_READER_TOKEN/],
  ["no-videos", /has no “videos” in its REST API.*show_in_rest/],
];

describe("an answer that WordPress did not write", () => {
  const explain = (status: number, body?: unknown) =>
    explainRefusal({ status, body, path: "videos", setting: undefined, isSecure: false }).message;

  test.each([401, 403, 404, 406, 429, 500, 502, 503])("is not blamed on WordPress's users with a %d", (status) => {
    for (const body of [undefined, "no", { error: "blocked" }, { code: 1020 }]) {
      expect(explain(status, body)).toContain(`a ${status}, is not from WordPress's REST API`);
      expect(explain(status, body)).not.toMatch(/TOKEN|password|show_in_rest/);
    }
  });

  test("is blamed on the address and its permalinks where nothing is found alone", () => {
    const blamed = [401, 403, 404, 500, 503].filter((status) => explain(status).includes("permalinks"));
    expect(blamed).toEqual([404]);
  });
});

test("a WordPress that fails says so itself", () => {
  const refused = { status: 500, path: "videos", setting: undefined, isSecure: true };
  const { message } = explainRefusal({ ...refused, body: { code: "internal_server_error" } });
  expect(message).toBe("WordPress answered videos with 500 internal_server_error: its own log says why");
});

test("a 401 is blamed on plain HTTP where a token was shown over it", () => {
  const refused = { status: 401, body: { code: "rest_forbidden" }, path: "videos", setting: "CMS_TOKEN" as const };
  const { message } = explainRefusal({ ...refused, isSecure: true });
  expect(message).toContain("make a new application password");
  expect(message).not.toContain("HTTPS");
  expect(explainRefusal({ ...refused, isSecure: false }).message).toContain(
    "HTTPS only, unless WP_ENVIRONMENT_TYPE is “local”",
  );
});

describe.each(troubles)("a CMS with the trouble “%s”", (kind, words) => {
  test("leaves the last good catalogue as it is, says what is wrong, and is read again when it is well", async () => {
    await using app = await openContentApp({ content: many(20) });
    await app.catalogue.refresh();
    const readAt = app.clock();
    const item = app.catalogue.findItem("watch", 1000);

    app.clock.advance(MINUTE_IN_MS);
    app.cms.trouble = { kind, on: "wp-json" };
    await app.catalogue.refresh();
    expect(app.catalogue.status()).toMatchObject({
      counts: { watch: 20 },
      readAt,
      fault: expect.stringMatching(words),
    });
    expect(app.catalogue.findItem("watch", 1000)).toBe(item);

    app.cms.trouble = undefined;
    app.cms.save("videos", { id: 1000, title: { rendered: "New" } });
    await app.catalogue.refresh();
    expect(app.catalogue.status()).toMatchObject({ readAt: app.clock(), fault: undefined });
    expect(app.catalogue.findItem("watch", 1000)?.title).toBe("New");
  });

  test("is no catalogue to begin with, unless it is empty from the start", async () => {
    await using app = await openContentApp({ content: many(20) });
    app.cms.trouble = { kind, on: "wp-json" };
    await app.catalogue.open();
    await app.catalogue.refresh();
    expect(app.catalogue.isReady()).toBe(kind === "empty");
    expect(await app.source.check()).toMatchObject(isSeenByCheck(kind) ? { isWell: false } : {});
  });
});

/** Only a reading notices a list of the wrong length. */
function isSeenByCheck(kind: Trouble): boolean {
  return !["empty", "wrong-page-count", "false", "empty-object"].includes(kind);
}

test.each(["posts", "tutorials"])("a refresh that fails half-way, at %s, changes nothing", async (on) => {
  await using app = await openContentApp({ content: many(150) });
  await app.catalogue.refresh();
  app.clock.advance(61 * MINUTE_IN_MS);
  for (const { id } of app.cms.content.lists.videos) app.cms.save("videos", { id, title: { rendered: "New" } });
  app.cms.trouble = { kind: "500", on };
  await app.catalogue.refresh();
  expect(app.catalogue.findItem("watch", 1000)?.title).toBe("Video 1000");
  expect(app.catalogue.findItem("watch", 1149)?.title).toBe("Video 1149");
  expect(app.catalogue.status().fault).toContain("500");
});

test("only the CMS itself is asked, and the token goes nowhere else", async () => {
  await using app = await openContentApp({ subscriber: "reader:secret" });
  app.cms.trouble = { kind: "redirect-away" };
  await app.catalogue.refresh();
  // The other name leads to the same fake: a followed redirect would show there.
  expect(app.cms.requests.length).toBe(1);
  expect(JSON.stringify(app.catalogue.status()) + JSON.stringify(app.log.lines)).not.toContain("secret");
});

test("an operator may confirm an empty CMS, and running servers accept it", async () => {
  await using app = await openContentApp({ content: many(20) });
  await app.catalogue.refresh();
  app.cms.trouble = { kind: "empty" };
  app.clock.advance(MINUTE_IN_MS);
  await app.catalogue.refresh();
  expect(app.catalogue.status().counts.watch).toBe(20);

  const command = app.restart();
  await command.catalogue.refresh({ acceptsEmpty: true });
  expect(command.catalogue.status()).toMatchObject({ counts: { watch: 0 }, fault: undefined });
  await app.catalogue.refresh();
  expect(app.catalogue.status()).toMatchObject({ counts: { watch: 0 }, fault: undefined });
});

test("a hundred failures in a row leave no files behind", async () => {
  await using app = await openContentApp({ content: many(20) });
  await app.catalogue.refresh();
  const items = await app.source.listItems();
  for (const kind of ["garbage", "half", "500", "reset"] as const) {
    app.cms.trouble = { kind };
    for (let count = 0; count < 25; count++) await app.catalogue.refresh();
  }
  app.cms.trouble = undefined;
  expect(await app.source.listItems()).toBe(items);
});

describe("the check", () => {
  test("says what there is", async () => {
    await using app = await openContentApp();
    expect(await app.source.check()).toEqual({
      isWell: true,
      message: `WordPress at ${app.cms.url}/ answers anyone: 4 videos, 3 posts, 3 tutorials`,
    });
  });

  test("says that a token is wrong, and not which", async () => {
    for (const given of [{ readerToken: "reader:wrong-one" }, { editorToken: "editor:wrong-one" }]) {
      await using app = await openContentApp({ editor: "editor:right", subscriber: "reader:right", given });
      const { isWell, message } = await app.source.check();
      expect(isWell).toBe(false);
      expect(message).toMatch(/WordPress refuses us \(401 rest_forbidden\)/);
      expect(message).not.toContain("wrong-one");
    }
  });

  test("says that no server answers", async () => {
    await using app = await openContentApp({ given: { url: "http://127.0.0.1:1" } });
    expect(await app.source.check()).toEqual({ isWell: false, message: expect.stringContaining("cannot be reached") });
  });
});
