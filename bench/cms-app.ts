import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { ask, decode, logIn } from "./requests.ts";
import { startFlags, startServer } from "./servers.ts";
import type { App } from "./stage.ts";

/** The product as `npm start` runs it, with the demo's members and a CMS's content. */
export type CmsApp = App &
  AsyncDisposable & {
    /** Changes the CMS's first item, which reports it. */
    change(): Promise<void>;
    /** Waits until the item's page has these words. */
    untilSays(words: string): Promise<void>;
  };

const SECRET = "a-secret-of-the-bench";
const FIRST_ITEM = "/?view=watch&item=1";
const PATIENCE_IN_MS = 120_000;
const PAUSE_IN_MS = 100;

/** Resolves once all content is there. */
export async function startCmsApp(options: { items: number; folder: string; buildDir: string }): Promise<CmsApp> {
  await using opening = new AsyncDisposableStack();
  const cms = opening.use(await startCms(options.items));
  const env = {
    BUILD_DIR: options.buildDir,
    DATA_DIR: join(options.folder, `cms-${options.items}`),
    CMS_URL: cms.url,
    CMS_WEBHOOK_SECRET: SECRET,
  };
  const server = opening.use(await startServer([...startFlags, "server/cli/main.ts", "demo"], { env }));
  const cookie = await logIn(server);
  await untilSays({ server, cookie }, ALL_IS_THERE);
  const open = opening.move();
  return {
    server,
    cookie,
    async change() {
      cms.change();
      const headers = { Authorization: `Bearer ${SECRET}` };
      const { status } = await ask(`${server.origin}/webhooks/cms`, { method: "POST", headers });
      if (status !== 202) throw new Error(`The CMS's signal is answered ${status}`);
    },
    untilSays: (words) => untilSays({ server, cookie }, words),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Waits until the first item's page has these words. */
export async function untilSays({ server, cookie }: App, words: string): Promise<void> {
  const url = server.origin + FIRST_ITEM;
  const end = performance.now() + PATIENCE_IN_MS;
  while (!(await decode(await ask(url, { headers: { Cookie: cookie } }))).includes(words)) {
    if (performance.now() > end) throw new Error(`${url} never says “${words}”`);
    await delay(PAUSE_IN_MS);
  }
}

/** Words of that page once all content is there. */
export const ALL_IS_THERE = "Recommended For You";

export async function startCms(items: number): Promise<AsyncDisposable & { url: string; change(): void }> {
  const child = spawn(process.execPath, ["bench/cms.ts"], {
    env: { ...process.env, ITEMS: String(items) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return {
    url: line.toString().trim(),
    change: () => void child.kill("SIGUSR2"),
    async [Symbol.asyncDispose]() {
      kill();
      process.off("exit", kill);
    },
  };
}
