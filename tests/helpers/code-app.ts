import { createCodes } from "../../server/codes/codes.ts";
import type { Engine } from "../../server/database/database.ts";
import { openTestDatabase } from "./databases.ts";
import { createTestAccounts } from "./test-accounts.ts";
import { createTestContext } from "./test-context.ts";
import { createTestClock } from "./test-clock.ts";

/** Codes and some people who may sit there, over one database. */
export async function openCodeApp(engine: Engine, people = 2) {
  const database = await openTestDatabase(engine);
  const { db } = database;
  const clock = createTestClock();
  const codes = createCodes({ ...createTestContext(db, { clock }), productName: "Dormouse" });
  const { accounts } = createTestAccounts(createTestContext(db, { clock }));
  const admit = async (name: string) => {
    const details = { firstName: name, lastName: "L", accountType: "corporate", passwordHash: "-" } as const;
    const member = await accounts.admit({ ...details, email: `${name}@dormouse.example` }, db);
    return member?.id ?? 0;
  };
  const members: number[] = [];
  for (let count = 0; count < people; count += 1) members.push(await admit(String(count)));
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
  return { ...database, clock, codes, accounts, admit, members, ada, bo, seat, release, end, count };
}
