import type { Rooms } from "../server/rooms.ts";
import type { EntranceHouse } from "./ui/entrance.tsx";

/** What visitors are told of the house, and no more. */
export function entranceHouse({ product }: Rooms): EntranceHouse {
  const { name, contactEmail, socialLinks, agency } = product;
  return { name, contactEmail, socialLinks, agency };
}
