/** The terms of two accounts, laid out for one. */

type Term = { id: number; startsAt: Date; endsAt: Date; revokedAt: Date | undefined };

export type MovedTerm = Pick<Term, "id" | "startsAt" | "endsAt">;

/** The terms of an account that are still to be laid out, and how far those behind them are late. */
type Queue = { places: { term: Term; from: number }[]; delay: number; end: number };

/**
 * Where terms must move so that no day of either account is lost and none counts twice: what begins first stays, the account's `own`
 * before the other's, and a term that would run beside one of the other account waits for its end, with those behind it. Terms of
 * one account keep their distance to one another. Only what is left of a term is moved; ended and revoked ones stay as they are.
 * Answers the terms that move.
 */
export function layOutTerms(own: Term[], theirs: Term[], now: Date): MovedTerm[] {
  const [first, second] = [toQueue(own, now), toQueue(theirs, now)];
  const moved: MovedTerm[] = [];
  while (first.places.length + second.places.length > 0) {
    const isFirst = findStart(first, second) <= findStart(second, first);
    const [queue, other] = isFirst ? [first, second] : [second, first];
    const start = findStart(queue, other);
    const place = queue.places.shift();
    if (!place) continue;
    const { term, from } = place;
    queue.delay = start - from;
    const endsAt = term.endsAt.getTime() + queue.delay;
    queue.end = Math.max(queue.end, endsAt);
    if (queue.delay > 0) moved.push({ id: term.id, startsAt: new Date(start), endsAt: new Date(endsAt) });
  }
  return moved;
}

function toQueue(terms: Term[], now: Date): Queue {
  const places = terms
    .filter(({ revokedAt, endsAt }) => !revokedAt && endsAt > now)
    .map((term) => ({ term, from: Math.max(term.startsAt.getTime(), now.getTime()) }));
  return { places: places.toSorted((a, b) => a.from - b.from), delay: 0, end: 0 };
}

/** When the next term of a queue may begin, beside what is laid out of the other one. */
function findStart({ places: [next], delay }: Queue, other: Queue): number {
  return next === undefined ? Infinity : Math.max(next.from + delay, other.end);
}
