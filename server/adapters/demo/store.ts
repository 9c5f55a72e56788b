import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";

import type { Clock } from "../../clock.ts";
import type { Queries } from "../../database/database.ts";
import type { WebhookHeaders } from "../../webhooks/webhooks.ts";

/**
 * The demo gateways' own database: objects, and the webhook events about them. Like a vendor it takes no part in our transactions, so it must
 * never be called inside one.
 */
export type DemoStore = {
  /** Stores a new object. For a key that was used before with the same kind it answers the first object and changes nothing. */
  put(body: object, about: AboutObject): Promise<DemoObject>;
  find(kind: string, id: string): Promise<DemoObject | undefined>;
  /** The object that was created under a key: a vendor answers a repeat before it checks anything else. */
  findByKey(kind: string, key: string): Promise<DemoObject | undefined>;
  /** All of a kind that belong to one parent, oldest first. */
  list(kind: string, parent: string): Promise<DemoObject[]>;
  /**
   * Replaces the body by the result of `patch`, atomically; `undefined` leaves it. Answers the object as it then is. `patch` may be
   * called again after a concurrent change, so it must only compute.
   */
  change(kind: string, id: string, patch: (body: unknown) => object | undefined): Promise<DemoObject | undefined>;
  addEvent(webhook: { gateway: string; kind: string; subject: string }): Promise<void>;
  /** The webhook events that are not delivered yet, oldest first. */
  listEvents(limit?: number): Promise<DemoEvent[]>;
  /** A gateway's webhook events from an instant on, delivered or not, oldest first. */
  listEventsSince(gateway: string, since: Date): Promise<DemoEvent[]>;
  markDelivered(ids: string[]): Promise<void>;
};

/** `kind` is the short word that its ids start with: `pay` makes `pay_demo_…`. */
export type AboutObject = { kind: string; key?: string | undefined; parent?: string | undefined };

export type DemoObject = {
  id: string;
  parent: string | undefined;
  /** Read from JSON; the gateway that wrote it parses it. */
  body: unknown;
  createdAt: Date;
};

/** `body` is the text to be delivered, as `readDemoNotices` reads it. */
export type DemoEvent = { id: string; gateway: string; body: string };

const ID_BYTES = 16;
const EVENTS_AT_ONCE = 100;

type Setting = { db: Queries; clock: Clock };

export function createDemoStore(setting: Setting): DemoStore {
  return {
    put: (body, about) => putObject(setting, body, about),

    async find(kind, id) {
      const row = await findRow(setting, kind, id);
      return row && toObject(row);
    },

    async findByKey(kind, key) {
      const row = await selectByKey(setting, scope(kind, key)).executeTakeFirst();
      return row && toObject(row);
    },

    async list(kind, parent) {
      const ofParent = selectObjects(setting).where("kind", "=", kind).where("parent", "=", parent);
      return (await ofParent.orderBy("created_at").orderBy("id").execute()).map(toObject);
    },

    change: (kind, id, patch) => changeObject(setting, { kind, id }, patch),
    addEvent: (webhook) => addEvent(setting, webhook),

    listEvents: (limit = EVENTS_AT_ONCE) =>
      selectEvents(setting).where("delivered_at", "is", null).limit(limit).execute(),

    listEventsSince: (gateway, since) =>
      selectEvents(setting).where("gateway", "=", gateway).where("created_at", ">=", since.toISOString()).execute(),

    markDelivered: (ids) => markDelivered(setting, ids),
  };
}

function selectObjects({ db }: Setting) {
  return db.selectFrom("demo_objects").selectAll();
}

function findRow(setting: Setting, kind: string, id: string) {
  return selectObjects(setting).where("kind", "=", kind).where("id", "=", id).executeTakeFirst();
}

function selectByKey(setting: Setting, idempotencyKey: string | null) {
  return selectObjects(setting).where("idempotency_key", "=", idempotencyKey);
}

