import { expect, test } from "vitest";

import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { createCatalogue } from "./catalogue.ts";

const item = (id: number, type: string) => ({
  id,
  type,
  date: "2026-11-20T03:00:00",
  title: { rendered: `Item ${id}` },
  content: { rendered: "<p>Text.</p>" },
});

test("the status counts what there is, says since when, and names what was left out and why", async () => {
  const clock = createTestClock();
  let sources: unknown[] | Error = [
    item(1, "videos"),
    item(2, "post"),
    item(3, "post"),
    { id: 4, type: "videos" },
    "odd",
  ];
  const catalogue = createCatalogue({
    source: {
      name: "a list",
      check: async () => ({ isWell: true, says: "" }),
      listItems: async () => {
        if (sources instanceof Error) throw sources;
        return sources;
      },
      findMedia: async () => undefined,
    },
    setting: { productName: "Dormouse", basePath: "/" },
    clock,
    log: createQuietLog(),
    cardsPerPage: 4,
  });
  const none = { watch: 0, read: 0, learn: 0 };
  expect(catalogue.status()).toEqual({
    source: "a list",
    isStale: false,
    counts: none,
    readAt: undefined,
    fault: undefined,
    skipped: [],
    losses: [],
  });

  await catalogue.refresh();
  const readAt = clock();
  const status = catalogue.status();
  expect(status).toMatchObject({ counts: { watch: 1, read: 2, learn: 0 }, readAt, fault: undefined });
  expect(status.skipped).toEqual([
    { id: "4", reason: expect.stringMatching(/^date: .*; title: .*; content: /) },
    { id: "at place 5", reason: expect.stringContaining("expected object") },
  ]);

  clock.advance(60_000);
  sources = new Error("The line is down");
  await catalogue.refresh();
  expect(catalogue.status()).toEqual({ ...status, fault: "Error: The line is down" });

  sources = [item(1, "videos")];
  await catalogue.refresh();
  const mended = {
    source: "a list",
    isStale: false,
    counts: { ...none, watch: 1 },
    readAt: clock(),
    fault: undefined,
    skipped: [],
    losses: [],
  };
  expect(catalogue.status()).toEqual(mended);
});
