import type { Rooms } from "../../../../server/rooms.ts";

/** Details are changed by members with an active subscription; for the others we do it (design, section 3). */
export async function mayChange({ membership }: Rooms, memberId: number): Promise<boolean> {
  return (await membership.findAccess(memberId)).isActive;
}
