import type { Services } from "../server/services.ts";
import type { EntranceHouse } from "./ui/entrance.tsx";

/** What visitors are told of the house, and no more. */
export function entranceHouse({ product }: Services): EntranceHouse {
  const { name, contactEmail, socialLinks, agency } = product;
  return { name, contactEmail, socialLinks, agency };
}
