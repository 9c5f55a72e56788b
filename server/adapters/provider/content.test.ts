import { expect, test } from "vitest";

import { bad, type SeenCall } from "../../../tests/fakes/hostile-provider.ts";
import { held, listIds, item, items, openProviderContent, readItems } from "../../../tests/helpers/content-app.ts";
import { MINUTE_IN_MS } from "../../platform/clock.ts";

function paged(all: () => unknown[]) {
  return ({ query, headers }: SeenCall) => {
    const [page, size] = [Number(query.get("page")), Number(query.get("per_page"))];
    const part = all().slice((page - 1) * size, page * size);
    const etag = `W/"${page} ${JSON.stringify(part).length}"`;
    const answerHeaders = { ETag: etag, "X-Total": String(all().length) };
    if (headers["if-none-match"] === etag) return { text: "", status: 304, headers: answerHeaders };
    return { json: part, headers: answerHeaders };
  };
}

test("a provider that knows no pages gives all at once", async () => {
  await using app = await openProviderContent({ reads: items(1, 250) });
  expect(listIds(readItems(await app.source.listItems()))).toEqual(listIds(items(1, 250)));
  expect(app.provider.seen.map(({ path }) => path)).toEqual(["media/getwatches", "media/getreads", "media/getlearns"]);
  expect(app.provider.seen[0]?.headers.authorization).toBe("good");
});

test("one with pages is read page by page, and what has not changed is not sent again", async () => {
  await using app = await openProviderContent();
  let all = items(1, 230);
  app.provider.behave(
    paged(() => all),
    "media/getreads",
  );
  const first = (await app.source.listItems()) ?? [];
  expect(listIds(readItems(first))).toEqual(listIds(all));
  expect(await app.source.listItems()).toBe(first);

  all = [...items(1, 229), item(230, { title: { rendered: "A longer name than before" } }), item(231)];
  const second = (await app.source.listItems()) ?? [];
  expect(second).toHaveLength(231);
  expect(second[5]).toBe(first[5]);
  expect(second[229]).not.toBe(first[229]);
});

test("an incomplete list is refused", async () => {
  await using app = await openProviderContent();
  let count = 0;
  app.provider.behave(() => ({ json: items(1, (count += 1)), headers: { "X-Total": "400" } }), "media/getreads");
  await app.source.listItems().catch(() => undefined);
  expect(count).toBeLessThanOrEqual(400);
  app.provider.behave(
    () => ({ json: items(1, 5), headers: { "X-Total": String(400 + (count += 1)) } }),
    "media/getreads",
  );
  await expect(app.source.listItems()).rejects.toThrow(/do not fit together/);
  app.provider.behave({ json: items(1, 100), headers: { "X-Total": "999999999" } }, "media/getreads");
  await expect(app.source.listItems()).rejects.toThrow(/too long/);
});

test.each(bad)("when the provider fails (%s) the last good content stays, also after a restart", async (manner) => {
  await using app = await openProviderContent({ reads: items(1, 8) });
  const before = readItems(await app.source.listItems());
  app.provider.behave(manner, "media/getreads");
  await expect(app.source.listItems()).rejects.toThrow();
  expect(readItems((await app.source.readStored?.())?.items)).toEqual(before);

  const next = await app.open().readStored?.();
  expect(listIds(readItems(next?.items))).toEqual(listIds(before));
  expect(next?.fault).toBeDefined();
});

test("a suddenly empty listing is refused until an operator confirms it", async () => {
  await using app = await openProviderContent({ reads: items(1, 8) });
  await app.source.listItems();
  app.provider.behave({ json: [] }, "media/getreads");
  await expect(app.source.listItems()).rejects.toThrow(/the provider says that there are no “posts”/);
  expect(await app.source.listItems({ acceptsEmpty: true })).toEqual([]);
});

