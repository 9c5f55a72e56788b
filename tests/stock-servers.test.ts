import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";

import { emailsTo, readMailFolder } from "./helpers/mailbox.ts";

test.each([
  ["the framework's own server", ["node_modules/@react-router/serve/dist/cli.js", "build/server/index.js"], {}],
  [
    "the framework's dev server",
    ["node_modules/@react-router/dev/bin.cjs", "dev", "--host", "127.0.0.1", "--port", "0"],
    { NODE_ENV: "development" },
  ],
])("%s runs the same build with the same services, which send their emails", async (_name, command, env) => {
  const dataDir = await mkdtemp(join(tmpdir(), "dormouse-stock-"));
  const { PORT: _, ...inherited } = process.env;
  const server = spawn(process.execPath, command, {
    env: { ...inherited, DEMO: "true", HOST: "127.0.0.1", DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: one of the two does its work in a process of its own, which has to end with it.
    detached: true,
  });
  const address = await new Promise<string>((resolve, reject) => {
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
  const page = await fetch(`${address}/login`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Log In");
  expect(await (await fetch(`${address}/readyz`)).json()).toEqual({ database: true, catalogue: true });
  const email = "member@dormouse.example";
  const asked = await fetch(`${address}/login?reset=1`, {
    method: "POST",
    headers: { Origin: address },
    body: new URLSearchParams({ intent: "reset-request", email }),
    redirect: "manual",
  });
  expect(asked.status).toBe(303);
  const emails = async () => emailsTo(email, await readMailFolder(join(dataDir, "outbox")));
  await expect.poll(emails, { timeout: 20_000 }).toHaveLength(1);
  const closed = new Promise((resolve) => server.once("close", resolve));
  process.kill(-(server.pid ?? 0), "SIGKILL");
  await closed;
  await rm(dataDir, { recursive: true });
});
