import { after, DAY_IN_MS } from "../clock.ts";
import type { AccountType } from "../database/schema.ts";
import { addMonths, plans, type PlanType } from "../membership/plans.ts";
import type { Rooms } from "../rooms.ts";

/** The members of every demo. Production never has them: only `dormouse demo` calls this file. */
export const DEMO_PASSWORD = "sleep-well-tonight";

type DemoMember = {
  email: string;
  firstName: string;
  lastName: string;
  accountType: AccountType;
  planType: PlanType;
  /** When the subscription began, in days before the demo's first start. */
  startedDaysAgo: number;
  note: string;
};

export const demoMembers: DemoMember[] = [
  {
    email: "member@dormouse.example",
    firstName: "Ada",
    lastName: "Lovell",
    accountType: "individual",
    planType: 3,
    startedDaysAgo: 30,
    note: "individual, active",
  },
  {
    email: "team@dormouse.example",
    firstName: "Tom",
    lastName: "Fenwick",
    accountType: "corporate",
    planType: 3,
    startedDaysAgo: 30,
    note: "corporate, active",
  },
  {
    email: "lapsed@dormouse.example",
    firstName: "Lena",
    lastName: "Marsh",
    accountType: "individual",
    planType: 1,
    startedDaysAgo: 90,
    note: "subscription ended",
  },
];

/** Adds the demo members that are not there yet. */
export async function addDemoMembers({ accounts, membership }: Rooms): Promise<void> {
  const now = new Date();
  for (const { planType, startedDaysAgo, note: _note, ...details } of demoMembers) {
    const member = await accounts.register({ ...details, password: DEMO_PASSWORD });
    if (!member) continue;
    const startsAt = after(now, -startedDaysAgo * DAY_IN_MS);
    await membership.grant({
      memberId: member.id,
      planType,
      startsAt,
      endsAt: addMonths(startsAt, plans[planType].months),
    });
  }
}
