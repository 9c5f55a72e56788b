import type { Selectable } from "kysely";

import { after, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import { countChanged, deleteInBatches, hasChanged } from "../../platform/database/changes.ts";
import type { Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { extendTimes, makeSessionToken, type SessionLimits, startTimes } from "./session-times.ts";
import { countPages } from "../../platform/count.ts";

/**
 * `userAgent` as the header has it; `replacedToken`: of the session before. `proof`: the log-in was by the password, or
 * by this passkey.
 */
export type Browser = {
  userAgent?: string | undefined;
  replacedToken?: string | undefined;
  proof?: { passkeyId?: string } | undefined;
};

/**
 * The one-time claim to a session: `trx` also uses up its cause, such as a paid order. The token derives from the
 * browser's secret, so the browser can request the same session again.
 */
export type Claim = { secret: string; trx: Queries };

export type ClaimedSession = { memberId: number; session: StartedSession };

export type SessionOwner = { token: string; memberId: number };

export type StartedSession = { token: string; expiresAt: Date };

export type Session = {
  memberId: number;
  expiresAt: Date;
  /** The expiry moved, so the browser's cookie must be set again. */
  isExtended: boolean;
};

/** `id` is for forms; neither the token nor its stored hash can be derived from it. */
export type DeviceSession = { id: string; device: string; startedAt: Date; seenAt: Date; isThis: boolean };

export type DevicesPage = { devices: DeviceSession[]; page: number; pageCount: number; total: number };

export type SessionRecord = { startedAt: Date; seenAt: Date; expiresAt: Date; device: string | undefined };

/** The idle limit (docs/behaviour.md, Log-in). */
export const SESSION_IDLE_IN_MS = 30 * DAY_IN_MS;

/** More browsers than anyone has; repeated log-ins of a script must not fill the table and the list. */
export const SESSIONS_A_MEMBER = 100;

const DEVICES_A_PAGE = 10;

/** Long enough to get out of a tunnel, short enough for a shared browser. */
const CLAIMED_FOR_IN_MS = 15 * MINUTE_IN_MS;

const limits: SessionLimits = {
  idleInMs: SESSION_IDLE_IN_MS,
  /** A year after log-in the password is asked again (ASVS 7.3.2). */
  limitInMs: 365 * DAY_IN_MS,
  extendEveryInMs: HOUR_IN_MS,
};

/** Which member is logged in with which browser: the browser has an opaque token, the database its hash. */
export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(ctx: Context) {
  const { db, clock } = ctx;
  return {
    /** Ends the session that it replaces. Beyond `SESSIONS_A_MEMBER`, the one unused for longest ends. */
    start: (memberId: number, browser?: Browser, claim?: Claim) => startSession(ctx, { memberId, browser, claim }),
    /**
     * The session that `start` made for a claim, for a quarter of an hour: its answer may have been lost. A logged-in
     * browser keeps its own.
     */
    findClaimed: (secret: string, browser?: Browser) => findClaimed(ctx, secret, browser),
    /** Using a live session extends it. */
    find: (token: string) => findSession(ctx, token),
    /** Runs `work` for a session; requests to a provider then carry the token that it gave for this session. */
    act: <Answer>(_: SessionOwner, work: () => Promise<Answer>) => work(),
    end: (token: string) => deleteHashed(hashToken(ctx, token), db),
    /** Live sessions as the member sees them: the one of `token` first, then by last use. */
    list: (memberId: number, token?: string) => listDevices(ctx, memberId, token),
    /** Pages count from 1; beyond the last it returns the last. */
    async listPage(memberId: number, { token, page: wanted }: { token?: string; page: number }): Promise<DevicesPage> {
      const all = await listDevices(ctx, memberId, token);
      const pageCount = countPages(all.length, DEVICES_A_PAGE);
      const page = Math.min(wanted, pageCount);
      const devices = all.slice((page - 1) * DEVICES_A_PAGE, page * DEVICES_A_PAGE);
      return { devices, page, pageCount, total: all.length };
    },
    endOne: (memberId: number, id: string) => endDevice(ctx, memberId, id),
    /** Ends all but the current session; returns how many. */
    async endOthers(memberId: number, currentToken: string | undefined, trx: Queries = db): Promise<number> {
      const others = trx.deleteFrom("sessions").where("memberId", "=", memberId);
      return countChanged(others.where("tokenHash", "!=", hashToken(ctx, currentToken ?? "")));
    },
    endAll: (memberId: number, trx: Queries = db) =>
      countChanged(trx.deleteFrom("sessions").where("memberId", "=", memberId)),
    /** When the password was last typed, or a passkey used, in a live session. */
    async findProof(token: string): Promise<Date | undefined> {
      const row = await liveSession(db, { tokenHash: hashToken(ctx, token), now: clock() })
        .select("provedAt")
        .executeTakeFirst();
      return row?.provedAt ?? undefined;
    },
    async noteProof(token: string): Promise<void> {
      const session = db.updateTable("sessions").set({ provedAt: clock() });
      await session.where("tokenHash", "=", hashToken(ctx, token)).execute();
    },
    /** Ends those that began with a passkey, but for one. */
    async endOfPasskey(
      { memberId, passkeyId, exceptToken }: { memberId: number; passkeyId: string; exceptToken: string },
      trx: Queries,
    ): Promise<void> {
      const begun = trx.deleteFrom("sessions").where("memberId", "=", memberId).where("passkeyId", "=", passkeyId);
      await begun.where("tokenHash", "!=", hashToken(ctx, exceptToken)).execute();
    },
    endHashed: (tokenHash: string) => deleteHashed(tokenHash, db),
    /** The newest first, for an export. */
    listFor: (memberId: number) => listRecords(db, memberId),
    purge(): Promise<number> {
      const expired = db.selectFrom("sessions").select("tokenHash").where("expiresAt", "<=", clock());
      return deleteInBatches((most) => db.deleteFrom("sessions").where("tokenHash", "in", expired.limit(most)));
    },
  };
}

export function hashToken({ keyedHash }: Pick<Context, "keyedHash">, token: string): string {
  return keyedHash("session")(token);
}

function toDeviceId({ keyedHash }: Context, tokenHash: string): string {
  return keyedHash("session")(`listed ${tokenHash}`);
}

function toClaimedToken({ keyedHash }: Context, secret: string): string {
  return keyedHash("session claim")(secret);
}

type Start = { memberId: number; browser: Browser | undefined; claim: Claim | undefined };

async function startSession(ctx: Context, { memberId, browser = {}, claim }: Start): Promise<StartedSession> {
  const { userAgent, replacedToken, proof } = browser;
  const token = claim ? toClaimedToken(ctx, claim.secret) : makeSessionToken();
  const times = startTimes(limits, ctx.clock());
  const add = async (trx: Queries) => {
    if (replacedToken) await deleteHashed(hashToken(ctx, replacedToken), trx);
    await trx
      .insertInto("sessions")
      .values({
        tokenHash: hashToken(ctx, token),
        memberId,
        ...times,
        device: describeDevice(userAgent),
        ...(proof && { passkeyId: proof.passkeyId ?? null, provedAt: times.createdAt }),
      })
      .execute();
    await endSurplus(trx, memberId);
  };
  await (claim ? add(claim.trx) : ctx.db.transaction().execute(add));
  return { token, expiresAt: times.expiresAt };
}

async function endSurplus(trx: Queries, memberId: number): Promise<void> {
  const own = trx.selectFrom("sessions").select("tokenHash").where("memberId", "=", memberId);
  const latest = own.orderBy("seenAt", "desc").orderBy("createdAt", "desc").orderBy("tokenHash");
  // SQLite has no offset without a limit.
  const surplus = latest.limit(1000).offset(SESSIONS_A_MEMBER);
  await trx.deleteFrom("sessions").where("tokenHash", "in", surplus).execute();
}

async function findClaimed(
  ctx: Context,
  secret: string,
  { replacedToken }: Browser = {},
): Promise<ClaimedSession | undefined> {
  if (replacedToken && (await findSession(ctx, replacedToken))) return undefined;
  const token = toClaimedToken(ctx, secret);
  const now = ctx.clock();
  const row = await ctx.db
    .selectFrom("sessions")
    .select(["memberId", "expiresAt"])
    .where("tokenHash", "=", hashToken(ctx, token))
    .where("createdAt", ">", after(now, -CLAIMED_FOR_IN_MS))
    .where("expiresAt", ">", now)
    .executeTakeFirst();
  return row && { memberId: row.memberId, session: { token, expiresAt: row.expiresAt } };
}

/** The live session behind a token, to which others join their tables. */
export function liveSession(db: Queries, { tokenHash, now }: { tokenHash: string; now: Date }) {
  return db
    .selectFrom("sessions")
    .select(["tokenHash", "sessions.memberId", "createdAt", "seenAt", "expiresAt"])
    .where("tokenHash", "=", tokenHash)
    .where("expiresAt", ">", now);
}

const selectLive = prepareQuery(liveSession);

async function findSession(ctx: Context, token: string): Promise<Session | undefined> {
  const now = ctx.clock();
  const [row] = await selectLive(ctx.db, { tokenHash: hashToken(ctx, token), now });
  return row && extendSession(ctx, row, now);
}

type LiveRow = Pick<Selectable<Schema["sessions"]>, "tokenHash" | "memberId" | "createdAt" | "seenAt" | "expiresAt">;

/** A session that was used just now. */
export async function extendSession(ctx: Context, row: LiveRow, now: Date): Promise<Session> {
  const extended = extendTimes(limits, row, now);
  if (extended) {
    await ctx.db.updateTable("sessions").set(extended).where("tokenHash", "=", row.tokenHash).execute();
  }
  const { expiresAt } = extended ?? row;
  return { memberId: row.memberId, expiresAt, isExtended: extended !== undefined };
}

async function deleteHashed(tokenHash: string, db: Queries): Promise<void> {
  await db.deleteFrom("sessions").where("tokenHash", "=", tokenHash).execute();
}

async function listDevices(ctx: Context, memberId: number, token?: string): Promise<DeviceSession[]> {
  const here = token && hashToken(ctx, token);
  const rows = await selectDevices(ctx.db, { memberId, now: ctx.clock() });
  const sessions = rows.map((row) => ({
    id: toDeviceId(ctx, row.tokenHash),
    device: row.device ?? UNKNOWN_DEVICE,
    startedAt: row.createdAt,
    seenAt: row.seenAt,
    isThis: row.tokenHash === here,
  }));
  return sessions.toSorted((a, b) => Number(b.isThis) - Number(a.isThis));
}

const selectDevices = prepareQuery((db, { memberId, now }: { memberId: number; now: Date }) =>
  db
    .selectFrom("sessions")
    .select(["tokenHash", "createdAt", "seenAt", "device"])
    .where("memberId", "=", memberId)
    .where("expiresAt", ">", now)
    .orderBy("seenAt", "desc")
    .orderBy("createdAt", "desc"),
);

async function endDevice(ctx: Context, memberId: number, id: string): Promise<boolean> {
  const rows = await ctx.db.selectFrom("sessions").select("tokenHash").where("memberId", "=", memberId).execute();
  const row = rows.find(({ tokenHash }) => toDeviceId(ctx, tokenHash) === id);
  return row !== undefined && hasChanged(ctx.db.deleteFrom("sessions").where("tokenHash", "=", row.tokenHash));
}

async function listRecords(db: Queries, memberId: number): Promise<SessionRecord[]> {
  const rows = await db
    .selectFrom("sessions")
    .select(["createdAt", "seenAt", "expiresAt", "device"])
    .where("memberId", "=", memberId)
    .orderBy("createdAt", "desc")
    .execute();
  return rows.map((row) => ({
    startedAt: row.createdAt,
    seenAt: row.seenAt,
    expiresAt: row.expiresAt,
    device: row.device ?? undefined,
  }));
}

export const UNKNOWN_DEVICE = "A browser";

/** Real headers are half as long. */
const MAX_LENGTH = 512;

/** The first match counts: nearly all browsers also claim to be those below it. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT|OPiOS|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:DuckDuckGo|Ddg)\//, "DuckDuckGo"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bYaBrowser\//, "Yandex"],
  [/\bFB(?:AN|AV)\b/, "Facebook"],
  [/\bInstagram\b/, "Instagram"],
  [/\bGSA\//, "The Google app"],
  [/\b(?:Firefox|FxiOS|Focus)\//, "Firefox"],
  [/(?:Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
  [/\b(?:MSIE |Trident\/)/, "Internet Explorer"],
];

const systems: [RegExp, string][] = [
  [/\bWindows Phone\b/, "Windows Phone"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\biPod\b/, "iPod"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "Chromebook"],
  [/\bWindows\b/, "Windows"],
  [/\b(?:Macintosh|Mac OS X)\b/, "Mac"],
  [/\b(?:Linux|X11)\b/, "Linux"],
];

/**
 * As its owner would name it: "Firefox on Android". Only words of ours are stored or shown, never a part of the header.
 * An iPad that requests desktop pages claims to be a Mac.
 */
export function describeDevice(userAgent = ""): string {
  const text = userAgent.slice(0, MAX_LENGTH);
  const browser = findName(browsers, text) ?? UNKNOWN_DEVICE;
  const system = findName(systems, text);
  return system ? `${browser} on ${system}` : browser;
}

function findName(names: [RegExp, string][], text: string): string | undefined {
  return names.find(([sign]) => sign.test(text))?.[1];
}
