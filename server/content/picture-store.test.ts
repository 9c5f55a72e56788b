import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";

import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { nameOfAddress } from "./drawn-pictures.ts";
import { createPictureStore } from "./picture-store.ts";

test("the folder never grows past its bound: what was drawn first goes first", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dormouse-pictures-"));
  const clock = createTestClock();
  const picture = await sharp({
    create: {
      width: 800,
      height: 600,
      channels: 3,
      background: "#432",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  const names = Array.from({ length: 5 }, (_, index) => nameOfAddress(`http://cms.test/${index}.png`, "webp"));
  const drawn = createPictureStore({ folder, clock, log: createQuietLog() });
  const first = await drawn.find({ name: names[0] ?? "", width: 400, fetch: async () => picture });
  const size = typeof first === "object" ? first.sizeInBytes : 0;
  expect(size).toBeGreaterThan(10_000);

  const store = createPictureStore({ folder, clock, log: createQuietLog(), maxBytes: 3.5 * size });
  for (const name of names.slice(1)) {
    clock.advance(1000);
    await store.find({ name, width: 400, fetch: async () => picture });
    expect((await readdir(folder)).length).toBeLessThanOrEqual(3);
  }
  const kept = await readdir(folder);
  expect(kept).toContain(names[4]?.replace(".webp", "-400.webp"));
  expect(kept).not.toContain(names[0]?.replace(".webp", "-400.webp"));
  await rm(folder, { recursive: true });
});
