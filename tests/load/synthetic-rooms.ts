import { addDemoMembers } from "../../server/cli/demo-members.ts";
import type { Config } from "../../server/config.ts";
import { createRooms as createHouse, type Rooms } from "../../server/rooms.ts";
import { createSyntheticContent } from "./synthetic-content.ts";

/** The rooms of a server that is measured: demo members, `ITEMS` made-up items and `CARDS_PER_PAGE` cards on a page. */
export async function createRooms(config: Config): Promise<Rooms> {
  const rooms = await createHouse(config, {
    content: createSyntheticContent(Number(process.env.ITEMS)),
    cardsPerPage: Number(process.env.CARDS_PER_PAGE),
  });
  await addDemoMembers(rooms);
  return rooms;
}
