import type { AvatarRefusal } from "../../../../server/avatars/avatars.ts";
import type { Rooms } from "../../../../server/rooms.ts";
import { pictures } from "../../../../server/refusals.ts";
import { tooMany, tooSoon } from "../../../forms/wait-text.ts";

/** What is said of a picture that was not taken (spec, section 5); a new reason does not compile until it has words. */
const faults: Record<AvatarRefusal, string> = {
  unsupported: pictures.spec.unsupported,
  "too-big": pictures.spec["too-big"],
  "too-small": pictures.spec["too-small"],
  "too-many-pixels": pictures.ours["too-many-pixels"],
  unreadable: pictures.ours.unreadable,
};

type Kept = { isKept: boolean; fault?: { words: string; init: ResponseInit } };

/** The picture that came with a form, if one was chosen: kept in the place of the old one, or what is wrong with it. */
export async function keepPicture({ avatars }: Rooms, memberId: number, file: unknown): Promise<Kept> {
  // Where none is chosen, browsers send an empty file without a name.
  if (!(file instanceof File) || (file.size === 0 && file.name === "")) return { isKept: false };
  const saved = await avatars.save(memberId, new Uint8Array(await file.arrayBuffer()));
  if (saved.ok) return { isKept: true };
  const isTooMany = saved.reason === "too-many-attempts";
  const fault = isTooMany
    ? { words: tooMany(saved.waitInMs), init: tooSoon(saved.waitInMs) }
    : { words: faults[saved.reason], init: { status: 400 } };
  return { isKept: false, fault };
}
