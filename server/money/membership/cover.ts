/** docs/behaviour.md, Plans. */
export const CORPORATE_PLAN_LABEL = "12 Month Subscription";

type Term = { startsAt: Date; endsAt: Date; revokedAt: Date | undefined };

export type Cover<Held extends Term> =
  /** `terms`: the running one and those that follow without a gap; `endsAt`: the end of the last. */
  | { state: "active"; terms: Held[]; endsAt: Date }
  /** A revoked term leaves a gap before the next one. */
  | { state: "waiting"; startsAt: Date; endsAt: Date }
  /** `last`: the term with the latest end. */
  | { state: "over"; last: Held }
  | { state: "none" };

/** Shared by members, operators, emails and exports. The order of `held` does not matter. */
export function findCover<Held extends Term>(held: Held[], now: Date): Cover<Held> {
  const [last] = held.toSorted((a, b) => b.endsAt.getTime() - a.endsAt.getTime());
  if (!last) return { state: "none" };
  const valid = held
    .filter(({ revokedAt, endsAt }) => !revokedAt && endsAt > now)
    .toSorted((a, b) => a.endsAt.getTime() - b.endsAt.getTime());
  // A renewal waits for the term before it. Any other term counts from its grant: its start lies in the future only
  // where this server's clock is behind.
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
