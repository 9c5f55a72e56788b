import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { precompress } from "./compression.ts";

test("compressing a build twice leaves no forms of forms", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dormouse-precompress-"));
  await writeFile(join(folder, "app.css"), "body { color: midnightblue }\n".repeat(50));
  precompress(folder);
  const compressed = await readdir(folder);
  expect(compressed.toSorted()).toEqual(["app.css", "app.css.br", "app.css.gz", "app.css.zst"]);
  precompress(folder);
  expect(await readdir(folder)).toEqual(compressed);
  await rm(folder, { recursive: true });
});
