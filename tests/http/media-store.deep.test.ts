import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";

import { HOUR_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { openFakeS3, s3Key, type S3Manner } from "../fakes/s3.ts";
import { ada, lena, logIn } from "../helpers/account-page.ts";
import { openSite } from "../helpers/site.ts";

const FILM = "breathe-with-the-moon.mp4";
const filmPath = `server/content/bundled/media/${FILM}`;

/** `pushed`: the store has all files. */
async function openStoreSite({ isPushed = true } = {}) {
  const manner: S3Manner = {};
  const fake = await openFakeS3(manner);
  const site = await openSite({
    ORIGIN: "http://dormouse.test",
    MEDIA_URL: fake.bucket,
    S3_REGION: s3Key.region,
    S3_ACCESS_KEY_ID: s3Key.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3Key.secretAccessKey,
  });
  manner.now = () => site.clock();
  const { mediaStore } = site.services;
  if (!mediaStore) throw new Error("There is no store");
  const report = isPushed ? await mediaStore.push() : undefined;
  fake.seen.length = 0;
  const browser = await logIn(site, ada);
  const dispose = async () => {
    await site[Symbol.asyncDispose]();
    await fake[Symbol.asyncDispose]();
  };
  return { fake, site, browser, mediaStore, report, [Symbol.asyncDispose]: dispose };
}

test("a film is led to at the store by a signed address, for a shorter time than that is good", async () => {
  await using open = await openStoreSite();
  const { status, headers, location } = await open.browser.get(`/media/${FILM}`, { Range: "bytes=0-" });
  expect(status).toBe(302);
  expect(location).toMatch(`${open.fake.bucket}/${FILM}?X-Amz-Algorithm=AWS4-HMAC-SHA256`);
  expect([headers.get("Cache-Control"), headers.get("Referrer-Policy"), headers.get("Vary")]).toEqual([
    "private, max-age=3600",
    "no-referrer",
    "Sec-Fetch-Mode",
  ]);
  open.site.clock.advance(6 * HOUR_IN_MS);
  const film = await readFile(filmPath);
  const part = await fetch(location ?? "", { headers: { Range: "bytes=100-199" } });
  expect([part.status, part.headers.get("Content-Type"), part.headers.get("Content-Range")]).toEqual([
    206,
    "video/mp4",
    `bytes 100-199/${film.length}`,
  ]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(film.subarray(100, 200));
});

test("visitors, members without access and names of nothing get no address of a film", async () => {
  await using open = await openStoreSite();
  const outsiders = [open.site.openBrowser(), await logIn(open.site, lena)];
  for (const outsider of outsiders) {
    const { status, location, text } = await outsider.get(`/media/${FILM}`);
    expect([status, location]).toEqual([403, null]);
    expect(text).not.toContain("X-Amz");
  }
  open.fake.objects.set("forgotten.mp4", {
    bytes: Buffer.from("x"),
    contentType: "video/mp4",
    cacheControl: "",
    storedAt: new Date(),
  });
  for (const name of ["forgotten.mp4", "no-such.webp", "..%2Fdormouse-check.txt", "dormouse-check.txt"])
    expect((await open.browser.get(`/media/${name}`)).status, name).toBe(404);
  expect(open.fake.seen).toEqual([]);
});

test("script, captions and HEAD get the bytes from this server, because they could not follow", async () => {
  await using open = await openStoreSite();
  const { browser } = open;
  const film = await readFile(filmPath);
  const kept = await browser.get(`/media/${FILM}`, { "Sec-Fetch-Mode": "cors" });
  expect([kept.status, kept.headers.get("Content-Length")]).toEqual([200, String(film.length)]);
  const head = await browser.request(`/media/${FILM}`, { method: "HEAD" });
  expect([head.status, head.headers.get("Content-Length")]).toEqual([200, String(film.length)]);
  for (const mode of ["no-cors", "navigate"])
    expect((await browser.get(`/media/${FILM}`, { "Sec-Fetch-Mode": mode })).status, mode).toBe(302);
  expect([...open.fake.objects.keys()].filter((key) => key.endsWith(".vtt"))).toEqual([]);
});

test("every file that pages name is pushed once, each picture in the widths that they offer", async () => {
  await using open = await openStoreSite();
  const { fake, browser, mediaStore, report } = open;
  expect(report).toMatchObject({ failures: [], sent: report?.files });
  const pages = ["/?view=watch", "/?view=watch&item=2001&play=1", "/?view=read&item=1001", "/?view=listen", "/awake"];
  const texts = await Promise.all(pages.map(async (page) => (await browser.get(page)).text));
  const named = new Set(texts.flatMap((text) => text.match(/\/media\/[\w.-]+(?:\?w=\d+)?/g) ?? []));
  expect(named.size).toBeGreaterThan(30);
  for (const path of named) expect((await browser.get(path)).status, path).toBe(path.endsWith(".vtt") ? 200 : 302);

  const again = await mediaStore.push();
  expect(again).toEqual({ files: report?.files, sent: 0, bytes: 0, failures: [] });
  fake.objects.delete(FILM);
  expect(await mediaStore.push()).toMatchObject({ sent: 1, bytes: (await readFile(filmPath)).length });
  expect(await mediaStore.push({ again: true })).toMatchObject({ sent: report?.files });
});

test("what the store lacks comes from here once and is sent to it meanwhile", async () => {
  await using open = await openStoreSite({ isPushed: false });
  const { browser, fake } = open;
  const answers = await Promise.all([1, 2, 3].map(() => browser.get(`/media/${FILM}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await vi.waitFor(() => expect(fake.objects.has(FILM)).toBe(true));
  await vi.waitFor(async () => expect((await browser.get(`/media/${FILM}`)).status).toBe(302));
  expect(fake.seen.filter((each) => each.startsWith("PUT"))).toEqual([`PUT /media/${FILM} 200`]);
});

test("a film that began to play from here goes on from here for three hours after the store got it", async () => {
  await using open = await openStoreSite();
  const ask = async (Range: string) => (await open.browser.get(`/media/${FILM}`, { Range })).status;
  const later = ["bytes=1000-", "bytes=0100-", "bytes=-500"];
  for (const range of later) expect(await ask(range), range).toBe(206);
  for (const range of ["bytes=0-", "bytes=0-1", "bytes=00-"]) expect(await ask(range), range).toBe(302);
  open.site.clock.advance(3 * HOUR_IN_MS);
  for (const range of later) expect(await ask(range), range).toBe(302);
});

test("while the store is away the files come from here; the log says so once, without a signature", async () => {
  await using open = await openStoreSite();
  const { browser, fake, site } = open;
  expect((await browser.get(`/media/${FILM}`)).status).toBe(302);
  fake.manner.trouble = "resets";
  site.clock.advance(MINUTE_IN_MS);
  // The first check finds the store away; until then its last state counts.
  await vi.waitFor(async () => expect((await browser.get(`/media/${FILM}`)).status).toBe(200));
  for (const name of [FILM, "rain-on-a-window.mp4"]) expect((await browser.get(`/media/${name}`)).status).toBe(200);
  const lines = site.log.lines.filter(({ event }) => event.includes("media store"));
  expect(lines).toMatchObject([{ level: "warn", event: "the media store is away, and this server sends the files" }]);
  expect(JSON.stringify(site.log.lines)).not.toMatch(/X-Amz|Signature/);

  fake.manner.trouble = undefined;
  site.clock.advance(MINUTE_IN_MS);
  await vi.waitFor(async () => expect((await browser.get(`/media/${FILM}`)).status).toBe(302));
});

test("a key that may not write leaves the files here, and is not tried for each of them", async () => {
  await using open = await openStoreSite({ isPushed: false });
  open.fake.manner.isReadOnly = true;
  for (const name of [FILM, "rain-on-a-window.mp4", "cooling-down-before-bed.mp4"])
    expect((await open.browser.get(`/media/${name}`)).status).toBe(200);
  const findLines = () =>
    open.site.log.lines.filter(({ event }) => event === "a file could not be sent to the media store");
  await vi.waitFor(() => expect(findLines()).toHaveLength(1));
  expect(await open.mediaStore.push()).toMatchObject({ sent: 0, failures: { length: expect.any(Number) } });
});

test("pages let pictures, films and recordings come from the store, and nothing else; without one the policy is as it was", async () => {
  await using open = await openStoreSite();
  await using plain = await openSite({ ORIGIN: "http://dormouse.test" });
  const policyOf = async (site: typeof plain, path: string) =>
    (await (await logIn(site, ada)).get(path)).headers
      .get("Content-Security-Policy")
      ?.replace(/'nonce-[^']+'/g, "NONCE") ?? "";
  for (const path of ["/?view=watch", "/awake", "/kept/read-1001", "/?view=watch&item=2001"]) {
    const [policy, without] = [await policyOf(open.site, path), await policyOf(plain, path)];
    expect(without, path).not.toContain("127.0.0.1");
    const { origin } = new URL(open.fake.url);
    const media = policy.split("; ").filter((each) => each.includes(origin));
    expect(media, path).toEqual([`img-src 'self' ${origin}`, `media-src 'self' ${origin}`]);
    const others = (text: string) => text.split("; ").filter((each) => !/^(?:img|media)-src /.test(each));
    expect(others(policy), path).toEqual(others(without));
  }
  expect((await (await logIn(plain, ada)).get(`/media/${FILM}`)).status).toBe(200);
});

test("a public CDN is led to without a signature, and the bucket behind it is filled", async () => {
  await using fake = await openFakeS3({ isPublic: true });
  const key = {
    S3_REGION: s3Key.region,
    S3_ACCESS_KEY_ID: s3Key.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3Key.secretAccessKey,
  };
  const cdn = fake.bucket.replace("127.0.0.1", "localhost");
  await using site = await openSite({ ORIGIN: "http://dormouse.test", MEDIA_URL: cdn, S3_URL: fake.bucket, ...key });
  await site.services.mediaStore?.push();
  const browser = await logIn(site, ada);
  expect((await browser.get(`/media/${FILM}`)).location).toBe(`${cdn}/${FILM}`);
  expect((await site.openBrowser().get(`/media/${FILM}`)).status).toBe(403);
});
