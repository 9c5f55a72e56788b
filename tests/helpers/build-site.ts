import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

import { ensureBuild } from "../../server/cli/build.ts";
import { bundlePrograms } from "../../tools/bundle-programs.ts";

/** Our programs that tests often start, by the bundle's name. */
const programs = {
  dormouse: "server/cli/main.ts",
  "saga-process": "tests/saga/saga-process.ts",
  "merge-process": "tests/saga/merge-process.ts",
  "gift-process": "tests/saga/gift-process.ts",
};

/** The path of each. */
export type Bundles = Record<keyof typeof programs, string>;

declare module "vitest" {
  export interface ProvidedContext {
    programs: Bundles;
  }
}

/** Before all tests: makes a current build, and the programs that tests start as processes. */
export default async function setup(project: TestProject) {
  ensureBuild({ buildDir: "build", basePath: "/" });
  const folder = await mkdtemp(join(tmpdir(), "dormouse-programs-"));
  await bundlePrograms(programs, folder);
  const files = Object.keys(programs).map((name) => [name, join(folder, `${name}.mjs`)]);
  project.provide("programs", Object.fromEntries(files) as Bundles);
  return () => rm(folder, { recursive: true });
}
