import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, inject } from "vitest";

import type { Bundles } from "../helpers/build-site.ts";
import { compiled } from "../helpers/dormouse.ts";

/** Runs a program that kills itself on the way, as a power cut would. */
export async function runUntilKilled(program: keyof Bundles, errand: object): Promise<void> {
  const killed = spawn(process.execPath, [inject("programs")[program], JSON.stringify(errand)], {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    stdio: ["ignore", "inherit", "inherit"],
  });
  expect(await once(killed, "exit")).toEqual([null, "SIGKILL"]);
}
