import type { Database, Engine } from "../../server/database/database.ts";
import { readConfig } from "../../server/config.ts";
import { createRooms } from "../../server/rooms.ts";
import { API_KEY, openApi } from "./api-client.ts";
import { openTestDatabase } from "./databases.ts";
import type { House } from "./house.ts";
import { openProviderLine, type ProviderLine } from "./provider-line.ts";
import { createFixedContent } from "./fixed-content.ts";
import { createQuietLog } from "./quiet-log.ts";
import { withoutContent, type Site } from "./site.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** A house without accounts of its own, and the provider that has them: both go by one clock. Letters are what the provider sent. */
export type RemoteShop = House & { provider: Site; line: ProviderLine };

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
      await front.rooms.close();
      await provider.rooms.close();
    },
  };
}

type FrontSetting = { line: ProviderLine; provider: Site; database: Database; clock: TestClock };

/** A front over a database, perhaps one that another has left. */
export async function openFront({ line, provider, database, clock }: FrontSetting): Promise<House> {
  const log = createQuietLog();
  const config = readConfig({ DEMO: "true", ORIGIN: "http://front.test", API_URL: line.url, API_KEY });
  const rooms = await createRooms(config, {
    content: createFixedContent(),
    clock,
    log,
    database,
    providerPatience: { callInMs: 2000, pauseInMs: 1 },
  });
  const { outbox } = rooms;
  // The provider's letters leave with ours.
  rooms.outbox = { ...outbox, deliver: async () => (await outbox.deliver()) + (await provider.rooms.outbox.deliver()) };
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    for (const task of ["handle-notices", "reconcile-payments", "send-mail"]) {
      await provider.rooms.tasks.run(task);
      await rooms.tasks.run(task);
    }
    await provider.rooms.outbox.deliver();
  }
  return {
    rooms,
    clock,
    log,
    database,
    letters: provider.letters,
    pass,
    async comeToRest() {
      for (const minutes of [0.1, 1, 2, 91, 25 * 60, 24 * 60]) await pass(minutes * 60_000);
    },
    [Symbol.asyncDispose]: () => rooms.close(),
  };
}
