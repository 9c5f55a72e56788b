import { AsyncLocalStorage } from "node:async_hooks";
import { createServer, type ServerResponse } from "node:http";

import { createHttpServer } from "../../server/platform/http/http-server.ts";
import { type CallName, calls } from "../../server/provider/wire.ts";
import { openHostileProvider } from "../fakes/hostile-provider.ts";
import { type App, type AppOptions, openApp } from "./app.ts";
import { API_KEY, type ApiClient, createApiClient } from "./api-client.ts";
import { createFixedContent } from "./fixed-content.ts";
import { openFolder } from "./folder.ts";
import { listen } from "./loopback.ts";
import { createTickingClock, openSite, type Site, type SiteOptions, withoutContent } from "./site.ts";
import { createTestClock } from "./test-clock.ts";

/** A Dormouse that serves its API on a loopback port. A test may interfere with its line. */
export type Provider = AsyncDisposable & {
  site: Site;
  api: ApiClient;
  url: string;
  calls: CallName[];
  /** `meddling` is called before and after each of the provider's calls. */
  meddle(meddling: Meddling): void;
  stop(): void;
  /** Cuts off hanging calls. */
  hangUp(): void;
};

export type Moment = "before" | "after";

/** `hang-up`: the answer is lost. `hang`: none ever comes. Or an answer in place of the provider's. */
export type Trouble = "hang-up" | "hang" | { status: number; type: string; body: string };
export type Meddling = (call: CallName, moment: Moment) => Trouble | undefined;

/** From a broken proxy before the provider. */
export const gatewayPage = (status: number): Trouble => ({ status, type: "text/html", body: "<h1>Bad gateway</h1>" });

/** Only the first time that the call comes to this moment. */
export function meddleOnce(call: CallName, moment: Moment, trouble: Trouble): Meddling {
  let isOver = false;
  return (name, now) => {
    if (isOver || name !== call || now !== moment) return undefined;
    isOver = true;
    return trouble;
  };
}

const names = new Map(Object.entries(calls).map(([name, { path }]) => [`/api/${path}`, name as CallName]));

