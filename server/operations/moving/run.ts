import type { Brought, Bringing } from "./moving.ts";
import type { ForeignMember } from "./member-line.ts";

/** A member to import, or why their line is unreadable; `number`: their line or place. */
export type Arriving = { number: number } & ({ ok: true; member: ForeignMember } | { ok: false; refusal: string });

export type ImportCounts = Record<Brought["outcome"], number>;

/** Imports one member after another, and reports each. The counts are those of the whole run. */
export async function bringAll<Each extends Arriving>(
  bringing: Bringing,
  arriving: AsyncIterable<Each> | Iterable<Each>,
  report: (each: Each, brought: Brought, counts: ImportCounts) => Promise<void> | void,
): Promise<ImportCounts> {
  const counts: ImportCounts = { added: 0, completed: 0, same: 0, refused: 0 };
  for await (const each of arriving) {
    const brought: Brought = each.ok ? await bringing.bring(each.member) : { outcome: "refused", reason: each.refusal };
    counts[brought.outcome] += 1;
    await report(each, brought, counts);
  }
  return counts;
}
