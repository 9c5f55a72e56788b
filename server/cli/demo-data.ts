import { after, DAY_IN_MS } from "../platform/clock.ts";
import type { NewCode } from "../money/companies/codes.ts";
import type { AccountType } from "../platform/database/schema.ts";
import { addMonths } from "../platform/london-calendar.ts";
import { plans, type PlanType } from "../money/membership/plans.ts";
import type { Services } from "../services.ts";

/** A second start changes no existing data. Another back end has its own members. */
export async function fillDemo(services: Services): Promise<void> {
  if (!services.capabilities.holdsAll) return;
  await addDemoMembers(services);
  await addDemoCodes(services);
}

/* The data of every demo. Production never has it: only a start with DEMO=true calls this file. */

export const DEMO_PASSWORD = "sleep-well-tonight";

type DemoMember = {
  email: string;
  firstName: string;
  lastName: string;
  accountType: AccountType;
  planType: PlanType;
  /** In days before the demo's first start. */
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

export async function addDemoMembers({ accounts, membership, clock }: Services): Promise<void> {
  const now = clock();
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

/** One code for each result that a visitor can meet. */
export const demoCodes: (NewCode & { code: string; note: string; isFull?: boolean })[] = [
  { code: "DORMOUSE-DEMO", seats: 1000, note: "valid, 1,000 seats" },
  { code: "DORMOUSE-FULL", seats: 1, note: "no seat left", isFull: true },
  { code: "DORMOUSE-OLD", seats: 1000, note: "expired" },
  { code: "DORMOUSE-ONE", seats: 1, note: "one seat" },
];

const SEAT_HOLDER = "team@dormouse.example";

async function addDemoCodes({ accounts, codes, clock, transact }: Services): Promise<void> {
  const yearAgo = after(clock(), -365 * DAY_IN_MS);
  for (const { note: _note, isFull, ...code } of demoCodes) {
    const isOld = code.code === "DORMOUSE-OLD";
    const dates = isOld ? { startsAt: after(yearAgo, -365 * DAY_IN_MS), endsAt: yearAgo } : {};
    const added = await codes.create({ ...code, ...dates });
    if (!added.ok || !isFull) continue;
    const member = await accounts.findByEmail(SEAT_HOLDER);
    if (member) await transact((trx) => codes.takeSeat({ code: code.code, memberId: member.id }, trx));
  }
}
