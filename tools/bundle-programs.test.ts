import { execFileSync } from "node:child_process";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

import { openFolder } from "../tests/helpers/folder.ts";
import { bundlePrograms } from "./bundle-programs.ts";

const program = `
import { readFileSync } from "node:fs";
import { join } from "node:path";

const beside: string = join(import.meta.dirname, "beside.txt");
console.log(readFileSync(beside, "utf8"), readFileSync(new URL("./beside.txt", import.meta.url), "utf8"));
if (import.meta.main) console.log("not for a bundle");
`;

test("a bundled program finds what is beside its source, also when all has moved", async () => {
  await using own = await openFolder();
  const [project, moved] = [join(own.folder, "project"), join(own.folder, "moved")];
  await mkdir(join(project, "source"), { recursive: true });
  await writeFile(join(project, "source", "program.ts"), program);
  await writeFile(join(project, "source", "beside.txt"), "found");

  await bundlePrograms({ program: join(project, "source", "program.ts") }, join(project, "built", "deep"));
  await rename(project, moved);

  expect(execFileSync(process.execPath, [join(moved, "built", "deep", "program.mjs")], { encoding: "utf8" })).toBe(
    "found found\n",
  );
});
