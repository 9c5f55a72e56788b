import { pathToFileURL } from "node:url";

import { DEMO_PASSWORD, fillDemo } from "../../server/cli/demo-data.ts";
import type { Handler } from "../../server/platform/http/http-server.ts";
import type { Services } from "../../server/services.ts";
import { type App, type AppOptions, openApp } from "./app.ts";
import { createFixedContent } from "./fixed-content.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** An app with the built pages and demo members, without a socket. Its clock ticks at each call. */
export type Site = App & {
  /** It stores cookies and sends where a form comes from. */
  openBrowser(options?: BrowserOptions): Browser;
  handler: Handler;
};

export type SiteOptions = Omit<AppOptions, "env" | "mailer" | "database"> & {
  /** Now by default. */
  startsAt?: string;
};

type BrowserOptions = { origin?: string; address?: string };

export type Browser = {
  origin: string;
  cookies: Map<string, string>;
  /** `path` may be a whole address of the site, as in redirects. */
  get(path: string, headers?: HeadersInit): Promise<Answer>;
  post(path: string, fields: Fields, headers?: HeadersInit): Promise<Answer>;
  request(path: string, init?: RequestInit): Promise<Answer>;
  logIn(email: string, path?: string): Promise<Answer>;
};

/** Pairs where a name comes twice. */
export type Fields = Record<string, string> | [name: string, value: string][];

export type Answer = { status: number; headers: Headers; text: string; location: string | null };

/** Content is most of the cost of opening a site. */
export const withoutContent: SiteOptions = {
  content: createFixedContent(),
};

const builtEntry = pathToFileURL("build/server/index.js").href;

/** `env`: added to a demo's settings. The default content is the bundled articles. */
export async function openSite(
  env: Record<string, string> = {},
  { startsAt = new Date().toISOString(), ...options }: SiteOptions = {},
): Promise<Site> {
  const { createHandler } = (await import(builtEntry)) as { createHandler(services: Services): Handler };
  const app = await openApp({ clock: createTickingClock(startsAt), content: "bundled", ...options, env });
  // With a provider the members are there.
  if (!app.config.provider) await fillDemo(app.services);
  const handler = createHandler(app.services);
  return { ...app, handler, openBrowser: (browserOptions) => openBrowser(handler, browserOptions) };
}

export const openQuietSite = (options: SiteOptions = {}) => openSite({}, { ...withoutContent, ...options });

/** No two events have the same time, so newest-first lists have an order. */
export function createTickingClock(startsAt: string): TestClock {
  const clock = createTestClock(startsAt);
  const look = () => {
    clock.advance(1);
    return clock();
  };
  return Object.assign(look, { advance: clock.advance, timeOut: clock.timeOut });
}

function openBrowser(
  handler: Handler,
  { origin = "http://dormouse.test", address = "198.51.100.1" }: BrowserOptions = {},
): Browser {
  const cookies = new Map<string, string>();

  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set("Cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    const url = path.startsWith(origin) ? path : origin + path;
    const { response, page } = await handler(new Request(url, { ...init, headers }), address);
    for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie);
    return {
      status: response.status,
      headers: response.headers,
      text: page && init.method !== "HEAD" ? Buffer.from(page).toString() : await response.text(),
      location: response.headers.get("Location"),
    };
  }

  const post: Browser["post"] = (path, fields, headers = { Origin: origin }) =>
    request(path, { method: "POST", body: new URLSearchParams(fields), headers });

  return {
    origin,
    cookies,
    request,
    post,
    get: (path, headers = {}) => request(path, { headers }),
    logIn: (email, path = "/login") => post(path, { intent: "log-in", email, password: DEMO_PASSWORD }),
  };
}

function keep(cookies: Map<string, string>, cookie: string): void {
  const [pair = "", ...attributes] = cookie.split("; ");
  const [name = "", value = ""] = pair.split("=");
  if (attributes.includes("Max-Age=0")) cookies.delete(name);
  else cookies.set(name, value);
}
