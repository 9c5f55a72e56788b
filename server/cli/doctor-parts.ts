import { setTimeout as delay } from "node:timers/promises";

import { SECOND_IN_MS } from "../clock.ts";
import type { PartCheck } from "../part-check.ts";
import type { Rooms } from "../rooms.ts";
import { sayError } from "./command-log.ts";
import { note, ok, wrong, type Finding } from "./finding.ts";

/** Longer than any part takes that answers at all. */
const PART_PATIENCE_IN_MS = 30 * SECOND_IN_MS;

/** Asks each part that others run, all at once; one that does not answer holds up none of the others. */
export async function checkParts(parts: Rooms["parts"]): Promise<Finding[]> {
  return Promise.all(
    Object.entries(parts).map(async ([name, part]) => {
      const { isWell, says } = await Promise.race([part.check(), impatience()]).catch(toFault);
      if (!part.isOpen) return note(name, says);
      return isWell ? ok(name, says) : wrong(name, says);
    }),
  );
}

async function impatience(): Promise<PartCheck> {
  await delay(PART_PATIENCE_IN_MS, undefined, { ref: false });
  return { isWell: false, says: "It gives no answer: is its address right, and does it run?" };
}

function toFault(error: unknown): PartCheck {
  return { isWell: false, says: `${sayError(error)}.` };
}
