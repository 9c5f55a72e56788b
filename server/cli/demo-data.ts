import type { Rooms } from "../rooms.ts";
import { addDemoCodes } from "./demo-codes.ts";
import { addDemoMembers } from "./demo-members.ts";

/** Fills an empty demo, and leaves alone what a second start finds. */
export async function fillDemo(rooms: Rooms): Promise<void> {
  await addDemoMembers(rooms);
  await addDemoCodes(rooms);
}
