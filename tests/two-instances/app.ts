import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { startDemo, type DemoProcess } from "../helpers/demo-process.ts";
import { startRealParts, type RealParts, type TakenWebhook } from "../helpers/real-parts.ts";

/** Two processes on one PostgreSQL, with Stripe and a mail server. */
export type TwoInstances = AsyncDisposable & {
  parts: RealParts;
  doors(): string[];
  /** As a power cut would, and starts another in its place. */
  killFirst(): Promise<void>;
  /** Sends Stripe's events to either instance until stopped, and repeats those that were refused. */
  deliverWebhooks(): { delivered: () => number; stop(): Promise<void> };
  /** Both finish their work. */
  stop(): Promise<void>;
};

/** A supervisor and a vendor try again by their clocks. */
const PAUSE_IN_MS = 100;
const timers = pathToFileURL(join(import.meta.dirname, "timers.ts")).href;

export async function startTwoInstances(): Promise<TwoInstances> {
  await using started = new AsyncDisposableStack();
  const parts = started.use(await startRealParts());
  const { DATA_DIR: _own, CMS_URL: _cms, CMS_TOKEN: _token, ...env } = parts.env;
  const setting = { ...env, NODE_OPTIONS: `--import ${timers}`, LOG_LEVEL: "error" };
  const instances: DemoProcess[] = [];
  started.defer(stop);
  for (const place of [0, 1]) instances[place] = await startDemo(setting);
  const pick = () => instances[Math.floor(Math.random() * instances.length)]?.url ?? "";

  async function startPatiently(dataDir: string): Promise<DemoProcess> {
    for (;;) {
      // It does not start without its database, so its supervisor starts it again.
      const instance = await startDemo({ ...setting, DATA_DIR: dataDir }).catch(() => undefined);
      if (instance) return instance;
      await wait(PAUSE_IN_MS);
    }
  }

  function deliverWebhooks() {
    let isOver = false;
    let delivered = 0;
    const waiting: TakenWebhook[] = [];
    const work = async () => {
      for (;;) {
        waiting.push(...parts.takeWebhooks());
        for (const webhook of waiting.splice(0)) {
          if (await deliver(webhook, pick())) delivered += 1;
          else waiting.push(webhook);
        }
        if (isOver && waiting.length === 0) return;
        await wait(PAUSE_IN_MS);
      }
    };
    const working = work();
    return {
      delivered: () => delivered,
      async stop() {
        isOver = true;
        await working;
      },
    };
  }

  async function stop(): Promise<void> {
    await Promise.all(instances.map((instance) => instance.stop()));
  }
  const running = started.move();

  return {
    parts,
    doors: () => instances.map(({ url }) => url),
    async killFirst() {
      const [first] = instances;
      first?.signal("SIGKILL");
      await first?.ended;
      instances[0] = await startPatiently(first?.dataDir ?? "");
    },
    deliverWebhooks,
    stop,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function deliver({ path, body, headers }: TakenWebhook, door: string): Promise<boolean> {
  const sent = fetch(new URL(path, door), { method: "POST", body, headers, redirect: "manual" });
  const answer = await sent.catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.ok ?? false;
}
