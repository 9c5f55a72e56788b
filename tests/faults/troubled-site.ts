import { inject } from "vitest";

import { createGoCardless } from "../../server/adapters/gocardless/gocardless.ts";
import type { Message } from "../../server/platform/email/sending.ts";
import type { SunkEmail } from "../fakes/smtp-sink.ts";
import { type FakeContent, type FakeList, listBundledAsWordpress, ORIGIN } from "../fakes/wordpress-items.ts";
import { createNewcomer, type Newcomer } from "../helpers/newcomer.ts";
import { type RealParts, startRealParts, type TakenWebhook } from "../helpers/real-parts.ts";
import { createTickingClock, openSite, type Site } from "../helpers/site.ts";
import { type Line, openLine } from "./line.ts";

/** The built site with real adapters, and a line to each part that can fail. */
export type TroubledSite = Site & {
  parts: RealParts;
  /** For commands over the same lines. */
  env: Record<string, string>;
  lines: Record<PartName, Line>;
  /** Each has its own network address. */
  openNewcomer(): Newcomer;
  deliver(webhook: TakenWebhook | undefined): Promise<number>;
  /** Advances the clock, then runs all jobs. */
  live(ms: number): Promise<void>;
};

export type PartName = keyof typeof addresses;

const addresses = {
  stripe: "STRIPE_API_BASE",
  goCardless: "GOCARDLESS_API_BASE",
  mail: "SMTP_URL",
  cms: "CMS_URL",
  database: "DATABASE_URL",
} as const;

let people = 0;

export async function openTroubledSite(): Promise<TroubledSite> {
  const clock = createTickingClock(new Date().toISOString());
  const content = await listBundledAsWordpress();
  await using opened = new AsyncDisposableStack();
  const parts = opened.use(await startRealParts({ clock, postgresUrl: inject("postgresUrl"), content }));
  const env: Record<string, string> = { ...parts.env, ORIGIN: "http://dormouse.test" };
  const lines = {} as Record<PartName, Line>;
  for (const [part, setting] of Object.entries(addresses) as [PartName, string][]) {
    const address = new URL(env[setting] ?? "");
    lines[part] = opened.use(await openLine(Number(address.port)));
    address.port = String(lines[part].port);
    env[setting] = address.href;
  }
  relocate(content, `http://127.0.0.1:${lines.cms.port}`);
  // As the app opens it, but without pauses in real time between tries.
  const { GOCARDLESS_ACCESS_TOKEN: accessToken = "", GOCARDLESS_WEBHOOK_SECRET: webhookSecret } = env;
  const patience = { timeOut: (ms: number) => AbortSignal.timeout(ms), wait: async () => undefined };
  const debits = createGoCardless({ accessToken, webhookSecret, apiBase: env["GOCARDLESS_API_BASE"], clock, patience });
  const site = opened.use(await openSite(env, { clock, debits }));
  await site.services.catalogue.refresh();
  const running = opened.move();

  const troubled: TroubledSite = {
    ...site,
    parts,
    env,
    lines,
    get emails() {
      return parts.mail.emails.map(toMessage);
    },
    openNewcomer() {
      people += 1;
      const browser = site.openBrowser({ address: `203.0.113.${people}` });
      return createNewcomer(troubled, { email: `person-${people}@example.org`, browser });
    },
    async deliver(webhook) {
      if (!webhook) throw new Error("There is nothing to deliver");
      const { path, body, headers } = webhook;
      return (await site.openBrowser().request(path, { method: "POST", body, headers })).status;
    },
    async live(ms) {
      clock.advance(ms);
      for (const job of site.services.jobs.names()) await site.services.jobs.run(job);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
  return troubled;
}

/** WordPress writes its own address into its answers, and the app compares it with the address that it uses. */
function relocate({ lists }: FakeContent, origin: string): void {
  for (const [name, items] of Object.entries(lists) as [FakeList, FakeContent["lists"][FakeList]][]) {
    lists[name] = JSON.parse(JSON.stringify(items).replaceAll(ORIGIN, origin)) as typeof items;
  }
}

function toMessage({ to, mail }: SunkEmail): Message {
  const { messageId = "", subject = "", text = "", html = "", date = "" } = mail;
  return { id: messageId, to: to[0] ?? "", subject, text, html, createdAt: new Date(date) };
}
