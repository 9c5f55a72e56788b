import { addDemoMembers } from "../server/cli/demo-data.ts";
import { readConfig, type Config } from "../server/config.ts";
import { createRooms as createHouse, type Rooms } from "../server/rooms.ts";
import { createSyntheticContent } from "./synthetic-content.ts";

/** The rooms of a server that is measured: `ITEMS` made-up items, `CARDS_PER_PAGE` of them on a page. */
export function createRooms(config: Config): Promise<Rooms> {
  return createHouse(config, {
    content: createSyntheticContent(Number(process.env.ITEMS)),
    cardsPerPage: Number(process.env.CARDS_PER_PAGE),
  });
}

/** The same as the environment has them, with the demo's members in. */
export async function openRooms(): Promise<Rooms> {
  const rooms = await createRooms(readConfig(process.env));
  await addDemoMembers(rooms);
  return rooms;
}
