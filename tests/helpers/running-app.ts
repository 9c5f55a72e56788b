import { execFileSync, spawn } from "node:child_process";
import { resolve } from "node:path";

import { compiled } from "./dormouse.ts";
import { openFolder } from "./folder.ts";

/** A production process whose whole output is recorded. */
export type RunningApp = AsyncDisposable & {
  /** NaN if it ended before it was open. */
  port: number;
  dataDir: string;
  /** The exit code, once it has ended. */
  ended: Promise<number | null>;
  output(): string;
  openBrowser(): ProcessBrowser;
  /** No file may grow beyond so many bytes, as on a full disk. `undefined`: no limit. */
  limitFiles(bytes: number | undefined): void;
};

export type ProcessBrowser = {
  cookies: Map<string, string>;
  addresses: string[];
  get(path: string, headers?: HeadersInit): Promise<ProcessAnswer>;
  post(path: string, body: Record<string, string> | FormData, headers?: HeadersInit): Promise<ProcessAnswer>;
};

export type ProcessAnswer = { status: number; headers: Headers; text: string; location: string };

const ORIGIN = "https://members.example.org";

/** Production does not start without them. */
export const production = {
  ORIGIN,
  SESSION_SECRET: "canary-session-secret-8Jq2vXw0Zk4Rt7Ny1Lm",
  CONTACT_URL: "https://www.example.org/contact",
  CONTACT_EMAIL: "hello@example.org",
};

/** The production entry with the required settings and these; `undefined` removes one. */
export async function startApp(env: Record<string, string | undefined> = {}): Promise<RunningApp> {
  const { folder: dataDir, ...removal } = await openFolder();
  const shared = { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, HOST: "127.0.0.1", PORT: "0" };
  const settings = { ...shared, DATA_DIR: dataDir, ...production, ...env };
  const child = spawn(process.execPath, [resolve("server/start.js")], {
    env: settings,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((settle) => child.once("close", settle));
  let output = "";
  const opened = new Promise<number>((settle) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const found = /"port":(\d+)/.exec(output)?.[1];
        if (found) settle(Number(found));
      });
    }
    void ended.then(() => settle(Number.NaN));
  });
  const port = await opened;
  return {
    port,
    dataDir,
    ended,
    output: () => output,
    openBrowser() {
      if (Number.isNaN(port)) throw new Error(`The app did not open:\n${output}`);
      return openProcessBrowser(`http://127.0.0.1:${port}`);
    },
    limitFiles(bytes) {
      limitFiles(child.pid, bytes);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
      await removal[Symbol.asyncDispose]();
    },
  };
}

const SETTER = "prlimit";

/** A write beyond the limit fails half-way. */
export function limitFiles(pid: number | undefined, bytes: number | undefined): void {
  execFileSync(SETTER, ["--pid", String(pid), `--fsize=${bytes ?? "unlimited"}:unlimited`]);
}

export function openProcessBrowser(base: string, origin = ORIGIN): ProcessBrowser {
  const cookies = new Map<string, string>();
  const addresses: string[] = [];

  async function ask(path: string, init: RequestInit): Promise<ProcessAnswer> {
    const address = path.replace(origin, "");
    addresses.push(address);
    const headers = new Headers(init.headers);
    headers.set("Cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    const answer = await fetch(base + address, { ...init, headers, redirect: "manual" });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = answer.headers.get("Location") ?? "";
    const text = await answer.text();
    addresses.push(location, ...[...text.matchAll(/ (?:href|action|src)="([^"]*)"/g)].map(([, found = ""]) => found));
    return { status: answer.status, headers: answer.headers, text, location };
  }

  return {
    cookies,
    addresses,
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, body, headers = {}) =>
      ask(path, {
        method: "POST",
        body: body instanceof FormData ? body : new URLSearchParams(body),
        headers: new Headers([["Origin", origin], ...new Headers(headers)]),
      }),
  };
}
