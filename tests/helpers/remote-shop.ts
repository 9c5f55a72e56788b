import type { Database, Engine } from "../../server/database/database.ts";
import { readConfig } from "../../server/config.ts";
import { createServices } from "../../server/services.ts";
import { API_KEY, openApi } from "./api-client.ts";
import { openTestDatabase } from "./databases.ts";
import type { App } from "./app.ts";
import { openProviderLine, type ProviderLine } from "./provider-line.ts";
import { createFixedContent } from "./fixed-content.ts";
import { createQuietLog } from "./quiet-log.ts";
import { withoutContent, type Site } from "./site.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** An app without accounts of its own, and the provider that has them: both go by one clock. Emails are what the provider sent. */
export type RemoteShop = App & { provider: Site; line: ProviderLine };

type RemoteOptions = { engine?: Engine; clock?: TestClock };

export async function openRemoteShop({
  engine = "sqlite",
  clock = createTestClock(),
}: RemoteOptions = {}): Promise<RemoteShop> {
  const { site: provider } = await openApi({}, { ...withoutContent, clock });
  const line = await openProviderLine(provider);
  const database = await openTestDatabase(engine);
  const front = await openFront({ line, provider, database, clock });
  return {
    ...front,
    provider,
    line,
    [Symbol.asyncDispose]: async () => {
      await line[Symbol.asyncDispose]();
      await front.services.close();
      await provider.services.close();
    },
  };
}

type FrontSetting = { line: ProviderLine; provider: Site; database: Database; clock: TestClock };

/** A front over a database, perhaps one that another has left. */
export async function openFront({ line, provider, database, clock }: FrontSetting): Promise<App> {
  const log = createQuietLog();
  const config = readConfig({ DEMO: "true", ORIGIN: "http://front.test", API_URL: line.url, API_KEY });
  const services = await createServices(config, {
    content: createFixedContent(),
    clock,
    log,
    database,
    providerPatience: { callInMs: 2000, pauseInMs: 1 },
  });
  const { outbox } = services;
  // The provider's emails leave with ours.
  services.outbox = {
    ...outbox,
    deliver: async () => (await outbox.deliver()) + (await provider.services.outbox.deliver()),
  };
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    for (const job of ["handle-webhooks", "reconcile-payments", "send-mail"]) {
      await provider.services.jobs.run(job);
      await services.jobs.run(job);
    }
    await provider.services.outbox.deliver();
  }
  return {
    services,
    clock,
    log,
    database,
    emails: provider.emails,
    pass,
    async comeToRest() {
      for (const minutes of [0.1, 1, 2, 91, 25 * 60, 24 * 60]) await pass(minutes * 60_000);
    },
    [Symbol.asyncDispose]: () => services.close(),
  };
}
