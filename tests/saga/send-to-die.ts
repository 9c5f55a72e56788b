import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, inject } from "vitest";

import type { Bundles } from "../helpers/bundle.ts";
import { compiled } from "../helpers/dormouse.ts";

/** Runs a program that kills itself in the middle of its errand. */
export async function sendToDie(program: keyof Bundles, errand: object): Promise<void> {
  const dying = spawn(process.execPath, [inject("programs")[program], JSON.stringify(errand)], {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    stdio: ["ignore", "inherit", "inherit"],
  });
  expect(await once(dying, "exit")).toEqual([null, "SIGKILL"]);
}
