import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { compiled } from "./dormouse.ts";

/** A demo as a process on a free port, with a temporary data directory. */
export type DemoProcess = {
  url: string;
  pid: number;
  dataDir: string;
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** The exit code, once it has ended. */
  ended: Promise<number | null>;
  stop(): Promise<void>;
};

/** `npm run demo`, `npm start` and the image start with these. */
const [before = "", after = ""] = readFileSync("deploy/node-flags", "utf8").trim().split(" node ");
const malloc = Object.fromEntries(before.split(" ").map((each) => each.split("=")));
const flags = after.split(" ");

export async function startDemo(env: Record<string, string> = {}): Promise<DemoProcess> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), "dormouse-demo-")));
  const demo = spawn(process.execPath, [...flags, resolve("server/cli/main.ts"), "demo"], {
    env: {
      ...process.env,
      ...malloc,
      NODE_COMPILE_CACHE: compiled,
      PORT: "0",
      HOST: "127.0.0.1",
      TRUST_PROXY: "loopback",
      ...env,
      DATA_DIR: dataDir,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((settle) => demo.once("close", settle));
  let output = "";
  const url = await new Promise<string>((settle, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /is open at (http\S+)/.exec(output)?.[1];
      if (address) settle(address.replace("localhost", "127.0.0.1"));
    };
    demo.stdout.on("data", read);
    demo.stderr.on("data", read);
    void ended.then(() => reject(new Error(`The demo did not start:\n${output}`)));
  });
  return {
    url,
    pid: demo.pid ?? 0,
    dataDir,
    output: () => output,
    signal: (name) => void demo.kill(name),
    ended,
    async stop() {
      demo.kill("SIGTERM");
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
