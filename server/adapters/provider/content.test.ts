import { expect, test } from "vitest";

import { bad, type SeenCall } from "../../../tests/fakes/hostile-provider.ts";
import { held, idsOf, item, items, openProviderContent } from "../../../tests/helpers/provider-content-house.ts";
import { MINUTE_IN_MS } from "../../clock.ts";

/** A provider that has pages and tags, as ours does. */
function paged(all: () => unknown[]) {
  return ({ query, headers }: SeenCall) => {
    const [page, size] = [Number(query.get("page")), Number(query.get("per_page"))];
    const part = all().slice((page - 1) * size, page * size);
    const etag = `W/"${page} ${JSON.stringify(part).length}"`;
    const said = { ETag: etag, "X-Total": String(all().length) };
    if (headers["if-none-match"] === etag) return { text: "", status: 304, headers: said };
    return { json: part, headers: said };
  };
}

test("a provider that knows no pages gives all at once", async () => {
  await using house = await openProviderContent();
  house.provider.behave({ json: [] });
  house.provider.behave({ json: items(1, 250) }, "media/getreads");
  expect(idsOf((await house.source.listItems()) ?? [])).toEqual(idsOf(items(1, 250)));
  expect(house.provider.seen.map(({ path }) => path)).toEqual([
    "media/getwatches",
    "media/getreads",
    "media/getlearns",
  ]);
  expect(house.provider.seen[0]?.headers.authorization).toBe("good");
});

test("one with pages is read page by page, and what has not changed is not sent again", async () => {
  await using house = await openProviderContent();
  let all = items(1, 230);
  house.provider.behave({ json: [] });
  house.provider.behave(
    paged(() => all),
    "media/getreads",
  );
  const first = (await house.source.listItems()) ?? [];
  expect(idsOf(first)).toEqual(idsOf(all));
  expect(await house.source.listItems()).toBe(first);

  all = [...items(1, 229), item(230, { title: { rendered: "A longer name than before" } }), item(231)];
  const second = (await house.source.listItems()) ?? [];
  expect(second).toHaveLength(231);
  expect(second[5]).toBe(first[5]);
  expect(second[229]).not.toBe(first[229]);
});

test("a list that is cut short, or says more than it has, is no list", async () => {
  await using house = await openProviderContent();
  house.provider.behave({ json: [] });
  let count = 0;
  house.provider.behave(() => ({ json: items(1, (count += 1)), headers: { "X-Total": "400" } }), "media/getreads");
  await house.source.listItems().catch(() => undefined);
  expect(count).toBeLessThanOrEqual(400);
  house.provider.behave(
    () => ({ json: items(1, 5), headers: { "X-Total": String(400 + (count += 1)) } }),
    "media/getreads",
  );
  await expect(house.source.listItems()).rejects.toThrow(/do not fit together/);
  house.provider.behave({ json: items(1, 100), headers: { "X-Total": "999999999" } }, "media/getreads");
  await expect(house.source.listItems()).rejects.toThrow(/too long/);
});

test.each(bad)(
  "whatever the provider does (%s), the last good content stays, also for the next start",
  async (manner) => {
    await using house = await openProviderContent();
    house.provider.behave({ json: [] });
    house.provider.behave({ json: items(1, 8) }, "media/getreads");
    const before = (await house.source.listItems()) ?? [];
    house.provider.behave(manner, "media/getreads");
    await expect(house.source.listItems()).rejects.toThrow();
    expect((await house.source.readKept?.())?.items).toEqual(before);

    const next = await house.open().readKept?.();
    expect(idsOf(next?.items ?? [])).toEqual(idsOf(before));
    expect(next?.fault).toBeDefined();
  },
);

test("a shelf that is suddenly empty is a mistake, until an operator says otherwise", async () => {
  await using house = await openProviderContent();
  house.provider.behave({ json: [] });
  house.provider.behave({ json: items(1, 8) }, "media/getreads");
  await house.source.listItems();
  house.provider.behave({ json: [] }, "media/getreads");
  await expect(house.source.listItems()).rejects.toThrow(/the provider says that there are no “posts”/);
  expect(await house.source.listItems({ acceptsEmpty: true })).toEqual([]);
});

