import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A process with a temporary home, which is removed when the process stops. */
export type Program = AsyncDisposable & { ready: string };

type Start = {
  args: (home: string) => string[];
  env?: Record<string, string>;
  prepare?: (home: string) => Promise<void>;
  /**
   * Matches the line that the program prints once it is ready; `ready` is its first group. Without it we do not wait.
   */
  isReady?: RegExp;
};

/** @throws with what the program printed, if it ends before it is ready. */
export async function startProgram(path: string, { args, env, prepare, isReady }: Start): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), "dormouse-browser-"));
  await using stopping = new AsyncDisposableStack();
  // A portal of the desktop that the browser started can hold its folder for longer: the system then removes it.
  stopping.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined));
  await prepare?.(home);
  const child = spawn(path, args(home), {
    env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((settle) => child.once("close", () => settle()));
  stopping.defer(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const ready = await readReady(child, isReady);
  const running = stopping.move();
  return { ready, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function readReady(child: ChildProcess, isReady = /^/): Promise<string> {
  return new Promise((settle, reject) => {
    let printed = "";
    const read = (chunk: Buffer | string) => {
      printed += chunk.toString();
      const found = isReady.exec(printed);
      if (found) settle(found[1] ?? "");
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("close", () => reject(new Error(`${child.spawnfile} did not start:\n${printed}`)));
    child.once("spawn", () => read(""));
  });
}
