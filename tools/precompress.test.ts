import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

import { openFolder } from "../tests/helpers/folder.ts";
import { precompress } from "./precompress.ts";

test("compressing a build twice does not compress the compressed files", async () => {
  await using build = await openFolder();
  await writeFile(join(build.folder, "app.css"), "body { color: midnightblue }\n".repeat(50));
  for (let time = 0; time < 2; time += 1) {
    precompress(build.folder);
    const names = await readdir(build.folder);
    expect(names.toSorted()).toEqual(["app.css", "app.css.br", "app.css.gz", "app.css.zst"]);
  }
});
