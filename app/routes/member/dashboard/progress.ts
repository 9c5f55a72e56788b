import { itemKey, type ItemRef } from "../../../../server/content/items/kinds.ts";
import { findPlayed, isRecording } from "../../../../server/content/items/item-facts.ts";
import { isAtEnd, remainingText } from "../../../../server/members/positions/progress.ts";
import type { Services } from "../../../../server/services.ts";
import type { Progress } from "../../../components/card.tsx";

/**
 * By `itemKey`, for begun items that play here. One query, and none where nothing plays. Positions that are off give
 * nothing.
 */
export async function findProgress(
  { catalogue, positions }: Services,
  memberId: number,
  items: ItemRef[],
): Promise<Record<string, Progress>> {
  const playing = items.flatMap((ref) => {
    const item = catalogue.findItem(ref.kind, ref.id);
    const played = item && findPlayed(item);
    return played ? [{ item, played }] : [];
  });
  const known = await positions.listKnown(
    memberId,
    playing.map(({ item: { kind, id } }) => ({ kind, id })),
  );
  const byKey = new Map(known.map((each) => [itemKey(each), each]));
  const begun = playing.flatMap(({ item, played }) => {
    const position = byKey.get(itemKey(item));
    if (!position || position.state === "opened") return [];
    // As on the landing: it may have been cut shorter.
    const { seconds } = position;
    const length = played.durationInSeconds ?? position.duration;
    const isOver = position.state === "finished" || isAtEnd(seconds, length);
    const progress = isOver
      ? { percent: 100, text: isRecording(item) ? "Listened to" : "Watched" }
      : { percent: Math.round((100 * seconds) / length), text: remainingText(length - seconds) };
    return [[itemKey(item), progress] as const];
  });
  return Object.fromEntries(begun);
}
