type Term = { id: number; startsAt: Date; endsAt: Date; revokedAt: Date | undefined };

export type MovedTerm = Pick<Term, "id" | "startsAt" | "endsAt">;

/** An account's terms that are not placed yet, and the delay of those that follow. */
type Queue = { waiting: { term: Term; from: number }[]; delay: number; end: number };

/**
 * Moves terms so that no day of either account is lost or counts twice. The term that begins first stays, the account's
 * `own` before the other's; one that would overlap the other account's waits for its end, with those behind it. Terms
 * of one account keep their distances. Only the remainder of a term moves; ended and revoked ones stay. Answers the
 * moved terms.
 */
export function layOutTerms(own: Term[], theirs: Term[], now: Date): MovedTerm[] {
  const [first, second] = [toQueue(own, now), toQueue(theirs, now)];
  const moved: MovedTerm[] = [];
  while (first.waiting.length + second.waiting.length > 0) {
    const isFirst = findStart(first, second) <= findStart(second, first);
    const [queue, other] = isFirst ? [first, second] : [second, first];
    const start = findStart(queue, other);
    const next = queue.waiting.shift();
    if (!next) continue;
    const { term, from } = next;
    queue.delay = start - from;
    const endsAt = term.endsAt.getTime() + queue.delay;
    queue.end = Math.max(queue.end, endsAt);
    if (queue.delay > 0) moved.push({ id: term.id, startsAt: new Date(start), endsAt: new Date(endsAt) });
  }
  return moved;
}

function toQueue(terms: Term[], now: Date): Queue {
  const waiting = terms
    .filter(({ revokedAt, endsAt }) => !revokedAt && endsAt > now)
    .map((term) => ({ term, from: Math.max(term.startsAt.getTime(), now.getTime()) }));
  return { waiting: waiting.toSorted((a, b) => a.from - b.from), delay: 0, end: 0 };
}

/** The earliest start of a queue's next term, beside the other's placed ones. */
function findStart({ waiting: [next], delay }: Queue, other: Queue): number {
  return next === undefined ? Infinity : Math.max(next.from + delay, other.end);
}
