/** The plan of a company's people, in words (docs/behaviour.md, Plans). */
export const CORPORATE_PLAN_LABEL = "12 Month Subscription";

type Term = { startsAt: Date; endsAt: Date; revokedAt: Date | undefined };

/** The access that a member's terms give at an instant. */
export type Cover<Held extends Term> =
  /** `terms`: the one that runs, and those that follow it without a gap; `endsAt`: where the last of them ends. */
  | { state: "active"; terms: Held[]; endsAt: Date }
  /** A term that was ended leaves a gap before the next one. */
  | { state: "waiting"; startsAt: Date; endsAt: Date }
  /** `last`: the term with the latest end. */
  | { state: "over"; last: Held }
  | { state: "none" };

/** The one answer to "until when?", for members, operators, emails and exports alike. The order of `held` does not matter. */
export function findCover<Held extends Term>(held: Held[], now: Date): Cover<Held> {
  const [last] = held.toSorted((a, b) => b.endsAt.getTime() - a.endsAt.getTime());
  if (!last) return { state: "none" };
  const valid = held
    .filter(({ revokedAt, endsAt }) => !revokedAt && endsAt > now)
    .toSorted((a, b) => a.endsAt.getTime() - b.endsAt.getTime());
  // A renewal waits for the term before it. Any other term counts from when it was granted: its start lies in the future only where
  // this server's clock is behind that of the server that granted it.
  const isBegun = ({ startsAt }: Held) =>
    startsAt <= now || !held.some((before) => before.endsAt.getTime() === startsAt.getTime());
  const running = valid.findLast(isBegun);
  if (!running) {
    const [next] = valid;
    return next ? { state: "waiting", startsAt: next.startsAt, endsAt: next.endsAt } : { state: "over", last };
  }
  const terms = [running];
  let endsAt = running.endsAt;
  for (const term of valid) {
    if (term.startsAt > endsAt || term.endsAt <= endsAt) continue;
    terms.push(term);
    endsAt = term.endsAt;
  }
  return { state: "active", terms, endsAt };
}
