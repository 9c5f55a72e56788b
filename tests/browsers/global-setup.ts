import type { TestProject } from "vitest/node";

import { startDemo } from "../helpers/demo-process.ts";

declare module "vitest" {
  export interface ProvidedContext {
    demo: { url: string; dataDir: string };
  }
}

export default async function setup(project: TestProject) {
  const demo = await startDemo();
  project.provide("demo", { url: demo.url, dataDir: demo.dataDir });
  return () => demo.stop();
}