test("while nobody is logged in, nobody is asked, and nothing is said to have been read", async () => {
  await using house = await openProviderContent({ tokens: [] });
  expect(await house.source.listItems()).toBeUndefined();
  expect(house.provider.seen).toEqual([]);
  expect(await house.source.check()).toMatchObject({ isWell: true });
  house.tokens.push(held("good"));
  house.provider.behave({ json: [] });
  house.provider.behave({ json: items(1, 8) }, "media/getreads");
  const shown = await house.source.listItems();
  const readAt = house.clock();
  house.tokens.length = 0;
  house.clock.advance(MINUTE_IN_MS);
  expect(await house.source.listItems()).toBeUndefined();
  expect(await house.source.readKept?.()).toEqual({ items: shown, readAt, fault: undefined });
});

test("a catalogue that could not be read stays as it is and grows old, also over a restart", async () => {
  await using house = await openProviderContent();
  house.provider.behave({ json: [] });
  house.provider.behave({ json: items(1, 8) }, "media/getreads");
  const catalogue = house.openCatalogue();
  await catalogue.refresh();
  const fresh = catalogue.status();
  expect(fresh).toMatchObject({ counts: { read: 8 }, readAt: house.clock(), isStale: false });
  house.tokens.length = 0;
  house.clock.advance(20 * MINUTE_IN_MS);
  for (const each of [catalogue, house.openCatalogue()]) {
    await each.refresh();
    expect(each.status()).toEqual({ ...fresh, isStale: true });
  }
});

test("a fault is over once nobody can be asked any more, for other processes as well", async () => {
  await using house = await openProviderContent();
  house.provider.behave({ json: [] });
  house.provider.behave({ json: items(1, 8) }, "media/getreads");
  const catalogue = house.openCatalogue();
  await catalogue.refresh();
  const good = catalogue.status();
  house.clock.advance(MINUTE_IN_MS);
  house.provider.behave("html-500", "media/getreads");
  await catalogue.refresh();
  const fault = expect.stringContaining("500") as string;
  expect(catalogue.status()).toEqual({ ...good, fault });
  const other = house.openCatalogue();
  await other.open();
  expect(other.status()).toEqual({ ...good, fault });

  house.tokens.length = 0;
  await catalogue.refresh();
  expect(catalogue.status()).toEqual(good);
  const later = house.openCatalogue();
  await later.open();
  expect(later.status()).toEqual(good);
  await other.refresh();
  expect(other.status()).toEqual(good);
});

test("where nothing was ever read a house is ready all the same, and says that it knows nothing", async () => {
  await using house = await openProviderContent({ tokens: [] });
  const catalogue = house.openCatalogue();
  await catalogue.open();
  expect(catalogue.isReady()).toBe(false);
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(true);
  expect(catalogue.status()).toMatchObject({ readAt: undefined, isStale: true, fault: undefined });
});

test("pictures are those of the provider's own host alone", async () => {
  await using house = await openProviderContent();
  const { url } = house.provider;
  const media = (address: string) => ({ _embedded: { "wp:featuredmedia": [{ source_url: address }] } });
  house.provider.behave({ json: [] });
  house.provider.behave(
    { json: [item(1, media(`${url}/api/media/files/a.webp`)), item(2, media("http://127.0.0.1:9/b.webp"))] },
    "media/getreads",
  );
  const [own, foreign] = (await house.source.listItems()) as {
    _embedded: { "wp:featuredmedia": { source_url: string }[] };
  }[];
  expect(foreign?._embedded["wp:featuredmedia"]).toEqual([]);
  const name = own?._embedded["wp:featuredmedia"][0]?.source_url.replace("media/", "") ?? "";
  expect(name).toMatch(/^[\da-f]{32}\.webp$/);
  house.provider.behave("reset", "media/files/a.webp");
  expect(await house.source.findMedia(name, 400)).toBe("away");
  house.clock.advance(60_000);
  house.provider.behave({ text: "<svg onload=alert(1)>" }, "media/files/a.webp");
  expect(await house.source.findMedia(name, 400)).toBeUndefined();
});
