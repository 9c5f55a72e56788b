import { createCodes } from "../../server/codes/codes.ts";
import type { Engine } from "../../server/database/database.ts";
import { openTestDatabase } from "./databases.ts";
import { admitMember } from "./test-accounts.ts";
import { createTestContext } from "./test-context.ts";

/** Codes and some people who may sit there, over one database. */
export async function openCodeApp(engine: Engine, people = 2) {
  const database = await openTestDatabase(engine);
  const { db } = database;
  const ctx = createTestContext(db);
  const { clock } = ctx;
  const codes = createCodes({ ...ctx, productName: "Dormouse" });
  const members: number[] = [];
  for (let count = 0; count < people; count += 1) members.push(await admitMember(ctx, String(count)));
  const seat = (memberId: number, code: string) =>
    db.transaction().execute((trx) => codes.takeSeat({ code, memberId }, trx));
  const release = (memberId: number) => db.transaction().execute((trx) => codes.releaseSeat(memberId, trx));
  const end = (memberId: number, endsAt: Date) =>
    db.transaction().execute((trx) => codes.endSeat({ memberId, endsAt }, trx));
  /** What the codes count, beside what the seats say. */
  const count = async () => {
    const rows = await db.selectFrom("codes").select(["id", "code", "seats_taken"]).orderBy("id").execute();
    const seats = await db.selectFrom("seats").select("code_id").execute();
    const held = (id: number) => seats.filter((each) => each.code_id === id).length;
    return Object.fromEntries(rows.map((row) => [row.code, { counted: row.seats_taken, held: held(row.id) }]));
  };
  const [ada = 0, bo = 0] = members;
  return { ...database, clock, codes, members, ada, bo, seat, release, end, count };
}
