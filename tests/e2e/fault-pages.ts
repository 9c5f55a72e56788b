import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { readConfig } from "../../server/config.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import type { Handler } from "../../server/platform/http/http-server.ts";
import { createServices, type Services } from "../../server/services.ts";

/** The pages of a built app that cannot read sessions, for a screen's address and any other. */
export type FaultPages = { screen: string; other: string };

/**
 * In its own process: within a test, loading the whole build would take too long. @param scheme the visitor's choice,
 * if any
 */
export async function renderFaultPages(scheme?: "night"): Promise<FaultPages> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, scheme ?? "none"], {
    maxBuffer: 2 ** 24,
  });
  return JSON.parse(stdout) as FaultPages;
}

async function render(scheme: string): Promise<FaultPages> {
  const entry = pathToFileURL(resolve(join("build", "server", "index.js"))).href;
  const { createHandler } = (await import(entry)) as { createHandler(services: Services): Handler };
  const database = await openDatabase({ kind: "sqlite", path: ":memory:" });
  const services = await createServices(readConfig({ DEMO: "true" }), { database, hasContentAtOnce: false });
  const accounts = { ...services.accounts, findCaller: () => Promise.reject(new Error("out of order")) };
  const handle = createHandler({ ...services, accounts, log: { ...services.log, error: () => undefined } });
  const origin = "http://127.0.0.1";
  const headers = { Cookie: `dormouse-session=x; dormouse-scheme=${scheme}`, Origin: origin };
  const ask = async (path: string, method: "GET" | "POST") => {
    const { response, page } = await handle(new Request(origin + path, { method, headers }), "127.0.0.1");
    return page ? Buffer.from(page).toString() : response.text();
  };
  const pages = { screen: await ask("/login", "GET"), other: await ask("/favourites", "POST") };
  await services.close();
  return pages;
}

if (import.meta.main) console.log(JSON.stringify(await render(process.argv[2] ?? "")));