async function putObject(setting: Setting, body: object, { kind, key, parent }: AboutObject): Promise<DemoObject> {
  const idempotencyKey = key === undefined ? null : scope(kind, key);
  const made = await setting.db
    .insertInto("demo_objects")
    .values({
      id: makeId(kind),
      kind,
      idempotency_key: idempotencyKey,
      parent: parent ?? null,
      body: JSON.stringify(body),
      created_at: setting.clock().toISOString(),
    })
    .onConflict((conflict) => conflict.column("idempotency_key").doNothing())
    .returningAll()
    .executeTakeFirst();
  return toObject(made ?? (await selectByKey(setting, idempotencyKey).executeTakeFirstOrThrow()));
}

async function changeObject(
  setting: Setting,
  { kind, id }: { kind: string; id: string },
  patch: (body: unknown) => object | undefined,
): Promise<DemoObject | undefined> {
  for (;;) {
    const row = await findRow(setting, kind, id);
    const body = row && patch(JSON.parse(row.body));
    if (!row || !body) return row && toObject(row);
    const changed = await setting.db
      .updateTable("demo_objects")
      .set({ body: JSON.stringify(body) })
      .where("id", "=", id)
      .where("body", "=", row.body)
      .returningAll()
      .executeTakeFirst();
    if (changed) return toObject(changed);
  }
}

function selectEvents({ db }: Setting) {
  return db.selectFrom("demo_notices").select(["id", "gateway", "body"]).orderBy("created_at").orderBy("id");
}

async function addEvent(
  { db, clock }: Setting,
  { gateway, kind, subject }: Parameters<DemoStore["addEvent"]>[0],
): Promise<void> {
  const id = makeId("evt");
  await db
    .insertInto("demo_notices")
    .values({
      id,
      gateway,
      body: JSON.stringify({ notices: [{ id, kind, subject }] } satisfies DemoBatch),
      created_at: clock().toISOString(),
      delivered_at: null,
    })
    .execute();
}

async function markDelivered({ db, clock }: Setting, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("demo_notices")
    .set({ delivered_at: clock().toISOString() })
    .where("id", "in", ids)
    .where("delivered_at", "is", null)
    .execute();
}

type ObjectRow = { id: string; parent: string | null; body: string; created_at: string };

function toObject({ id, parent, body, created_at }: ObjectRow): DemoObject {
  return { id, parent: parent ?? undefined, body: JSON.parse(body), createdAt: new Date(created_at) };
}

/** A key counts within its kind. */
function scope(kind: string, key: string): string {
  return `${kind} ${key}`;
}

function makeId(kind: string): string {
  return `${kind}_demo_${randomBytes(ID_BYTES).toString("hex")}`;
}

const SIGNATURE_HEADER = "Demo-Signature";

const batch = z.object({ notices: z.array(z.object({ id: z.string(), kind: z.string(), subject: z.string() })) });

type DemoBatch = z.infer<typeof batch>;

/** The headers that a demo gateway sends with a webhook event: an HMAC-SHA-256 over the body, as vendors do it. */
export function signDemoWebhook(secret: string, body: string): Record<string, string> {
  return { [SIGNATURE_HEADER]: signatureOf(secret, body) };
}

/** The webhook events in a webhook's body, or `undefined` when it was not signed with `secret` or cannot be read. */
export function readDemoEvents(
  secret: string,
  { body, headers }: { body: string; headers: WebhookHeaders },
): DemoBatch["notices"] | undefined {
  const expected = Buffer.from(signatureOf(secret, body));
  const given = Buffer.from(headers.get(SIGNATURE_HEADER) ?? "");
  // The length is not secret, and `timingSafeEqual` needs equal lengths.
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return openDemoEvents(body);
}

/** The webhook events in a body that comes from the store itself; `undefined` when it cannot be read. */
export function openDemoEvents(body: string): DemoBatch["notices"] | undefined {
  return batch.safeParse(parseJson(body)).data?.notices;
}

function signatureOf(secret: string, body: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
