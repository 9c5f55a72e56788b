import { appendFile, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { openContentApp } from "../../../tests/helpers/content-app.ts";
import { MINUTE_IN_MS } from "../../platform/clock.ts";

test("a start with the CMS down shows what was read last, and says since when and why", async () => {
  await using app = await openContentApp();
  await app.catalogue.refresh();
  const readAt = app.clock();
  app.clock.advance(20 * MINUTE_IN_MS);
  app.cms.trouble = { kind: "reset" };
  await app.catalogue.refresh();

  const next = app.restart();
  app.cms.requests.length = 0;
  await next.catalogue.open();
  expect(app.cms.requests).toEqual([]);
  expect(next.catalogue.isReady()).toBe(true);
  const { counts, fault } = next.catalogue.status();
  expect(next.catalogue.status()).toMatchObject({ counts: { watch: 3, read: 3, learn: 3 }, readAt, isStale: true });
  expect(fault).toContain("cannot be reached");
  const [shown, before] = [next, app].map(({ catalogue }) => catalogue.findItem("watch", 43));
  expect(shown).toEqual({ ...before, readTexts: shown?.readTexts });
  expect(shown?.readTexts()).toEqual(before?.readTexts());

  await next.catalogue.refresh();
  expect(next.catalogue.status()).toMatchObject({ counts, readAt });
});

test("a process that starts reads only what has changed since", async () => {
  await using app = await openContentApp();
  await app.catalogue.refresh();
  const next = app.restart();
  await next.catalogue.open();
  app.clock.advance(10 * MINUTE_IN_MS);
  app.cms.save("posts", { id: 25, title: { rendered: "Told anew" } });
  app.cms.sentItems = 0;
  await next.catalogue.refresh();
  expect(app.cms.sentItems).toBe(1);
  expect(next.catalogue.findItem("read", 25)?.title).toBe("Told anew");
  expect(next.catalogue.status().isStale).toBe(false);
});

test("a start without kept content does not wait for the CMS", async () => {
  await using app = await openContentApp();
  app.cms.trouble = { kind: "slow" };
  await app.catalogue.open();
  expect(app.cms.requests).toEqual([]);
  expect(app.catalogue.isReady()).toBe(false);
  expect(app.log.lines).toEqual([]);
});

describe("an unusable file on disk", () => {
  const replace = (from: string, to: string) => async (path: string) =>
    writeFile(path, (await readFile(path, "utf8")).replace(from, to));
  const change: [string, (path: string) => Promise<void>][] = [
    ["is cut off", async (path) => truncate(path, (await readFile(path)).length - 900)],
    [
      "lacks its last lines",
      async (path) => writeFile(path, (await readFile(path, "utf8")).split("\n").slice(0, 4).join("\n")),
    ],
    ["has something behind it", (path) => appendFile(path, "garbage\n")],
    ["is empty", (path) => writeFile(path, "")],
    ["is not ours", (path) => writeFile(path, Buffer.from([0, 255, 10, 1]))],
    ["is of an older format", replace('"format":2', '"format":1')],
    ["is of another CMS", replace('"cms":"http', '"cms":"https')],
  ];

  test.each(change)("because it %s, is ignored with a log line and written again", async (_, spoil) => {
    await using app = await openContentApp();
    await app.catalogue.refresh();
    await spoil(join(app.folder, "items.ndjson"));
    const next = app.restart();
    await next.catalogue.open();
    expect(next.catalogue.isReady()).toBe(false);
    expect(next.log.lines.map(({ event }) => event)).toEqual([
      "the catalogue on disk cannot be used; it will be read anew",
    ]);
    await next.catalogue.refresh();
    expect(next.catalogue.status()).toMatchObject({ counts: { watch: 3 }, fault: undefined });

    const third = app.restart();
    await third.catalogue.open();
    expect(third.catalogue.isReady()).toBe(true);
  });
});

test("a file refused at its first line is closed, whatever was still being read", async () => {
  await using app = await openContentApp();
  await app.catalogue.refresh();
  await writeFile(join(app.folder, "items.ndjson"), `{"format":1}\n${"of an older format\n".repeat(100_000)}`);
  const faults: unknown[] = [];
  const listen = (error: unknown) => void faults.push(error);
  process.on("uncaughtExceptionMonitor", listen);
  const starts = Array.from({ length: 200 }, () => app.restart().catalogue);
  await Promise.all(starts.map((catalogue) => catalogue.open()));
  process.off("uncaughtExceptionMonitor", listen);
  expect(faults).toEqual([]);
  expect(starts.map((catalogue) => catalogue.isReady())).not.toContain(true);
});

test("a file appears complete or not at all, and no temporary file remains", async () => {
  await using app = await openContentApp();
  await Promise.all([app.catalogue.refresh(), app.restart().catalogue.refresh(), app.restart().catalogue.refresh()]);
  expect((await readdir(app.folder)).toSorted()).toEqual(["items.ndjson", "standing.json"]);
});

test("a folder that cannot be written causes only a log line", async () => {
  await using app = await openContentApp({ given: { folder: join(import.meta.filename, "nowhere") } });
  await app.catalogue.refresh();
  expect(app.catalogue.status()).toMatchObject({ counts: { watch: 3 }, fault: undefined });
  expect(app.log.lines.map(({ level }) => level)).toContain("error");
});
