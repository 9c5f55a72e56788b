import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** One of the framework's own servers as a process on a free port, with the demo's members. */
export type StockServer = { url: string; dataDir: string } & AsyncDisposable;

export const serveCommand = ["node_modules/@react-router/serve/dist/cli.js", "build/server/index.js"];
/** With hot reload. `--force` bundles its packages again, as in a fresh checkout. */
export const devCommand = ["node_modules/@react-router/dev/bin.cjs", "dev", "--host", "127.0.0.1", "--port", "0"];

/** @throws with what the server wrote, when it ends before it names its address. */
export async function startStockServer(command: string[], env: Record<string, string> = {}): Promise<StockServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "dormouse-stock-"));
  const { PORT: _, ...inherited } = process.env;
  const server = spawn(process.execPath, command, {
    env: { ...inherited, DEMO: "true", HOST: "127.0.0.1", DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // In a process group, because one of them starts a process that must end with it.
    detached: true,
  });
  const closed = new Promise((resolve) => server.once("close", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    for (const stream of [server.stdout, server.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const found = /http:\/\/(?:localhost|127\.0\.0\.1):(\d+)/.exec(stripVTControlCharacters(output))?.[1];
        if (found) resolve(`http://127.0.0.1:${found}`);
      });
    }
    server.once("exit", () => reject(new Error(output)));
  });
  return {
    url,
    dataDir,
    async [Symbol.asyncDispose]() {
      process.kill(-(server.pid ?? 0), "SIGKILL");
      await closed;
      await rm(dataDir, { recursive: true });
    },
  };
}
