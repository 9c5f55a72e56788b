import { createHmac, randomBytes } from "node:crypto";
import { z } from "zod";

import type { Clock } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import { isSameSecret } from "../../platform/seal.ts";
import { parseJson } from "../../platform/text.ts";
import type { WebhookHeaders } from "../../platform/webhooks/webhooks.ts";

/**
 * The demo gateways' database: objects and webhook events. Never call it inside a transaction: like a vendor it takes
 * no part in it.
 */
export type DemoStore = { db: Queries; clock: Clock };

/** `kind` begins its ids: `pay` makes `pay_demo_…`. */
export type AboutObject = { kind: string; key?: string | undefined; parent?: string | undefined };

export type DemoObject = {
  id: string;
  parent: string | undefined;
  /** JSON, which the gateway that wrote it parses. */
  body: unknown;
  createdAt: Date;
};

/** `body` is the text to deliver, for `readDemoEvents`. */
export type DemoEvent = { id: string; gateway: string; body: string };

const ID_BYTES = 16;
const EVENTS_AT_ONCE = 100;

/** For a key that was used before with the same kind, returns the first object and changes nothing. */
export async function putObject(
  store: DemoStore,
  body: object,
  { kind, key, parent }: AboutObject,
): Promise<DemoObject> {
  const idempotencyKey = key === undefined ? null : scope(kind, key);
  const made = await store.db
    .insertInto("demoObjects")
    .values({
      id: makeId(kind),
      kind,
      idempotencyKey,
      parent: parent ?? null,
      body: JSON.stringify(body),
      createdAt: store.clock(),
    })
    .onConflict((conflict) => conflict.column("idempotencyKey").doNothing())
    .returningAll()
    .executeTakeFirst();
  return toObject(made ?? (await selectByKey(store, idempotencyKey).executeTakeFirstOrThrow()));
}

export async function findObject(store: DemoStore, kind: string, id: string): Promise<DemoObject | undefined> {
  const row = await findRow(store, kind, id);
  return row && toObject(row);
}

/** A vendor answers a repeat before it checks anything else. */
export async function findByKey(store: DemoStore, kind: string, key: string): Promise<DemoObject | undefined> {
  const row = await selectByKey(store, scope(kind, key)).executeTakeFirst();
  return row && toObject(row);
}

/** The oldest first. */
export async function listObjects(store: DemoStore, kind: string, parent: string): Promise<DemoObject[]> {
  const ofParent = selectObjects(store).where("kind", "=", kind).where("parent", "=", parent);
  return (await ofParent.orderBy("createdAt").orderBy("id").execute()).map(toObject);
}

/** The oldest first. */
export async function listKind(store: DemoStore, kind: string): Promise<DemoObject[]> {
  const ofKind = selectObjects(store).where("kind", "=", kind);
  return (await ofKind.orderBy("createdAt").orderBy("id").execute()).map(toObject);
}

/**
 * Replaces the body by the result of `patch`, atomically; `undefined` leaves it. Returns the new object. `patch` may
 * run again after a concurrent change, so it must only compute.
 */
export async function changeObject(
  store: DemoStore,
  { kind, id }: { kind: string; id: string },
  patch: (body: unknown) => object | undefined,
): Promise<DemoObject | undefined> {
  for (;;) {
    const row = await findRow(store, kind, id);
    const body = row && patch(JSON.parse(row.body));
    if (!row || !body) return row && toObject(row);
    const changed = await store.db
      .updateTable("demoObjects")
      .set({ body: JSON.stringify(body) })
      .where("id", "=", id)
      .where("body", "=", row.body)
      .returningAll()
      .executeTakeFirst();
    if (changed) return toObject(changed);
  }
}

function selectObjects({ db }: DemoStore) {
  return db.selectFrom("demoObjects").selectAll();
}

function findRow(store: DemoStore, kind: string, id: string) {
  return selectObjects(store).where("kind", "=", kind).where("id", "=", id).executeTakeFirst();
}

function selectByKey(store: DemoStore, idempotencyKey: string | null) {
  return selectObjects(store).where("idempotencyKey", "=", idempotencyKey);
}

export async function addEvent(
  { db, clock }: DemoStore,
  { gateway, kind, subject }: { gateway: string; kind: string; subject: string },
): Promise<void> {
  const id = makeId("evt");
  await db
    .insertInto("demoWebhookEvents")
    .values({
      id,
      gateway,
      body: JSON.stringify({ events: [{ id, kind, subject }] } satisfies DemoBatch),
      createdAt: clock(),
      deliveredAt: null,
    })
    .execute();
}

/** Not delivered yet, the oldest first. */
export function listEvents(store: DemoStore, limit = EVENTS_AT_ONCE): Promise<DemoEvent[]> {
  return selectEvents(store).where("deliveredAt", "is", null).limit(limit).execute();
}

/** From an instant on, delivered or not, the oldest first. */
export async function listEventsSince(store: DemoStore, gateway: string, since: Date): Promise<DemoBatch["events"]> {
  const selected = selectEvents(store).where("gateway", "=", gateway).where("createdAt", ">=", since);
  return (await selected.execute()).flatMap(({ body }) => batch.parse(JSON.parse(body)).events);
}

function selectEvents({ db }: DemoStore) {
  return db.selectFrom("demoWebhookEvents").select(["id", "gateway", "body"]).orderBy("createdAt").orderBy("id");
}

export async function markDelivered({ db, clock }: DemoStore, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("demoWebhookEvents")
    .set({ deliveredAt: clock() })
    .where("id", "in", ids)
    .where("deliveredAt", "is", null)
    .execute();
}

type ObjectRow = { id: string; parent: string | null; body: string; createdAt: Date };

function toObject({ id, parent, body, createdAt }: ObjectRow): DemoObject {
  return { id, parent: parent ?? undefined, body: JSON.parse(body), createdAt };
}

function scope(kind: string, key: string): string {
  return `${kind} ${key}`;
}

function makeId(kind: string): string {
  return `${kind}_demo_${randomBytes(ID_BYTES).toString("hex")}`;
}

const SIGNATURE_HEADER = "Demo-Signature";

const batch = z.object({ events: z.array(z.object({ id: z.string(), kind: z.string(), subject: z.string() })) });

type DemoBatch = z.infer<typeof batch>;

/** An HMAC-SHA-256 over the body, as vendors do it. */
export function signDemoWebhook(secret: string, body: string): Record<string, string> {
  return { [SIGNATURE_HEADER]: sign(secret, body) };
}

/** `undefined` when the body was not signed with `secret` or is unreadable. */
export function readDemoEvents(
  secret: string,
  { body, headers }: { body: string; headers: WebhookHeaders },
): DemoBatch["events"] | undefined {
  if (!isSameSecret(headers.get(SIGNATURE_HEADER) ?? "", sign(secret, body))) return undefined;
  return batch.safeParse(parseJson(body)).data?.events;
}

function sign(secret: string, body: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}
