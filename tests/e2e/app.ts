import { join } from "node:path";

import { readMailFolder, type Email } from "../helpers/mailbox.ts";

/** The parts of an app: a demo's own, real ones, or a provider's. */
export type AppName = "embedded" | "real" | "remote";

export type App = {
  url: string;
  /** The environment that commands need to work on it. */
  settings: Record<string, string>;
  /** The same where the operators of the desk are, if that is not where the members are. */
  deskSettings?: Record<string, string>;
  cardGateway: "demo" | "stripe";
  debits: "demo" | "gocardless";
  /** Hosts on which people pay or agree: a browser may be led there, and no page of ours asks them for anything. */
  pages: string[];
  /** Where its emails can be read as JSON; without one they lie in its outbox. */
  mailUrl?: string;
};

/** The demo of the journeys, as `global-setup.ts` opened it; or the one under `/members/`. */
export function findEmbedded(isUnderPath: boolean): App {
  const url = (isUnderPath ? process.env.MEMBERS_SITE_URL : process.env.SITE_URL) ?? "";
  const dataDir = (isUnderPath ? process.env.MEMBERS_SITE_DATA_DIR : process.env.SITE_DATA_DIR) ?? "";
  const settings = { DEMO: "true", DATA_DIR: dataDir, ORIGIN: new URL(url).origin };
  return { url, settings, cardGateway: "demo", debits: "demo", pages: [] };
}

/** An app that is not the demo, as `global-setup.ts` opened it. */
export function readApp(name: AppName): App {
  return JSON.parse(process.env[`${name.toUpperCase()}_APP`] ?? "") as App;
}

/** Every email an app has written so far. */
export async function readMail({ mailUrl, settings }: App): Promise<Email[]> {
  if (mailUrl === undefined) return readMailFolder(join(settings["DATA_DIR"] ?? "", "outbox"));
  return (await (await fetch(mailUrl)).json()) as Email[];
}
