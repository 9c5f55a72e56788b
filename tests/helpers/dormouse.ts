import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { resolve } from "node:path";

import { runCommand } from "../../server/cli/run-command.ts";

export type Run = { code: number | null; stdout: string; stderr: string };

/** Node's compile cache: a command then takes half the time. */
export const compiled = resolve("node_modules/.cache/compiled");

/** The command line in a process, with no settings but these. */
export type Dormouse = {
  run(...args: string[]): Promise<Run>;
  /** Runs a command that must succeed, and parses its JSON. */
  ask<Json = Record<string, unknown>>(...args: string[]): Promise<Json>;
};

/** `program` may be a bundle, which starts faster. */
export function createDormouse(env: Record<string, string>, program = resolve("server/cli/main.ts")): Dormouse {
  async function run(...args: string[]): Promise<Run> {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise<number | null>((settle) => child.once("exit", settle));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, stdout, stderr };
  }

  return { run, ask: (...args) => readJson(run, args) };
}

/** In this process, for all that does not depend on being one. */
export function createCommands(env: Record<string, string>): Dormouse {
  // One after another: two connections of this process to SQLite would deadlock.
  let last: Promise<unknown> = Promise.resolve();
  function run(...args: string[]): Promise<Run> {
    const next = last.then(() => runNow(args));
    last = next.catch(() => undefined);
    return next;
  }

  async function runNow(args: string[]): Promise<Run> {
    const [stdout, stderr] = [[] as string[], [] as string[]];
    const code = await runCommand(args, {
      env,
      print: (line) => void stdout.push(`${line}\n`),
      complain: (line) => void stderr.push(`${line}\n`),
    });
    return { code, stdout: stdout.join(""), stderr: stderr.join("") };
  }

  return { run, ask: (...args) => readJson(run, args) };
}

async function readJson<Json>(run: Dormouse["run"], args: string[]): Promise<Json> {
  const { code, stdout, stderr } = await run(...args, "--json");
  if (code !== 0) throw new Error(`dormouse ${args.join(" ")} ended with ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as Json;
}
