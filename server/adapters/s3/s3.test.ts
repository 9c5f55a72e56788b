import { expect, test } from "vitest";

import { openFakeS3, s3Key, type S3Manner } from "../../../tests/fakes/s3.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { after, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { S3Setting } from "./client.ts";
import { openS3 } from "./s3.ts";

async function openStore(setting: Partial<S3Setting> = {}, manner: S3Manner = {}) {
  const clock = createTestClock();
  const fake = await openFakeS3({ now: clock, ...manner });
  const bucket = openS3({ url: fake.bucket, bucketUrl: undefined, key: s3Key, ...setting }, { clock });
  return { fake, clock, bucket, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() };
}

function makeFilm(sizeInBytes: number, maxRangeBytes?: number) {
  const parts: number[] = [];
  const read = async (start: number, end: number) => {
    parts.push(end - start + 1);
    return new Uint8Array(end - start + 1).fill(7);
  };
  return { contentType: "video/mp4", sizeInBytes, read, parts, ...(maxRangeBytes && { maxRangeBytes }) };
}

test("a file is stored whole, part by part, with its type and how long it may be cached", async () => {
  await using store = await openStore();
  const film = makeFilm(2_500_000, 1_000_000);
  expect(await store.bucket.find("film.mp4")).toBeUndefined();
  await store.bucket.put("film.mp4", film);
  expect(film.parts).toEqual([1_000_000, 1_000_000, 500_000]);
  expect(await store.bucket.find("film.mp4")).toEqual({ sizeInBytes: 2_500_000, storedAt: store.clock() });
  const { bytes = Buffer.alloc(0), ...stored } = store.fake.objects.get("film.mp4") ?? {};
  expect(bytes.every((byte) => byte === 7)).toBe(true);
  expect(stored).toMatchObject({ contentType: "video/mp4", cacheControl: "max-age=86400" });
});

test("a file that cannot be read to its end is not stored", async () => {
  await using store = await openStore();
  const film = {
    ...makeFilm(600_000),
    read: async (start: number, end: number) => {
      if (start > 0) throw new Error("the film has changed");
      return new Uint8Array(end - start + 1);
    },
  };
  await expect(store.bucket.put("film.mp4", film)).rejects.toThrow("the film has changed");
  expect(store.fake.objects.size).toBe(0);
});

test("an address is good for seven hours or more and twelve at most, for one file and for reading alone", async () => {
  await using store = await openStore();
  const { bucket, clock } = store;
  await bucket.put("film.mp4", makeFilm(10));
  const start = clock();
  const issued: string[] = [];
  for (let quarter = 0; quarter < 16; quarter += 1) {
    const address = bucket.toAddress("film.mp4");
    issued.push(address);
    const at = clock();
    // The store's clock may be slightly behind, and a cache may hold the redirect for an hour.
    for (const [ms, status] of [
      [-10 * MINUTE_IN_MS, 200],
      [0, 200],
      [7 * HOUR_IN_MS, 200],
      [12 * HOUR_IN_MS, 403],
    ] as const) {
      store.fake.manner.now = () => after(at, ms);
      expect((await fetch(address, { headers: { Range: "bytes=0-3" } })).ok, `${ms} ms later`).toBe(status === 200);
    }
    clock.advance(15 * MINUTE_IN_MS);
  }
  store.fake.manner.now = () => start;
  // Browser caches work: within four hours there are two addresses at most.
  expect(new Set(issued).size).toBeLessThanOrEqual(2);
  const [address = ""] = issued;
  for (const method of ["PUT", "HEAD", "DELETE"]) expect((await fetch(address, { method })).status, method).toBe(403);
  expect((await fetch(address.replace("film.mp4", "other.mp4"))).status).toBe(403);
});

test("a CDN without a signature is led to as it is, and the bucket behind it gets the files", async () => {
  await using store = await openStore();
  const cdn = openS3(
    { url: "https://cdn.example/media/", bucketUrl: store.fake.bucket, key: s3Key },
    { clock: store.clock },
  );
  expect([cdn.origin, cdn.hasKey]).toEqual(["https://cdn.example", true]);
  expect(cdn.toAddress("film.mp4")).toBe("https://cdn.example/media/film.mp4");
  await cdn.put("film.mp4", makeFilm(10));
  expect(store.fake.objects.has("film.mp4")).toBe(true);
  const keyless = openS3({ url: store.fake.bucket, bucketUrl: undefined, key: undefined }, { clock: store.clock });
  expect([keyless.hasKey, keyless.toAddress("a.mp4")]).toEqual([false, `${store.fake.bucket}/a.mp4`]);
});

