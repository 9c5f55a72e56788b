import { after, DAY_IN_MS, MINUTE_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import { keep } from "./keeping.ts";
import type { NoticeGateway } from "./notices.ts";

/** As long as Stripe keeps its events. */
const FIRST_LOOK_BACK_IN_MS = 30 * DAY_IN_MS;
/** Providers' clocks are not ours, and an event may be listed a while after it has happened. */
const OVERLAP_IN_MS = 30 * MINUTE_IN_MS;

type CatchUpSetting = {
  db: Queries;
  clock: Clock;
  log: Log;
  gateways: NoticeGateway[];
  reach: (point: "notice-kept") => void;
};

/** Asks every gateway for what it should have told (`Notices.catchUp`); one that is out of reach is asked again the next time. */
export async function catchUp(setting: CatchUpSetting): Promise<number> {
  const { log, gateways } = setting;
  let count = 0;
  for (const gateway of gateways) {
    try {
      const missed = await walk(gateway, setting);
      if (missed > 0) log.info({ gateway: gateway.name, count: missed }, "notices that had not come were fetched");
      count += missed;
    } catch (error) {
      log.warn({ gateway: gateway.name, error }, "a gateway could not be asked what was missed");
    }
  }
  return count;
}

/** The cursor moves last: what is cut off before is walked again, and kept once all the same. */
async function walk(gateway: NoticeGateway, { db, clock, reach }: CatchUpSetting): Promise<number> {
  const startedAt = clock();
  const cursor = await findCursor(gateway.name, db);
  const from = cursor ?? after(startedAt, -FIRST_LOOK_BACK_IN_MS);
  // A clock that was ahead for a while has left a cursor that lies in the future.
  const since = after(from < startedAt ? from : startedAt, -OVERLAP_IN_MS);
  const count = await keep(gateway.name, await gateway.listSince(since), { db, clock });
  if (count > 0) reach("notice-kept");
  await moveCursor(gateway.name, startedAt, db);
  return count;
}

async function findCursor(gateway: string, db: Queries): Promise<Date | undefined> {
  const cursors = db.selectFrom("notice_cursors").select("walked_until").where("gateway", "=", gateway);
  const row = await cursors.executeTakeFirst();
  return row && new Date(row.walked_until);
}

/** Back too: a walk that was overtaken only makes the next one longer. */
async function moveCursor(gateway: string, walkedUntil: Date, db: Queries): Promise<void> {
  const walked_until = walkedUntil.toISOString();
  await db
    .insertInto("notice_cursors")
    .values({ gateway, walked_until })
    .onConflict((conflict) => conflict.column("gateway").doUpdateSet({ walked_until }))
    .execute();
}
