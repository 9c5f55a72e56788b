import type { AddressInfo } from "node:net";

import { readConfig } from "../../server/config.ts";
import type { Engine } from "../../server/database/database.ts";
import type { Message } from "../../server/email/mailer.ts";
import { createHttpServer } from "../../server/http/http-server.ts";
import { createRooms, type Rooms, type RoomsOptions } from "../../server/rooms.ts";
import { API_KEY, type ApiClient, createApiClient } from "./api-client.ts";
import { openTestDatabase } from "./databases.ts";
import { openFolder } from "./folder.ts";
import { createLetterBox } from "./letter-box.ts";
import { createQuietLog, type QuietLog } from "./quiet-log.ts";
import { createTickingClock, openSite, type Site, type SiteOptions } from "./site.ts";
import type { TestClock } from "./test-clock.ts";

/** A provider's back end on a loopback port: a Dormouse that serves its API. */
export type ServedProvider = AsyncDisposable & {
  site: Site;
  api: ApiClient;
  /** For `API_URL`. */
  url: string;
};

/** Two houses in one process, which share a clock and nothing else: a provider, and a front that has only its API. */
export type RemoteHouse = AsyncDisposable & {
  provider: ServedProvider;
  rooms: Rooms;
  clock: TestClock;
  log: QuietLog;
  letters: Message[];
};

export async function openProvider(options: SiteOptions = {}): Promise<ServedProvider> {
  const site = await openSite({ API_KEY }, options);
  const host = createHttpServer({
    http: readConfig({ DEMO: "true", API_KEY }).http,
    basePath: "/",
    handler: site.handler,
    staticFiles: () => false,
    log: site.log,
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  return {
    site,
    api: createApiClient(site),
    url: `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      host.closeAllConnections();
      await new Promise((resolve) => host.close(resolve));
      await site[Symbol.asyncDispose]();
    },
  };
}

export type RemoteOptions = RoomsOptions & {
  /** Of both houses. */
  engine?: Engine;
  served?: SiteOptions;
};

/** The rooms of a front, without its pages. */
export async function openRemoteHouse({
  engine = "sqlite",
  served,
  ...options
}: RemoteOptions = {}): Promise<RemoteHouse> {
  const clock = createTickingClock(new Date().toISOString());
  const provider = await openProvider({ engine, ...served, clock });
  const front = await openFront(provider.url, { engine, ...options, clock });
  return inFrontOf(provider, front);
}

/** A front with its provider, which closes after it. */
function inFrontOf<Provider extends AsyncDisposable, Front extends AsyncDisposable>(provider: Provider, front: Front) {
  return {
    ...front,
    provider,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** The pages of a front over a provider that is a Dormouse. */
export async function openRemoteSite({ served, ...options }: SiteOptions & { served?: SiteOptions } = {}) {
  const clock = createTickingClock(new Date().toISOString());
  const provider = await openProvider({ ...served, clock });
  const front = await openFrontSite(provider.url, { ...options, clock });
  return inFrontOf(provider, front);
}

/** The pages of a front of whatever stands at an address. */
export async function openFrontSite(url: string, options: SiteOptions = {}): Promise<Site> {
  const { folder, ...removal } = await openFolder();
  const site = await openSite({ API_URL: url, API_KEY, DATA_DIR: folder }, options);
  return {
    ...site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await removal[Symbol.asyncDispose]();
    },
  };
}

type FrontOptions = RoomsOptions & { engine?: Engine; clock: TestClock };

/** The rooms of a front of whatever stands at an address. */
export async function openFront(url: string, { engine = "sqlite", clock, ...options }: FrontOptions) {
  const { folder, ...removal } = await openFolder();
  const log = createQuietLog();
  const box = createLetterBox();
  const database = await openTestDatabase(engine);
  const config = readConfig({ DEMO: "true", API_URL: url, API_KEY, DATA_DIR: folder });
  const rooms = await createRooms(config, { mailer: box, ...options, database, log, clock });
  return {
    rooms,
    clock,
    log,
    letters: box.letters,
    async [Symbol.asyncDispose]() {
      await rooms.close();
      await removal[Symbol.asyncDispose]();
    },
  };
}
