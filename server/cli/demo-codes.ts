import { after, DAY_IN_MS } from "../clock.ts";
import type { NewCode } from "../codes/codes.ts";
import type { Rooms } from "../rooms.ts";

/** The codes of every demo, one for each thing that can become of one. */
const demoCodes: (NewCode & { code: string; note: string; isFull?: boolean })[] = [
  { code: "DORMOUSE-DEMO", seats: 1000, note: "valid, 1,000 seats" },
  { code: "DORMOUSE-FULL", seats: 1, note: "no seat left", isFull: true },
  { code: "DORMOUSE-OLD", seats: 1000, note: "expired" },
  { code: "DORMOUSE-ONE", seats: 1, note: "one seat" },
];

export const demoCodeNotes = demoCodes.map(({ code, note }) => ({ code, note }));

/** Who sits on the one seat of the full code. */
const SEATED = "team@dormouse.example";

/** Adds the demo codes that are not there yet. */
export async function addDemoCodes({ accounts, codes, clock, transact }: Rooms): Promise<void> {
  const yearAgo = after(clock(), -365 * DAY_IN_MS);
  for (const { note: _note, isFull, ...code } of demoCodes) {
    const isOld = code.code === "DORMOUSE-OLD";
    const dates = isOld ? { startsAt: after(yearAgo, -365 * DAY_IN_MS), endsAt: yearAgo } : {};
    const added = await codes.create({ ...code, ...dates });
    if (!added.ok || !isFull) continue;
    const member = await accounts.findByEmail(SEATED);
    if (member) await transact((trx) => codes.takeSeat({ code: code.code, memberId: member.id }, trx));
  }
}
