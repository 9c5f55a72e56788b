import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

import { ensureBuild } from "../../server/cli/build.ts";
import { bundlePrograms, type Bundles } from "./bundle.ts";

declare module "vitest" {
  export interface ProvidedContext {
    programs: Bundles;
  }
}

/** Before all tests: makes a current build, and the programs that tests start as processes. */
export default async function setup(project: TestProject) {
  ensureBuild({ buildDir: "build", basePath: "/" });
  const folder = await mkdtemp(join(tmpdir(), "dormouse-programs-"));
  project.provide("programs", await bundlePrograms(folder));
  return () => rm(folder, { recursive: true });
}