const wrong = (key: Partial<typeof s3Key>) => ({ key: { ...s3Key, ...key } });

const storeAt = (ms: number) => ({ now: () => after(createTestClock()(), ms) });

const findings: { what: string; setting?: Partial<S3Setting>; manner?: S3Manner; says: RegExp }[] = [
  { what: "a private bucket", says: /^127\S+: an object was written, and read by its signed address alone\.$/ },
  {
    what: "another key",
    setting: wrong({ accessKeyId: "OTHER" }),
    says: /403 InvalidAccessKeyId: it does not know S3_ACCESS_KEY_ID\.$/,
  },
  {
    what: "another secret",
    setting: wrong({ secretAccessKey: "other" }),
    says: /SignatureDoesNotMatch: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY do not belong together/,
  },
  { what: "another region", setting: wrong({ region: "us-east-1" }), says: /so set S3_REGION=eu-west-2\.$/ },
  {
    what: "a key that may not write",
    manner: { isReadOnly: true },
    says: /403 AccessDenied: the key may not do it\. Allow it s3:PutObject/,
  },
  { what: "a clock that is ahead", manner: storeAt(-40 * MINUTE_IN_MS), says: /40 minutes ahead of the store's/ },
  { what: "a clock that is behind", manner: storeAt(90 * MINUTE_IN_MS), says: /90 minutes behind the store's/ },
  { what: "a clock that the store bears", manner: storeAt(10 * MINUTE_IN_MS), says: /10 minutes behind the store's/ },
  { what: "a store that is away", manner: { trouble: "resets" }, says: /does not answer: .*Meanwhile this server/ },
  { what: "a store that fails", manner: { trouble: "unavailable" }, says: /answered with 503 SlowDown/ },
  { what: "an open bucket", manner: { isPublic: true }, says: /anyone who guesses an address can read a file/ },
];

test.each(findings)("doctor knows $what", async ({ setting, manner, says }) => {
  await using store = await openStore(setting, manner);
  const { isWell, message } = await store.bucket.check();
  expect(message).toMatch(says);
  expect(isWell).toBe(message.includes("was written, and read"));
  expect(message).not.toMatch(/X-Amz|not\/a\+real/);
});

test("doctor knows a missing bucket, a CDN that leads elsewhere, and one that is open to all", async () => {
  await using store = await openStore({}, { isPublic: true });
  const { url, bucket } = store.fake;
  const check = (setting: Partial<S3Setting>) =>
    openS3({ url: bucket, bucketUrl: undefined, key: s3Key, ...setting }, { clock: store.clock }).check();
  expect(await check({ url: `${url}/none` })).toMatchObject({
    isWell: false,
    message: expect.stringContaining("so MEDIA_URL is wrong"),
  });
  expect(await check({ url: `${url}/none`, bucketUrl: bucket })).toMatchObject({ isWell: false });
  expect(await check({ bucketUrl: `${url}/none` })).toMatchObject({
    message: expect.stringContaining("so S3_URL is wrong"),
  });
  expect(await check({ bucketUrl: bucket, url: `${bucket}/` })).toMatchObject({ isWell: true, isNote: true });
  expect(await check({ key: undefined })).toMatchObject({ isWell: true, isNote: true });
  store.fake.objects.clear();
  expect(await check({ key: undefined })).toMatchObject({
    isNote: true,
    message: expect.stringContaining("has no dormouse-check.txt (404)"),
  });
});

test("a store that says nothing is given up, and no fault shows a signature", async () => {
  await using store = await openStore({}, { trouble: "silent" });
  const { fake, clock } = store;
  const bucket = openS3(
    { url: fake.bucket, bucketUrl: undefined, key: s3Key },
    { clock, timeOut: () => AbortSignal.abort(new Error("two seconds")) },
  );
  for (const work of [bucket.find("film.mp4"), bucket.put("film.mp4", makeFilm(10))]) {
    const fault: unknown = await work.catch((error: unknown) => error);
    expect(String(fault)).toMatch(/^Error: 127\.0\.0\.1:\d+ does not answer: two seconds$/);
  }
});
