import { pathToFileURL } from "node:url";

import { fillDemo } from "../../server/cli/demo-data.ts";
import { DEMO_PASSWORD } from "../../server/cli/demo-members.ts";
import { readConfig } from "../../server/config.ts";
import { openDatabase } from "../../server/database/database.ts";
import type { Handler } from "../../server/host/host.ts";
import { createRooms, type Rooms } from "../../server/rooms.ts";
import { createQuietLog, type QuietLog } from "./quiet-log.ts";

/** The built site with demo members, answering requests without a socket. */
export type Site = AsyncDisposable & {
  rooms: Rooms;
  log: QuietLog;
  /** A browser of its own: it keeps cookies and says where a form comes from. */
  openBrowser(options?: BrowserOptions): Browser;
};

type BrowserOptions = { origin?: string; address?: string };

export type Browser = {
  cookies: Map<string, string>;
  get(path: string, headers?: HeadersInit): Promise<Answer>;
  post(path: string, fields: Record<string, string>, headers?: HeadersInit): Promise<Answer>;
  request(path: string, init?: RequestInit): Promise<Answer>;
  logIn(email: string, path?: string): Promise<Answer>;
};

export type Answer = { status: number; headers: Headers; text: string; location: string | null };

const builtEntry = pathToFileURL("build/server/index.js").href;

export async function openSite(env: Record<string, string> = {}): Promise<Site> {
  const { createHandler } = (await import(builtEntry)) as { createHandler(rooms: Rooms): Handler };
  const log = createQuietLog();
  const database = await openDatabase({ kind: "sqlite", path: ":memory:" });
  const rooms = await createRooms(readConfig({ DEMO: "true", ...env }), { database, log });
  await fillDemo(rooms);
  const handler = createHandler(rooms);
  return {
    rooms,
    log,
    openBrowser: (options) => openBrowser(handler, options),
    [Symbol.asyncDispose]: () => rooms.close(),
  };
}

function openBrowser(
  handler: Handler,
  { origin = "http://dormouse.test", address = "198.51.100.1" }: BrowserOptions = {},
): Browser {
  const cookies = new Map<string, string>();

  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set("Cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    const { response, page } = await handler(new Request(origin + path, { ...init, headers }), address);
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
