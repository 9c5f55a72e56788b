import { after, DAY_IN_MS } from "../../server/clock.ts";
import type { Engine } from "../../server/database/database.ts";
import { createMembership } from "../../server/membership/membership.ts";
import { openTestDatabase } from "./databases.ts";
import { createTestAccounts } from "./test-accounts.ts";
import { createTestContext } from "./test-context.ts";

/** Memberships over one database, and Ada, who may have one. */
export async function openMembershipApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const ctx = createTestContext(database.db);
  const { clock } = ctx;
  const membership = createMembership(ctx);
  const { accounts } = createTestAccounts(ctx);
  const register = async (name: string) => {
    const member = await accounts.register({
      email: `${name}@dormouse.example`,
      password: "sleep-well-tonight",
      firstName: name,
      lastName: "Lovell",
      accountType: "individual",
    });
    return member?.id ?? 0;
  };
  const memberId = await register("ada");
  /** A term of so many days, counted from now. */
  const grantDays = (from: number, to: number, more: { memberId?: number; orderId?: number } = {}) =>
    membership.grant({
      memberId,
      planType: 1,
      startsAt: after(clock(), from * DAY_IN_MS),
      endsAt: after(clock(), to * DAY_IN_MS),
      ...more,
    });
  const placeOrder = async () => {
    const { id } = await database.db
      .insertInto("orders")
      .values({
        account_type: "individual",
        plan_type: 1,
        amount_in_pence: 1500,
        currency: "GBP",
        state: "paid",
        email: "ada@dormouse.example",
        first_name: "Ada",
        last_name: "Lovell",
        postcode: "AB1 2CD",
        site: "https://dormouse.example/",
        country: "GB",
        created_at: clock().toISOString(),
        updated_at: clock().toISOString(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  };
  return { ...database, ctx, clock, membership, memberId, register, grantDays, placeOrder };
}