test("without a logged-in member the provider is not asked, and no reading is reported", async () => {
  await using app = await openProviderContent({ tokens: [] });
  expect(await app.source.listItems()).toBeUndefined();
  expect(app.provider.seen).toEqual([]);
  expect(await app.source.check()).toMatchObject({ isWell: true });
  app.tokens.push(held("good"));
  app.provider.behave({ json: items(1, 8) }, "media/getreads");
  const shown = readItems(await app.source.listItems());
  const readAt = app.clock();
  app.tokens.length = 0;
  app.clock.advance(MINUTE_IN_MS);
  expect(await app.source.listItems()).toBeUndefined();
  const stored = await app.source.readStored?.();
  expect(stored).toMatchObject({ readAt, fault: undefined });
  expect(readItems(stored?.items)).toEqual(shown);
});

test("a catalogue that could not be read stays and ages, also over a restart", async () => {
  await using app = await openProviderContent({ reads: items(1, 8) });
  const catalogue = app.openCatalogue();
  await catalogue.refresh();
  const fresh = catalogue.status();
  expect(fresh).toMatchObject({ counts: { read: 8 }, readAt: app.clock(), isStale: false });
  app.tokens.length = 0;
  app.clock.advance(20 * MINUTE_IN_MS);
  for (const each of [catalogue, app.openCatalogue()]) {
    await each.refresh();
    expect(each.status()).toEqual({ ...fresh, isStale: true });
  }
});

test("a fault ends when no member is logged in any more, for other processes too", async () => {
  await using app = await openProviderContent({ reads: items(1, 8) });
  const catalogue = app.openCatalogue();
  await catalogue.refresh();
  const good = catalogue.status();
  app.clock.advance(MINUTE_IN_MS);
  app.provider.behave("html-500", "media/getreads");
  await catalogue.refresh();
  const fault = expect.stringContaining("500") as string;
  expect(catalogue.status()).toEqual({ ...good, fault });
  const other = app.openCatalogue();
  await other.open();
  expect(other.status()).toEqual({ ...good, fault });

  app.tokens.length = 0;
  await catalogue.refresh();
  expect(catalogue.status()).toEqual(good);
  const later = app.openCatalogue();
  await later.open();
  expect(later.status()).toEqual(good);
  await other.refresh();
  expect(other.status()).toEqual(good);
});

test("an app that has never read content is ready, and says that it has none", async () => {
  await using app = await openProviderContent({ tokens: [] });
  const catalogue = app.openCatalogue();
  await catalogue.open();
  expect(catalogue.isReady()).toBe(false);
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(true);
  expect(catalogue.status()).toMatchObject({ readAt: undefined, isStale: true, fault: undefined });
});

test("only pictures of the provider's own host are shown, and operators see which were not", async () => {
  await using app = await openProviderContent();
  const { url } = app.provider;
  const media = (address: string) => ({ _embedded: { "wp:featuredmedia": [{ source_url: address }] } });
  app.provider.behave(
    { json: [item(1, media(`${url}/api/media/files/a.webp`)), item(2, media("http://127.0.0.1:9/b.webp"))] },
    "media/getreads",
  );
  const catalogue = app.openCatalogue();
  await catalogue.refresh();
  const foreign = catalogue.findItem("read", 2);
  expect(foreign?.picture).toEqual({ scene: expect.any(Number) });
  expect(JSON.stringify(foreign)).not.toContain("127.0.0.1:9");
  expect(catalogue.status().losses).toMatchObject([
    { kind: "read", id: 2, losses: [{ what: "picture", why: "its file is on another host, 127.0.0.1:9" }] },
  ]);

  const { picture } = catalogue.findItem("read", 1) ?? {};
  const [, name = ""] = /^\/media\/([\da-f]{32}\.webp)$/.exec(picture && "src" in picture ? picture.src : "") ?? [];
  const { source } = app;
  await source.readStored?.();
  app.provider.behave("reset", "media/files/a.webp");
  expect(await source.findMedia(name, 400)).toBe("away");
  app.clock.advance(60_000);
  app.provider.behave({ text: "<svg onload=alert(1)>" }, "media/files/a.webp");
  expect(await source.findMedia(name, 400)).toBeUndefined();
});
