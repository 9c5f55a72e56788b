import { join } from "node:path";

import { readMailFolder, type Email } from "../helpers/mailbox.ts";

/** The parts of an app: a demo's, real ones, or a provider's. */
export type AppName = "embedded" | "real" | "remote";

export type App = {
  url: string;
  /** The environment in which commands work on this app. */
  settings: Record<string, string>;
  /** The same for the app with the desk, where that is another one. */
  deskSettings?: Record<string, string>;
  cardGateway: "demo" | "stripe";
  debits: "demo" | "gocardless";
  /** Hosts on which people pay or agree. A browser may be led there; no page of ours requests anything from them. */
  pages: string[];
  /** Where its emails can be read as JSON. By default they are in its outbox. */
  mailUrl?: string;
};

/** The demo that `global-setup.ts` opened, at the root or under `/members/`. */
export function findEmbedded(isUnderPath: boolean): App {
  const url = (isUnderPath ? process.env.MEMBERS_SITE_URL : process.env.SITE_URL) ?? "";
  const dataDir = (isUnderPath ? process.env.MEMBERS_SITE_DATA_DIR : process.env.SITE_DATA_DIR) ?? "";
  const settings = { DEMO: "true", DATA_DIR: dataDir, ORIGIN: new URL(url).origin };
  return { url, settings, cardGateway: "demo", debits: "demo", pages: [] };
}

export function readApp(name: AppName): App {
  return JSON.parse(process.env[`${name.toUpperCase()}_APP`] ?? "") as App;
}

export async function readMail({ mailUrl, settings }: App): Promise<Email[]> {
  if (mailUrl === undefined) return readMailFolder(join(settings["DATA_DIR"] ?? "", "outbox"));
  return (await (await fetch(mailUrl)).json()) as Email[];
}