export async function openProvider(options: SiteOptions = {}): Promise<Provider> {
  const site = await openSite({ API_KEY }, options);
  const made: CallName[] = [];
  let meddling: Meddling | undefined;
  const answering = new AsyncLocalStorage<ServerResponse>();
  const hanging = new Set<ServerResponse>();

  /** Replaces the provider's answer, if a test interferes with this call. */
  function makeTrouble(trouble: Trouble | undefined): Promise<Response> | undefined {
    const line = answering.getStore();
    if (trouble === undefined || line === undefined) return undefined;
    if (typeof trouble === "object") {
      const { status, type, body } = trouble;
      return Promise.resolve(new Response(body, { status, headers: { "Content-Type": type } }));
    }
    if (trouble === "hang") return new Promise(() => hanging.add(line));
    line.destroy();
    return Promise.reject(new Error("The test hung up"));
  }

  const served = createHttpServer({
    http: site.config.http,
    basePath: "/",
    async handler(request, address) {
      const call = names.get(new URL(request.url).pathname.replace(/\/$/, ""));
      if (call) made.push(call);
      const before = call && makeTrouble(meddling?.(call, "before"));
      if (before) return { response: await before };
      const answer = await site.handler(request, address);
      const after = call && makeTrouble(meddling?.(call, "after"));
      return after ? { response: await after } : answer;
    },
    admit: async () => ({ kind: "form" }),
    answerRefusal: (_request, { status }) => new Response(null, { status }),
    staticFiles: () => false,
    log: site.log,
  });
  const server = createServer((request, response) =>
    answering.run(response, () => served.emit("request", request, response)),
  );
  const { url, ...listening } = await listen(server);
  return {
    site,
    api: createApiClient(site),
    url,
    calls: made,
    meddle: (how) => void (meddling = how),
    stop: () => void (meddling = undefined),
    hangUp: () => hanging.forEach((line) => line.destroy()),
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** An app whose accounts and payments are a provider's, with one clock. `emails`: what the provider sent. */
export type RemoteApp = App & { provider: Provider };

type RemoteOptions = Pick<AppOptions, "engine" | "clock" | "content">;

export async function openRemoteApp(options: RemoteOptions = {}): Promise<RemoteApp> {
  const { engine = "sqlite", clock = createTestClock(), content } = options;
  const provider = await openProvider({ ...withoutContent, ...(content && { content }), clock });
  return { ...closeAfter(await openFrontFor(provider, { engine, content }), provider), provider };
}

/** For a running provider, perhaps over another app's database. */
export async function openFrontFor(provider: Provider, options: AppOptions = {}): Promise<App> {
  return putInFront(provider, await openFront(provider.url, { clock: provider.site.clock, ...options }));
}

/** Emails and jobs include the provider's. */
function putInFront<Front extends App>({ site }: Provider, front: Front): Front {
  const { services, pass } = front;
  const { outbox } = services;
  services.outbox = {
    ...outbox,
    deliver: async () => (await outbox.deliver()) + (await site.services.outbox.deliver()),
  };
  return {
    ...front,
    emails: site.emails,
    async pass(ms) {
      await site.pass(ms);
      await pass(0);
    },
  };
}

async function openFront(url: string, options: AppOptions = {}): Promise<App> {
  const { folder, ...removal } = await openFolder();
  const env = { ORIGIN: "http://front.test", API_URL: url, API_KEY, DATA_DIR: folder };
  return closeAfter(await openApp({ env, ...options }), removal);
}

export async function openFrontSite(url: string, options: SiteOptions = {}): Promise<Site> {
  const { folder, ...removal } = await openFolder();
  return closeAfter(await openSite({ API_URL: url, API_KEY, DATA_DIR: folder }, options), removal);
}

/** An app's pages, and its provider; both have the bundled articles unless the provider gets others. */
export async function openRemoteSite(served: SiteOptions = {}): Promise<Site & { provider: Provider }> {
  const clock = createTickingClock(new Date().toISOString());
  const provider = await openProvider({ ...served, clock });
  const front = putInFront(provider, await openFrontSite(provider.url, { clock }));
  return { ...closeAfter(front, provider), provider };
}

function closeAfter<Closing extends AsyncDisposable>(app: Closing, used: AsyncDisposable): Closing {
  return {
    ...app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await used[Symbol.asyncDispose]();
    },
  };
}

/** Its answer also shows whether the member's token is still accepted. */
export const STATUS = "subscription/getsubscriptionstatus";

export const ADA = 7;

const ada = { id: ADA, first_name: "Ada", last_name: "Lovell", email: "ada@app.example" };

/** A test decides the provider's answers about its one member. */
export async function openHostileApp() {
  const provider = await openHostileProvider();
  const options = { content: createFixedContent(), providerPatience: provider.patience };
  const app = closeAfter(await openFront(provider.url, options), provider);
  provider.behave({ json: { jwt_token: "good" } }, "users/grabtoken");
  provider.behave({ json: ada }, "users/login");
  provider.behave({ json: [{ ...ada, id: undefined }] }, "users/getcurrentuser");
  provider.behave({ json: true }, STATUS);
  provider.behave({ json: [] }, "users/fetchCustomers");
  const listCalls = (path: string) => provider.seen.filter((call) => call.path === path);
  /** For any answer of the provider; returns the session's token. */
  async function logIn(): Promise<string> {
    const credentials = { email: ada.email, password: "sleep-well-tonight", address: "198.51.100.1" };
    const result = await app.services.logIn(credentials);
    if (!result.ok) throw new Error(result.reason);
    return result.session.token;
  }
  return {
    ...app,
    provider,
    logIn,
    /** With the token that the provider gives for it. */
    async enter(given = "good"): Promise<string> {
      provider.behave({ json: { jwt_token: given } }, "users/grabtoken");
      return logIn();
    },
    count: (path: string) => listCalls(path).length,
    /** In order. */
    listTokens: (path: string) => listCalls(path).map(({ headers }) => headers.authorization),
    findAccess: () => app.services.membership.findAccess(ADA),
  };
}
