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

/** A provider: a Dormouse that serves its API on a loopback port. A test may meddle with its line. */
export type Provider = AsyncDisposable & {
  site: Site;
  api: ApiClient;
  /** For `API_URL`. */
  url: string;
  /** The calls that were made, in order. */
  calls: CallName[];
  /** `meddling` is asked before the provider handles a call, and after. */
  meddle(meddling: Meddling): void;
  stop(): void;
  /** Cuts the calls off that hang. */
  hangUp(): void;
};

export type Moment = "before" | "after";

/** `hang-up`: the answer is lost. `hang`: none ever comes. Or the answer in place of the provider's. */
export type Trouble = "hang-up" | "hang" | { status: number; type: string; body: string };
export type Meddling = (call: CallName, moment: Moment) => Trouble | undefined;

/** The answer of a broken proxy before the provider. */
export const gatewayPage = (status: number): Trouble => ({ status, type: "text/html", body: "<h1>Bad gateway</h1>" });

/** Meddles with a call the first time that it comes to this moment. */
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

  /** The answer in place of the provider's, if a test meddles with this call. */
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

/** An app whose accounts and payments are a provider's. Both go by one clock; the emails are what the provider sent. */
export type RemoteApp = App & { provider: Provider };

type RemoteOptions = Pick<AppOptions, "engine" | "clock" | "content">;

export async function openRemoteApp(options: RemoteOptions = {}): Promise<RemoteApp> {
  const { engine = "sqlite", clock = createTestClock(), content } = options;
  const provider = await openProvider({ ...withoutContent, ...(content && { content }), clock });
  return { ...closeAfter(await openFrontFor(provider, { engine, content }), provider), provider };
}

/** An app of a provider that runs already, perhaps over a database that another has left. */
export async function openFrontFor(provider: Provider, options: AppOptions = {}): Promise<App> {
  return putInFront(provider, await openFront(provider.url, { clock: provider.site.clock, ...options }));
}

/** The app whose emails and jobs include the provider's. */
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

/** An app of the provider at an address. */
async function openFront(url: string, options: AppOptions = {}): Promise<App> {
  const { folder, ...removal } = await openFolder();
  const env = { ORIGIN: "http://front.test", API_URL: url, API_KEY, DATA_DIR: folder };
  return closeAfter(await openApp({ env, ...options }), removal);
}

/** The pages of an app of the provider at an address. */
export async function openFrontSite(url: string, options: SiteOptions = {}): Promise<Site> {
  const { folder, ...removal } = await openFolder();
  return closeAfter(await openSite({ API_URL: url, API_KEY, DATA_DIR: folder }, options), removal);
}

/** The pages of an app, and its provider; both have the articles that come with the product unless the provider is given others. */
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

/** The call that says whether a subscription is active, and so whether the member's token is still accepted. */
export const STATUS = "subscription/getsubscriptionstatus";

/** The number of the one member of the provider of `openHostileApp`. */
export const ADA = 7;

const ada = { id: ADA, first_name: "Ada", last_name: "Lovell", email: "ada@app.example" };

/** An app of a provider that knows one member, and whose answers a test decides. */
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
  /** Logs in, with whatever the provider answers; answers the token of the session. */
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
    /** Logs in, with the token that the provider gives for it. */
    async enter(given = "good"): Promise<string> {
      provider.behave({ json: { jwt_token: given } }, "users/grabtoken");
      return logIn();
    },
    count: (path: string) => listCalls(path).length,
    /** The tokens that a call was made with, in order. */
    listTokens: (path: string) => listCalls(path).map(({ headers }) => headers.authorization),
    findAccess: () => app.services.membership.findAccess(ADA),
  };
}
