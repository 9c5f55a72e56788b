import { after, DAY_IN_MS } from "../../server/clock.ts";
import type { Engine } from "../../server/database/database.ts";
import { createMembership } from "../../server/membership/membership.ts";
import { openTestDatabase } from "./databases.ts";
import { admitMember } from "./test-accounts.ts";
import { createTestContext } from "./test-context.ts";

/** Memberships over one database, and Ada, who may have one. */
export async function openMembershipApp(engine: Engine = "sqlite") {
  const database = await openTestDatabase(engine);
  const { db } = database;
  const ctx = createTestContext(db);
  const { clock } = ctx;
  const membership = createMembership(ctx);
  const memberId = await admitMember(ctx, "Ada");
  const inDays = (days: number) => after(clock(), days * DAY_IN_MS);
  /** A term of so many days, counted from now. */
  const grantDays = (from: number, to: number, more: { memberId?: number; orderId?: number } = {}) =>
    membership.grant({ memberId, planType: 1, startsAt: inDays(from), endsAt: inDays(to), ...more });
  const findAccess = () => membership.findAccess(memberId);
  const placeOrder = async () => {
    const now = clock().toISOString();
    const person = { email: "ada@dormouse.example", first_name: "Ada", last_name: "Lovell", postcode: "AB1 2CD" };
    const sold = { account_type: "individual", plan_type: 1, amount_in_pence: 1500, currency: "GBP" } as const;
    const order = { state: "paid", site: "https://dormouse.example/", country: "GB", created_at: now, updated_at: now };
    const added = db.insertInto("orders").values({ ...person, ...sold, ...order });
    return (await added.returning("id").executeTakeFirstOrThrow()).id;
  };
  const admit = (name: string) => admitMember(ctx, name);
  return { ...database, ctx, clock, membership, memberId, admit, inDays, grantDays, findAccess, placeOrder };
}
