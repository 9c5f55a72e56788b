import type { AddressInfo } from "node:net";

import { readConfig } from "../../server/config.ts";
import type { Engine } from "../../server/database/database.ts";
import type { Message } from "../../server/email/sending.ts";
import { createHttpServer } from "../../server/http/http-server.ts";
import { createServices, type Services, type ServicesOptions } from "../../server/services.ts";
import { API_KEY, type ApiClient, createApiClient } from "./api-client.ts";
import { openTestDatabase } from "./databases.ts";
import { openFolder } from "./folder.ts";
import { createEmailList } from "./email-list.ts";
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

/** Two apps in one process, which share a clock and nothing else: a provider, and a front that has only its API. */
export type RemoteApp = AsyncDisposable & {
  provider: ServedProvider;
  services: Services;
  clock: TestClock;
  log: QuietLog;
  emails: Message[];
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

export type RemoteOptions = ServicesOptions & {
  /** Of both apps. */
  engine?: Engine;
  served?: SiteOptions;
};

/** The services of a front, without its pages. */
export async function openRemoteApp({ engine = "sqlite", served, ...options }: RemoteOptions = {}): Promise<RemoteApp> {
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

/** The pages of a front whose provider is at an address. */
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

type FrontOptions = ServicesOptions & { engine?: Engine; clock: TestClock };

/** The services of a front whose provider is at an address. */
export async function openFront(url: string, { engine = "sqlite", clock, ...options }: FrontOptions) {
  const { folder, ...removal } = await openFolder();
  const log = createQuietLog();
  const box = createEmailList();
  const database = await openTestDatabase(engine);
  const config = readConfig({ DEMO: "true", API_URL: url, API_KEY, DATA_DIR: folder });
  const services = await createServices(config, { mailer: box, ...options, database, log, clock });
  return {
    services,
    clock,
    log,
    emails: box.emails,
    async [Symbol.asyncDispose]() {
      await services.close();
      await removal[Symbol.asyncDispose]();
    },
  };
}
