import type { Clock } from "../../server/platform/clock.ts";
import { startGoCardlessFake, type GoCardlessFake } from "../fakes/gocardless.ts";
import { startSmtpSink, type SmtpSink } from "../fakes/smtp-sink.ts";
import { startStripeFake, type StripeFake } from "../fakes/stripe.ts";
import type { FakeContent } from "../fakes/wordpress-items.ts";
import { startWordpressFake, type WordpressFake } from "../fakes/wordpress.ts";
import { openFolder } from "./folder.ts";
import { createPostgresDatabase, startPostgres, type PostgresServer } from "./postgres-server.ts";

/** Every vendor's part on this machine, and the settings that choose it. */
export type RealParts = AsyncDisposable & {
  /** For `openSite`, `startDemo` and commands: a demo then has no part of its own. */
  env: Record<string, string>;
  stripe: StripeFake;
  goCardless: GoCardlessFake;
  mail: SmtpSink;
  cms: WordpressFake;
  /** Missing where the database is on a given server. */
  postgres: PostgresServer | undefined;
  /** Not taken yet, with their paths. */
  takeWebhooks(): TakenWebhook[];
};

export type TakenWebhook = { path: string; body: string; headers: Headers };

type RealPartsOptions = {
  clock?: Clock;
  /** A running PostgreSQL, on which a database is made. */
  postgresUrl?: string;
  /** The recorded samples by default. */
  content?: FakeContent;
};

/** An application password, as WordPress writes it. */
const CMS_TOKEN = "dormouse:abcd efgh ijkl mnop qrst uvwx";

export async function startRealParts(options: RealPartsOptions = {}): Promise<RealParts> {
  const { postgresUrl, clock, content } = options;
  const timed = clock ? { clock } : {};
  await using started = new AsyncDisposableStack();
  const { folder } = started.use(await openFolder());
  const postgres = postgresUrl === undefined ? await startPostgres() : undefined;
  if (postgres) started.defer(() => postgres.stop());
  const stripe = started.use(await startStripeFake(timed));
  const goCardless = started.use(await startGoCardlessFake(timed));
  const mail = started.use(await startSmtpSink());
  const users = { editor: CMS_TOKEN };
  const cms = started.use(await startWordpressFake({ ...timed, ...(content && { content }), users }));
  const env = {
    DEMO: "true",
    DATA_DIR: folder,
    DATABASE_URL: await createPostgresDatabase(postgresUrl ?? postgres?.url ?? ""),
    STRIPE_SECRET_KEY: stripe.keys.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.keys.publishableKey,
    STRIPE_WEBHOOK_SECRET: stripe.keys.webhookSecret,
    STRIPE_API_BASE: stripe.url,
    GOCARDLESS_ACCESS_TOKEN: goCardless.accessToken,
    GOCARDLESS_WEBHOOK_SECRET: goCardless.webhookSecret,
    GOCARDLESS_API_BASE: goCardless.apiBase,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    CMS_URL: cms.url,
    CMS_TOKEN,
  };
  // From here on the parts stop what was started.
  const running = started.move();
  return {
    env,
    stripe,
    goCardless,
    mail,
    cms,
    postgres,
    takeWebhooks: () => [
      ...stripe.takeWebhooks().map(({ body, headers }) => toTaken("stripe", { body, headers: new Headers(headers) })),
      ...goCardless.takeWebhooks().map((webhook) => toTaken("gocardless", webhook)),
    ],
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function toTaken(gateway: string, { body, headers }: Omit<TakenWebhook, "path">): TakenWebhook {
  return { path: `/webhooks/${gateway}`, body, headers };
}
