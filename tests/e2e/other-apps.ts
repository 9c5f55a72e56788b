import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import { createStripe } from "../../server/adapters/stripe/stripe.ts";
import { systemClock } from "../../server/platform/clock.ts";
import { listBundledAsWordpress, makeRecording, ORIGIN, type FakeContent } from "../fakes/wordpress-items.ts";
import { startDemo, type DemoProcess } from "../helpers/demo-process.ts";
import type { Email } from "../helpers/mailbox.ts";
import { listen } from "../helpers/loopback.ts";
import { startRealParts, type RealParts, type TakenWebhook } from "../helpers/real-parts.ts";
import type { App } from "./app.ts";

/** How long Stripe and GoCardless take to send an event. */
const WEBHOOKS_AFTER_MS = 100;

/**
 * A demo with PostgreSQL, Stripe, GoCardless, a mail server and a CMS with the bundled content, all on this machine.
 * Closing it throws when a call broke a vendor's contract, when the app refused an event, or when it logged an error.
 */
export async function openRealApp(): Promise<{ app: App } & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const parts = opened.use(await startRealParts({ content: withRecording(await listBundledAsWordpress()) }));
  const mail = opened.use(await serveMail(parts));
  await wakeStripe(parts);
  const demo = await startDemo(parts.env);
  opened.defer(() => stopInPeace(demo));
  await untilReady(demo);
  opened.use(carryWebhooks(parts, demo.url));
  const closing = opened.move();
  return {
    app: {
      url: demo.url,
      settings: { ...parts.env, ORIGIN: new URL(demo.url).origin },
      cardGateway: "stripe",
      debits: "gocardless",
      pages: [parts.stripe.url, parts.goCardless.apiBase],
      mailUrl: mail.url,
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Gives an article a recording and a link to another article; the bundled content has neither. */
function withRecording(content: FakeContent): FakeContent {
  const article = content.lists.posts.find(({ id }) => id === 1003);
  if (!article) throw new Error("There is no article 1003");
  const { rendered } = article["content"] as { rendered: string };
  const player = `<figure class="wp-block-audio"><audio controls autoplay loop src="${ORIGIN}/wp-content/uploads/quiet.wav"></audio><figcaption>A second of quiet</figcaption></figure>`;
  const link = '<p><a href="/post/1004/">The other article</a></p>';
  Object.assign(article, { content: { rendered: `${rendered}${player}${link}`, protected: false } });
  content.uploads.set("quiet.wav", makeRecording());
  return content;
}

/** Compiling Stripe's description takes seconds: a call before the journeys spares the first payer that. */
async function wakeStripe({ stripe }: RealParts): Promise<void> {
  const gateway = createStripe({ ...stripe.keys, apiBase: stripe.url, clock: systemClock });
  await gateway.createCustomer({
    key: "first",
    email: "first@example.org",
    name: "Ada",
    postcode: "EX1",
    country: "GB",
  });
}

/** A demo serves requests before its CMS has answered. */
async function untilReady({ url, output }: DemoProcess): Promise<void> {
  const deadline = AbortSignal.timeout(30_000);
  while (!(await fetch(new URL("readyz", url))).ok) {
    if (deadline.aborted) throw new Error(`The demo has not become ready:\n${output()}`);
    await delay(100);
  }
}

async function stopInPeace(demo: DemoProcess): Promise<void> {
  await demo.stop();
  const errors = demo.output().match(/^\{"level":[56]0.*$/gm);
  if (errors) throw new Error(`The app has logged errors:\n${errors.join("\n")}`);
}

/** Lets other processes read the mail server's emails. */
async function serveMail({ mail }: RealParts): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((_, response) => {
    const emails = mail.emails.map(({ to: [to = ""], mail: { subject = "", text = "" } }) => ({ to, subject, text }));
    response.end(JSON.stringify(emails satisfies Email[]));
  });
  return listen(server);
}

/** Delivers the events of Stripe and GoCardless to the app, one after the other. */
function carryWebhooks({ takeWebhooks }: RealParts, siteUrl: string): AsyncDisposable {
  const stopping = new AbortController();
  const refused: string[] = [];

  async function carry({ path, body, headers }: TakenWebhook): Promise<void> {
    const answer = await fetch(new URL(path, siteUrl), { method: "POST", body, headers, redirect: "manual" });
    if (!answer.ok) refused.push(`${path} was answered ${answer.status}: ${await answer.text()}`);
  }

  async function walk(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const webhook of takeWebhooks()) await carry(webhook).catch((error: unknown) => refused.push(String(error)));
      await delay(WEBHOOKS_AFTER_MS);
    }
  }

  const walking = walk();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await walking;
      if (refused.length > 0) throw new Error(`Webhooks were not taken:\n${refused.join("\n")}`);
    },
  };
}

const API_KEY = "a-key-between-two-demos";

/** A demo that gets accounts, payments and content from another one, which also has the emails and the bank's pages. */
export async function openRemoteApp(): Promise<{ app: App } & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const provider = await startDemo({ API_KEY });
  opened.defer(() => provider.stop());
  const front = await startDemo({ API_KEY, API_URL: provider.url });
  opened.defer(() => front.stop());
  const closing = opened.move();
  const { origin } = new URL(provider.url);
  return {
    app: {
      url: front.url,
      settings: { DEMO: "true", DATA_DIR: provider.dataDir, ORIGIN: origin },
      deskSettings: { DEMO: "true", DATA_DIR: front.dataDir, ORIGIN: new URL(front.url).origin },
      cardGateway: "demo",
      debits: "demo",
      pages: [origin],
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
