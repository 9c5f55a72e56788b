import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";

import { openFolder } from "../../../tests/helpers/folder.ts";
import { photo } from "../../../tests/helpers/pictures.ts";
import { createQuietLog } from "../../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { findPicture, nameOfAddress, openPictureStore } from "./pictures.ts";

test("the folder never grows past its bound: what was drawn first goes first", async () => {
  await using home = await openFolder();
  const { folder } = home;
  const clock = createTestClock();
  const picture = await photo(800, 600).png().toBuffer();
  const names = Array.from({ length: 5 }, (_, index) => nameOfAddress(`http://cms.test/${index}.png`, "webp"));
  const drawn = openPictureStore({ folder, clock, log: createQuietLog() });
  const first = await findPicture(drawn, { name: names[0] ?? "", width: 400, fetch: async () => picture });
  const size = typeof first === "object" ? first.sizeInBytes : 0;
  expect(size).toBeGreaterThan(10_000);

  const store = openPictureStore({ folder, clock, log: createQuietLog(), maxBytes: 3.5 * size });
  for (const name of names.slice(1)) {
    clock.advance(1000);
    await findPicture(store, { name, width: 400, fetch: async () => picture });
    expect((await readdir(folder)).length).toBeLessThanOrEqual(3);
  }
  const files = await readdir(folder);
  expect(files).toHaveLength(3);
  expect(files).toContain(names[4]?.replace(".webp", "-400.webp"));
  expect(files).not.toContain(names[0]?.replace(".webp", "-400.webp"));
});
