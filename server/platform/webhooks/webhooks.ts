import { after, type Clock, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { countChanged } from "../database/changes.ts";
import type { Queries } from "../database/database.ts";
import { prepareQuery } from "../database/prepared-query.ts";
import type { Log } from "../log.ts";

/**
 * The inbox for payment providers' webhook events. An event is stored first and handled later, so a failure loses none.
 * It is stored once and names only what to look up, so repeats and wrong order do no harm (C8–C10, C18, D10, D11).
 */
export type Webhooks = ReturnType<typeof createWebhooks>;

/** Kind and subject are the gateway's words and ids: no personal data. */
export type FailedWebhook = {
  gateway: string;
  id: string;
  kind: string;
  subject: string;
  receivedAt: Date;
  attempts: number;
  /** A past time means at once. `undefined`: there are no more tries, or the gateway is gone. */
  nextTryAt: Date | undefined;
};

export type Delivery = { gateway: string; body: string; headers: WebhookHeaders };

/** As far as signatures need them. */
export type WebhookHeaders = { get(name: string): string | null };

export type WebhookGateway = {
  name: string;
  read(body: string, headers: WebhookHeaders): GatewayEvent[] | undefined;
  /** Its events from an instant on, delivered or not. */
  listSince(since: Date): Promise<GatewayEvent[]>;
  handle(webhook: GatewayEvent): Promise<void>;
};

export type GatewayEvent = { id: string; kind: string; subject: string };

/** Fired between the steps; see `SagaPoint`. */
type Reach = (point: "webhook-stored" | "webhook-handled") => void;

/** Longer than any provider repeats itself: Stripe for three days, GoCardless eight times. */
const STORED_FOR_IN_MS = 30 * DAY_IN_MS;
const AT_ONCE = 250;
/**
 * The age of a webhook event at each try. A provider may be out of reach for days; after the last try an operator must
 * look.
 */
const TRIED_AT_AGES_IN_MS = [
  0,
  ...[2, 5, 15, 30].map((seconds) => seconds * SECOND_IN_MS),
  ...[1, 2, 5, 10, 20, 40].map((minutes) => minutes * MINUTE_IN_MS),
  ...[1, 2, 4, 8, 16].map((hours) => hours * HOUR_IN_MS),
  ...[1, 2, 3, 4, 5].map((days) => days * DAY_IN_MS),
];

type WebhooksContext = { db: Queries; clock: Clock; log: Log; gateways: WebhookGateway[]; reach: Reach };

export function createWebhooks(ctx: WebhooksContext) {
  const { db, clock, log, gateways, reach } = ctx;
  return {
    /** Stores the events of a body. `refused`: the signature is wrong. */
    async receive({ gateway, body, headers }: Delivery): Promise<"kept" | "refused" | "unknown-gateway"> {
      const from = gateways.find(({ name }) => name === gateway);
      if (!from) return "unknown-gateway";
      const webhooks = from.read(body, headers);
      if (!webhooks) return "refused";
      await keep(from.name, webhooks, ctx);
      reach("webhook-stored");
      return "kept";
    },

    /**
     * Fetches events that were never delivered; returns how many were new. A gateway that is out of reach does not
     * delay the others, and is read from the same place the next time (C20, C22).
     */
    catchUp: () => catchUp(ctx),

    /** Returns how many were handled; a failed event stays for the next time. */
    async handleWaiting(): Promise<number> {
      let count = 0;
      for (const row of await listWaiting(ctx)) {
        const from = gateways.find(({ name }) => name === row.gateway);
        if (from && (await handle(from, row))) count += 1;
      }
      return count;
    },

    /** The latest first; at most `limit`, a thousand by default. */
    listFailed: (limit: number = MAX_LISTED) => listFailed(ctx, limit),

    /** Events that wait for their first try, that are tried again, and that are given up. */
    count: () => countUnhandled(ctx),

    /** Handles an event at an operator's request; a failure is no try. `unknown`: no such event has failed. */
    async runAgain({ gateway, id }: { gateway: string; id: string }): Promise<"done" | "failed" | "unknown"> {
      const from = gateways.find(({ name }) => name === gateway);
      const row = await failedRows(db).where("gateway", "=", gateway).where("eventId", "=", id).executeTakeFirst();
      if (!from || !row) return "unknown";
      return (await handle(from, row, { isByHand: true })) ? "done" : "failed";
    },

    /** Deletes what was handled a month ago; returns how many. */
    purge: () =>
      countChanged(db.deleteFrom("webhookEvents").where("handledAt", "<", after(clock(), -STORED_FOR_IN_MS))),
  };

  async function handle(
    from: WebhookGateway,
    row: { eventId: string; kind: string; subject: string; attempts: number },
    { isByHand = false } = {},
  ): Promise<boolean> {
    const { eventId: id, kind, subject } = row;
    const self = db.updateTable("webhookEvents").where("gateway", "=", from.name).where("eventId", "=", id);
    try {
      await from.handle({ id, kind, subject });
    } catch (error) {
      if (!isByHand) await self.set({ attempts: row.attempts + 1 }).execute();
      log.warn({ gateway: from.name, webhook: id, error }, "a webhook event could not be handled");
      return false;
    }
    await self.set({ handledAt: clock() }).execute();
    reach("webhook-handled");
    return true;
  }
}

function listWaiting({ db, clock, gateways }: WebhooksContext) {
  const now = clock();
  return (
    db
      .selectFrom("webhookEvents")
      .select(["gateway", "eventId", "kind", "subject", "attempts"])
      .where("handledAt", "is", null)
      // Those of a provider that is no longer configured would block the others for ever.
      .where(
        "gateway",
        "in",
        gateways.map(({ name }) => name),
      )
      .where((webhook) =>
        webhook.or(
          TRIED_AT_AGES_IN_MS.map((age, attempts) =>
            webhook("attempts", "=", attempts).and("receivedAt", "<=", after(now, -age)),
          ),
        ),
      )
      .orderBy("receivedAt")
      .limit(AT_ONCE)
      .execute()
  );
}

/** More than an operator reads through. */
const MAX_LISTED = 1000;

/** `webhook_events_waiting` is the index. */
function failedRows(db: Queries) {
  return db.selectFrom("webhookEvents").selectAll().where("handledAt", "is", null).where("attempts", ">", 0);
}

const selectLatestFailed = prepareQuery((db, { limit }: { limit: number }) =>
  failedRows(db).orderBy("receivedAt", "desc").limit(limit),
);

async function listFailed({ db, gateways }: WebhooksContext, limit: number): Promise<FailedWebhook[]> {
  const rows = await selectLatestFailed(db, { limit });
  const names = new Set(gateways.map(({ name }) => name));
  return rows.map(({ gateway, eventId: id, kind, subject, attempts, ...row }) => {
    const receivedAt = row.receivedAt;
    const age = names.has(gateway) ? TRIED_AT_AGES_IN_MS[attempts] : undefined;
    return {
      gateway,
      id,
      kind,
      subject,
      receivedAt,
      attempts,
      nextTryAt: age === undefined ? undefined : after(receivedAt, age),
    };
  });
}

/** Events of a gateway that is gone count as given up, as in `listFailed`. */
async function countUnhandled({ db, gateways }: WebhooksContext) {
  const rows = await db
    .selectFrom("webhookEvents")
    .select(({ fn }) => ["gateway", "attempts", fn.countAll<number>().as("count")])
    .where("handledAt", "is", null)
    .groupBy(["gateway", "attempts"])
    .execute();
  const names = new Set(gateways.map(({ name }) => name));
  const counts = { waiting: 0, retried: 0, givenUp: 0 };
  for (const { gateway, attempts, count } of rows) {
    const isTried = names.has(gateway) && attempts < TRIED_AT_AGES_IN_MS.length;
    counts[isTried ? (attempts === 0 ? "waiting" : "retried") : "givenUp"] += count;
  }
  return counts;
}

/** As long as Stripe keeps its events. */
const FIRST_LOOK_BACK_IN_MS = 30 * DAY_IN_MS;
/** Providers' clocks are not ours, and an event may be listed a while after it has happened. */
const OVERLAP_IN_MS = 30 * MINUTE_IN_MS;

/** A gateway that is out of reach is read from the same place the next time. */
async function catchUp(ctx: WebhooksContext): Promise<number> {
  const { log, gateways } = ctx;
  let count = 0;
  for (const gateway of gateways) {
    try {
      const missed = await walk(gateway, ctx);
      if (missed > 0) log.info({ gateway: gateway.name, count: missed }, "missed webhook events were fetched");
      count += missed;
    } catch (error) {
      log.warn({ gateway: gateway.name, error }, "missed webhook events could not be fetched");
    }
  }
  return count;
}

/** The cursor moves last: a walk that was cut off is repeated, and events are stored once all the same. */
async function walk(gateway: WebhookGateway, { db, clock, reach }: WebhooksContext): Promise<number> {
  const startedAt = clock();
  const cursor = await findCursor(gateway.name, db);
  const from = cursor ?? after(startedAt, -FIRST_LOOK_BACK_IN_MS);
  // A clock that was ahead has left a cursor in the future.
  const since = after(from < startedAt ? from : startedAt, -OVERLAP_IN_MS);
  const count = await keep(gateway.name, await gateway.listSince(since), { db, clock });
  if (count > 0) reach("webhook-stored");
  await moveCursor(gateway.name, startedAt, db);
  return count;
}

async function findCursor(gateway: string, db: Queries): Promise<Date | undefined> {
  const cursors = db.selectFrom("webhookCursors").select("walkedUntil").where("gateway", "=", gateway);
  const row = await cursors.executeTakeFirst();
  return row && row.walkedUntil;
}

/** Back too: an overtaken walk only makes the next one longer. */
async function moveCursor(gateway: string, until: Date, db: Queries): Promise<void> {
  const walkedUntil = until;
  await db
    .insertInto("webhookCursors")
    .values({ gateway, walkedUntil })
    .onConflict((conflict) => conflict.column("gateway").doUpdateSet({ walkedUntil }))
    .execute();
}

/** Seven values a row: far below what a statement may hold on either engine. */
const ROWS_AT_ONCE = 500;

/** Stores each event once; returns how many are new. After a fault the earlier ones stay. */
async function keep(
  gateway: string,
  webhooks: GatewayEvent[],
  { db, clock }: { db: Queries; clock: Clock },
): Promise<number> {
  const receivedAt = clock();
  let count = 0;
  for (let start = 0; start < webhooks.length; start += ROWS_AT_ONCE) {
    const rows = webhooks.slice(start, start + ROWS_AT_ONCE).map(({ id, kind, subject }) => ({
      gateway,
      eventId: toText(id),
      kind: toText(kind),
      subject: toText(subject),
      receivedAt,
      attempts: 0,
    }));
    const inserted = await db
      .insertInto("webhookEvents")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning("eventId")
      .execute();
    count += inserted.length;
  }
  return count;
}

/** PostgreSQL stores no NUL in a text: one odd event would lose all that came with it (D10). */
function toText(text: string): string {
  return text.replaceAll("\0", "");
}
