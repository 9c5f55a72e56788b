import { appendFile, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { openContentHouse } from "../../../tests/helpers/content-house.ts";
import { MINUTE_IN_MS } from "../../clock.ts";

test("a start with the CMS down shows what was read last, and says since when and why", async () => {
  await using house = await openContentHouse();
  await house.catalogue.refresh();
  const readAt = house.clock();
  house.clock.advance(20 * MINUTE_IN_MS);
  house.cms.trouble = { kind: "reset" };
  await house.catalogue.refresh();

  const next = house.restart();
  house.cms.requests.length = 0;
  await next.catalogue.open();
  expect(house.cms.requests).toEqual([]);
  expect(next.catalogue.isReady()).toBe(true);
  const { counts, fault } = next.catalogue.status();
  expect(next.catalogue.status()).toMatchObject({ counts: { watch: 3, read: 3, learn: 3 }, readAt, isStale: true });
  expect(fault).toContain("cannot be reached");
  expect(next.catalogue.findItem("watch", 43)).toEqual(house.catalogue.findItem("watch", 43));

  await next.catalogue.refresh();
  expect(next.catalogue.status()).toMatchObject({ counts, readAt });
});

test("a process that starts reads only what has changed since", async () => {
  await using house = await openContentHouse();
  await house.catalogue.refresh();
  const next = house.restart();
  await next.catalogue.open();
  house.clock.advance(10 * MINUTE_IN_MS);
  house.cms.save("posts", { id: 25, title: { rendered: "Told anew" } });
  house.cms.sentItems = 0;
  await next.catalogue.refresh();
  expect(house.cms.sentItems).toBe(1);
  expect(next.catalogue.findItem("read", 25)?.title).toBe("Told anew");
  expect(next.catalogue.status().isStale).toBe(false);
});

test("without anything on disk a start waits for nobody", async () => {
  await using house = await openContentHouse();
  house.cms.trouble = { kind: "slow" };
  await house.catalogue.open();
  expect(house.cms.requests).toEqual([]);
  expect(house.catalogue.isReady()).toBe(false);
  expect(house.log.lines).toEqual([]);
});

describe("what is on disk and cannot be used", () => {
  const change: [string, (path: string) => Promise<void>][] = [
    ["is cut off", async (path) => truncate(path, (await readFile(path)).length - 900)],
    [
      "lacks its last lines",
      async (path) => writeFile(path, (await readFile(path, "utf8")).split("\n").slice(0, 4).join("\n")),
    ],
    ["has something behind it", (path) => appendFile(path, "garbage\n")],
    ["is empty", (path) => writeFile(path, "")],
    ["is not ours", (path) => writeFile(path, Buffer.from([0, 255, 10, 1]))],
    [
      "is of an older format",
      async (path) => writeFile(path, (await readFile(path, "utf8")).replace('"format":2', '"format":1')),
    ],
    [
      "is of another CMS",
      async (path) => writeFile(path, (await readFile(path, "utf8")).replace('"cms":"http', '"cms":"https')),
    ],
  ];

  test.each(change)("because it %s, is left alone with a line in the log, and written anew", async (_, spoil) => {
    await using house = await openContentHouse();
    await house.catalogue.refresh();
    await spoil(join(house.folder, "items.ndjson"));
    const next = house.restart();
    await next.catalogue.open();
    expect(next.catalogue.isReady()).toBe(false);
    expect(next.log.lines.map(({ event }) => event)).toEqual([
      "the catalogue on disk cannot be used; it will be read anew",
    ]);
    await next.catalogue.refresh();
    expect(next.catalogue.status()).toMatchObject({ counts: { watch: 3 }, fault: undefined });

    const third = house.restart();
    await third.catalogue.open();
    expect(third.catalogue.isReady()).toBe(true);
  });
});

test("one that is given up at its first line is let go of, whatever of it was still being read", async () => {
  await using house = await openContentHouse();
  await house.catalogue.refresh();
  await writeFile(join(house.folder, "items.ndjson"), `{"format":1}\n${"of an older format\n".repeat(100_000)}`);
  const faults: unknown[] = [];
  const listen = (error: unknown) => void faults.push(error);
  process.on("uncaughtExceptionMonitor", listen);
  const starts = Array.from({ length: 200 }, () => house.restart().catalogue);
  await Promise.all(starts.map((catalogue) => catalogue.open()));
  process.off("uncaughtExceptionMonitor", listen);
  expect(faults).toEqual([]);
  expect(starts.map((catalogue) => catalogue.isReady())).not.toContain(true);
});

test("what is written appears whole, and drafts are not left about", async () => {
  await using house = await openContentHouse();
  await Promise.all([
    house.catalogue.refresh(),
    house.restart().catalogue.refresh(),
    house.restart().catalogue.refresh(),
  ]);
  expect((await readdir(house.folder)).toSorted()).toEqual(["items.ndjson", "standing.json"]);
});

test("a folder that cannot be written costs nobody a thing but a line in the log", async () => {
  await using house = await openContentHouse({ given: { folder: join(import.meta.filename, "nowhere") } });
  await house.catalogue.refresh();
  expect(house.catalogue.status()).toMatchObject({ counts: { watch: 3 }, fault: undefined });
  expect(house.log.lines.map(({ level }) => level)).toContain("error");
});
