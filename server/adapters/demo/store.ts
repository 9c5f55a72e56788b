import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";

import type { Clock } from "../../clock.ts";
import type { Queries } from "../../database/database.ts";
import type { NoticeHeaders } from "../../notices/notices.ts";

/**
 * The demo gateways' own database: objects, and the notices about them. Like a vendor it takes no part in our transactions, so it must
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
  addNotice(notice: { gateway: string; kind: string; subject: string }): Promise<void>;
  /** The notices that are not delivered yet, oldest first. */
  listNotices(limit?: number): Promise<DemoNotice[]>;
  /** A gateway's notices from an instant on, delivered or not, oldest first. */
  listNoticesSince(gateway: string, since: Date): Promise<DemoNotice[]>;
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
export type DemoNotice = { id: string; gateway: string; body: string };

const ID_BYTES = 16;
const NOTICES_AT_ONCE = 100;

type Setting = { db: Queries; clock: Clock };

export function createDemoStore(setting: Setting): DemoStore {
  return { ...createObjects(setting), ...createNotices(setting) };
}

function createObjects({ db, clock }: Setting): Pick<DemoStore, "put" | "find" | "findByKey" | "list" | "change"> {
  const objects = db.selectFrom("demo_objects").selectAll();
  const findRow = (kind: string, id: string) =>
    objects.where("kind", "=", kind).where("id", "=", id).executeTakeFirst();
  const withKey = (idempotencyKey: string | null) => objects.where("idempotency_key", "=", idempotencyKey);

  return {
    async put(body, { kind, key, parent }) {
      const idempotencyKey = key === undefined ? null : scope(kind, key);
      const made = await db
        .insertInto("demo_objects")
        .values({
          id: makeId(kind),
          kind,
          idempotency_key: idempotencyKey,
          parent: parent ?? null,
          body: JSON.stringify(body),
          created_at: clock().toISOString(),
        })
        .onConflict((conflict) => conflict.column("idempotency_key").doNothing())
        .returningAll()
        .executeTakeFirst();
      return toObject(made ?? (await withKey(idempotencyKey).executeTakeFirstOrThrow()));
    },

    async find(kind, id) {
      const row = await findRow(kind, id);
      return row && toObject(row);
    },

    async findByKey(kind, key) {
      const row = await withKey(scope(kind, key)).executeTakeFirst();
      return row && toObject(row);
    },

    async list(kind, parent) {
      const rows = await objects
        .where("kind", "=", kind)
        .where("parent", "=", parent)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(toObject);
    },

    async change(kind, id, patch) {
      for (;;) {
        const row = await findRow(kind, id);
        const body = row && patch(JSON.parse(row.body));
        if (!row || !body) return row && toObject(row);
        const changed = await db
          .updateTable("demo_objects")
          .set({ body: JSON.stringify(body) })
          .where("id", "=", id)
          .where("body", "=", row.body)
          .returningAll()
          .executeTakeFirst();
        if (changed) return toObject(changed);
      }
    },
  };
}

type NoticeStore = Pick<DemoStore, "addNotice" | "listNotices" | "listNoticesSince" | "markDelivered">;

function createNotices({ db, clock }: Setting): NoticeStore {
  return {
    async addNotice({ gateway, kind, subject }) {
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
    },

    listNotices: (limit = NOTICES_AT_ONCE) =>
      db
        .selectFrom("demo_notices")
        .select(["id", "gateway", "body"])
        .where("delivered_at", "is", null)
        .orderBy("created_at")
        .orderBy("id")
        .limit(limit)
        .execute(),

    listNoticesSince: (gateway, since) =>
      db
        .selectFrom("demo_notices")
        .select(["id", "gateway", "body"])
        .where("gateway", "=", gateway)
        .where("created_at", ">=", since.toISOString())
        .orderBy("created_at")
        .orderBy("id")
        .execute(),

    async markDelivered(ids) {
      if (ids.length === 0) return;
      await db
        .updateTable("demo_notices")
        .set({ delivered_at: clock().toISOString() })
        .where("id", "in", ids)
        .where("delivered_at", "is", null)
        .execute();
    },
  };
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

/** The headers that a demo gateway sends with a notice: an HMAC-SHA-256 over the body, as vendors do it. */
export function signDemoNotice(secret: string, body: string): Record<string, string> {
  return { [SIGNATURE_HEADER]: signatureOf(secret, body) };
}

/** The notices in a webhook's body, or `undefined` when it was not signed with `secret` or cannot be read. */
export function readDemoNotices(
  secret: string,
  { body, headers }: { body: string; headers: NoticeHeaders },
): DemoBatch["notices"] | undefined {
  const expected = Buffer.from(signatureOf(secret, body));
  const given = Buffer.from(headers.get(SIGNATURE_HEADER) ?? "");
  // The length is not secret, and `timingSafeEqual` needs equal lengths.
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return openDemoNotices(body);
}

/** The notices in a body that comes from the store itself; `undefined` when it cannot be read. */
export function openDemoNotices(body: string): DemoBatch["notices"] | undefined {
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
