import { expect, test } from "vitest";

import { bad, openHostileProvider, type SeenCall } from "../../tests/fakes/hostile-provider.ts";
import { openFolder } from "../../tests/helpers/folder.ts";
import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import { createCatalogue } from "../content/catalogue.ts";
import { createProviderClient } from "../provider-api/provider-client.ts";
import { createProviderContent } from "./provider-content.ts";

const held = (token: string, memberId = 1) => ({ memberId, token, sessionHash: `session of ${token}` });

async function openHouse({ tokens = [held("good")] } = {}) {
  const provider = await openHostileProvider();
  const { folder, ...removal } = await openFolder();
  const setting = { clock: createTestClock(), log: createQuietLog() };
  const patience = { callInMs: 300, listInMs: 300, pauseInMs: 1 };
  const dropped: string[] = [];
  const drop = async ({ token }: { token: string }) => {
    dropped.push(token);
    tokens.splice(0, tokens.length, ...tokens.filter((each) => each.token !== token));
  };
  const find = async (memberId: number) => tokens.find((each) => each.memberId === memberId);
  const listNewest = async (count: number, besides: string[] = []) =>
    tokens.filter(({ sessionHash }) => !besides.includes(sessionHash)).slice(0, count);
  const open = () =>
    createProviderContent({
      ...setting,
      client: createProviderClient({ url: provider.url, key: "a key", patience, ...setting }),
      tokens: { find, listNewest, drop },
      folder,
    });
  return {
    provider,
    tokens,
    dropped,
    open,
    source: open(),
    openCatalogue: () =>
      createCatalogue({
        ...setting,
        source: open(),
        setting: { productName: "Dormouse", mediaBase: "/media/" },
        cardsPerPage: 24,
      }),
    clock: setting.clock,
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await removal[Symbol.asyncDispose]();
    },
  };
}

const item = (id: number, more: object = {}) => ({
  id,
  type: "post",
  date: "2026-11-20T07:00:00",
  title: { rendered: `Item ${id}` },
  content: { rendered: "<p>Sleep.</p>" },
  ...more,
});
const items = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => item(from + index));
const idsOf = (list: unknown[]) => list.map((each) => (each as { id: number }).id);

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
  await using house = await openHouse();
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
  await using house = await openHouse();
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
  await using house = await openHouse();
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
    await using house = await openHouse();
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
  await using house = await openHouse();
  house.provider.behave({ json: [] });
  house.provider.behave({ json: items(1, 8) }, "media/getreads");
  await house.source.listItems();
  house.provider.behave({ json: [] }, "media/getreads");
  await expect(house.source.listItems()).rejects.toThrow(/the provider says that there are no “posts”/);
  expect(await house.source.listItems({ acceptsEmpty: true })).toEqual([]);
});

test("while nobody is logged in, nobody is asked, and nothing is said to have been read", async () => {
  await using house = await openHouse({ tokens: [] });
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
  await using house = await openHouse();
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

test("where nothing was ever read a house is ready all the same, and says that it knows nothing", async () => {
  await using house = await openHouse({ tokens: [] });
  const catalogue = house.openCatalogue();
  await catalogue.open();
  expect(catalogue.isReady()).toBe(false);
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(true);
  expect(catalogue.status()).toMatchObject({ readAt: undefined, isStale: true, fault: undefined });
});

/** A provider that shows its lists to one of these alone. */
const onlyFor = (token: string) => (call: SeenCall) =>
  call.headers.authorization === token ? { json: items(1, 3) } : { json: { message: "no" }, status: 403 };

test("whoever was let in is asked for first, however many without a subscription have come since", async () => {
  await using house = await openHouse();
  house.provider.behave(onlyFor("good"));
  await house.source.listItems();
  const newer = Array.from({ length: 30 }, (_, index) => held(`lapsed ${index}`, 100 + index));
  house.tokens.unshift(...newer);
  house.provider.seen.length = 0;
  expect(await house.source.listItems()).toHaveLength(9);
  expect(house.provider.seen.map(({ headers }) => headers.authorization)).toEqual(["good", "good", "good"]);
});

test("those who were refused are passed over for a while, until one is found who is not", async () => {
  const lapsed = Array.from({ length: 50 }, (_, index) => held(`lapsed ${index}`, 100 + index));
  await using house = await openHouse({ tokens: [...lapsed, held("good")] });
  house.provider.behave(onlyFor("good"));
  expect(await house.source.listItems()).toBeUndefined();
  expect(await house.source.listItems()).toBeUndefined();
  expect(await house.source.listItems()).toHaveLength(9);
  const asked = house.provider.seen.map(({ headers }) => String(headers.authorization));
  expect(asked).toEqual([...lapsed.map(({ token }) => token), "good", "good", "good"]);
});

test("where all were refused they are asked for again after a minute: one may have bought a subscription", async () => {
  await using house = await openHouse({ tokens: [held("first", 1), held("second", 2)] });
  house.provider.behave(onlyFor("nobody"));
  expect(await house.source.listItems()).toBeUndefined();
  house.provider.behave(onlyFor("second"));
  expect(await house.source.listItems()).toBeUndefined();
  expect(house.provider.seen).toHaveLength(2);
  house.clock.advance(MINUTE_IN_MS);
  expect(await house.source.listItems()).toHaveLength(9);
});

test("a member without a subscription is passed over, one whose token is over is logged out", async () => {
  await using house = await openHouse({ tokens: [held("over"), held("none", 2), held("good", 3)] });
  const answers: Record<string, number> = { over: 401, none: 403 };
  house.provider.behave(({ headers }) => {
    const status = answers[String(headers.authorization)] ?? 200;
    return { json: status === 200 ? items(1, 3) : { message: "no" }, status };
  });
  expect(await house.source.listItems()).toHaveLength(9);
  expect(house.dropped).toEqual(["over"]);
  const asked = house.provider.seen.map(({ headers }) => headers.authorization);
  // Whoever was let in before is asked as first.
  expect(asked).toEqual(["over", "none", "good", "good", "good"]);
});

test("pictures are those of the provider's own host alone", async () => {
  await using house = await openHouse();
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
