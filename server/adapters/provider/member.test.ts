import { expect, test } from "vitest";

import type { SeenCall } from "../../../tests/fakes/hostile-provider.ts";
import { held, item, items, openProviderContent, readItems } from "../../../tests/helpers/content-app.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { MINUTE_IN_MS } from "../../platform/clock.ts";
import { createAnyMember } from "./member.ts";

/** A provider that shows its lists only to these tokens. */
const onlyFor = (token: string) => (call: SeenCall) =>
  call.headers.authorization === token ? { json: items(1, 3) } : { json: { message: "no" }, status: 403 };

test("asks first with the token that was accepted last, however many members without a subscription came since", async () => {
  await using app = await openProviderContent();
  app.provider.behave(onlyFor("good"));
  await app.source.listItems();
  const newer = Array.from({ length: 30 }, (_, index) => held(`lapsed ${index}`, 100 + index));
  app.tokens.unshift(...newer);
  app.provider.seen.length = 0;
  expect(await app.source.listItems()).toHaveLength(9);
  expect(app.provider.seen.map(({ headers }) => headers.authorization)).toEqual(["good", "good", "good"]);
});

test("skips refused members for a while, until another is accepted", async () => {
  const lapsed = Array.from({ length: 50 }, (_, index) => held(`lapsed ${index}`, 100 + index));
  await using app = await openProviderContent({ tokens: [...lapsed, held("good")] });
  app.provider.behave(onlyFor("good"));
  expect(await app.source.listItems()).toBeUndefined();
  expect(await app.source.listItems()).toBeUndefined();
  expect(await app.source.listItems()).toHaveLength(9);
  const tokensSeen = app.provider.seen.map(({ headers }) => String(headers.authorization));
  expect(tokensSeen).toEqual([...lapsed.map(({ token }) => token), "good", "good", "good"]);
});

test("asks again with refused members after a minute, because one may have subscribed", async () => {
  await using app = await openProviderContent({ tokens: [held("first", 1), held("second", 2)] });
  app.provider.behave(onlyFor("nobody"));
  expect(await app.source.listItems()).toBeUndefined();
  app.provider.behave(onlyFor("second"));
  expect(await app.source.listItems()).toBeUndefined();
  expect(app.provider.seen).toHaveLength(2);
  app.clock.advance(MINUTE_IN_MS);
  expect(await app.source.listItems()).toHaveLength(9);
});

test("skips a member without a subscription, and logs out one whose token has expired", async () => {
  await using app = await openProviderContent({ tokens: [held("over"), held("none", 2), held("good", 3)] });
  const answers: Record<string, number> = { over: 401, none: 403 };
  app.provider.behave(({ headers }) => {
    const status = answers[String(headers.authorization)] ?? 200;
    return { json: status === 200 ? items(1, 3) : { message: "no" }, status };
  });
  expect(await app.source.listItems()).toHaveLength(9);
  expect(app.dropped).toEqual(["over"]);
  const tokensSeen = app.provider.seen.map(({ headers }) => headers.authorization);
  // The last accepted token is used first.
  expect(tokensSeen).toEqual(["over", "none", "good", "good", "good"]);
});

/** The name under which we serve a provider's file, once its lists show it. */
async function showFile(app: Awaited<ReturnType<typeof openProviderContent>>, address: string): Promise<string> {
  const cover = { _embedded: { "wp:featuredmedia": [{ source_url: address }] } };
  const film = { acf: { video_url: address } };
  app.provider.behave({ json: [item(1, address.endsWith(".mp4") ? film : cover)] }, "media/getreads");
  const files = JSON.stringify(readItems(await app.source.listItems()));
  app.provider.seen.length = 0;
  return /media\/([\da-f]{32}\.\w+)/.exec(files)?.[1] ?? "";
}

const crowd = () => Array.from({ length: 25 }, (_, index) => held(`member ${index}`, 100 + index));

test.each([401, 403])("a public picture that answers %i blames no token and is asked for once", async (status) => {
  await using app = await openProviderContent({ tokens: crowd() });
  const name = await showFile(app, `${app.provider.url}/uploads/a.webp`);
  app.provider.behave({ text: "no", status }, "/uploads/a.webp");
  expect(await app.source.findMedia(name, 400)).toBeUndefined();
  expect(app.provider.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  expect(app.dropped).toEqual([]);
  expect(await app.source.listItems()).toHaveLength(1);
  expect(app.provider.seen.slice(1).map(({ headers }) => headers.authorization)).toEqual(Array(3).fill("member 0"));
});

test("a public film is shown without a logged-in member", async () => {
  await using app = await openProviderContent();
  const name = await showFile(app, `${app.provider.url}/uploads/a.mp4`);
  app.tokens.length = 0;
  app.provider.behave({ text: "film" }, "/uploads/a.mp4");
  expect(await app.source.findMedia(name)).toMatchObject({ sizeInBytes: 4 });
});

test.each([401, 403])("a film of the API that answers %i to every token blames no member", async (status) => {
  await using app = await openProviderContent({ tokens: crowd() });
  const name = await showFile(app, `${app.provider.url}/api/media/files/a.mp4`);
  app.provider.behave({ json: { message: "no" }, status }, "media/files/a.mp4");
  expect(await app.source.findMedia(name)).toBe("away");
  expect(app.provider.seen.map(({ headers }) => headers.authorization)).toEqual(["member 0", "member 1", "member 2"]);
  expect(app.dropped).toEqual([]);
  app.provider.behave({ text: "film" }, "media/files/a.mp4");
  expect(await app.source.findMedia(name)).toMatchObject({ sizeInBytes: 4 });
  expect(app.provider.seen.at(-1)?.headers.authorization).toBe("member 0");
  expect(await app.source.listItems()).toHaveLength(1);
});

test("a file of the API is not asked for with a token that the lists refused, and its answer vouches for no token", async () => {
  await using app = await openProviderContent({ tokens: [held("good")] });
  const name = await showFile(app, `${app.provider.url}/api/media/files/a.mp4`);
  app.provider.behave(
    ({ headers }) => (headers.authorization === "good" ? { text: "film" } : { json: { message: "no" }, status: 403 }),
    "media/files/a.mp4",
  );
  app.tokens.splice(0, 1, held("lapsed 1", 2), held("lapsed 2", 3), held("lapsed 3", 4));
  app.provider.behave({ json: { message: "no" }, status: 403 }, "media/getwatches");
  expect(await app.source.listItems()).toBeUndefined();
  app.provider.seen.length = 0;
  app.tokens.push(held("good"));
  expect(await app.source.findMedia(name)).toMatchObject({ sizeInBytes: 4 });
  expect(app.provider.seen.map(({ headers }) => headers.authorization)).toEqual(["good"]);
});

test("a token that was refused meanwhile is not used again by concurrent calls", async () => {
  const tokens = [...crowd().slice(0, 10), held("good")];
  const { askForList } = createAnyMember({
    tokens: { find: async () => undefined, listNewest: async () => tokens, drop: async () => undefined },
    clock: createTestClock(),
  });
  const quick = Promise.withResolvers<void>();
  const tokensSeen: string[] = [];
  const answerTo = (token: string) => ({ status: token === "good" ? 200 : 403 });
  const slow = askForList(async (token) => {
    tokensSeen.push(token);
    await quick.promise;
    return answerTo(token);
  });
  await askForList(async (token) => answerTo(token));
  quick.resolve();
  expect(await slow).toEqual({ status: 200 });
  expect(tokensSeen).toEqual(["member 0", "good"]);
});
