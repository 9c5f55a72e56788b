import { readConfig } from "../../server/config.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../server/clock.ts";
import { openDatabase, type Queries } from "../../server/database/database.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { createRooms } from "../../server/rooms.ts";
import type { SunkLetter } from "../fakes/smtp-sink.ts";
import { readStripeLedger } from "../faults/stripe-ledger.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { createQuietLog } from "../helpers/quiet-log.ts";
import type { RealParts } from "../helpers/real-parts.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { keptOf, listFaults } from "../saga/ledger.ts";

/** What the books say once everything has come to its end. */
export type Books = {
  faults: string[];
  charged: number;
  kept: number;
  /** Letters, and how many came a second time under the same id. */
  letters: number;
  repeated: number;
};

/** Past every wait: of what a dead instance has left, of abandoned payments, of orders that nobody pays for. */
const STEPS_TO_REST_IN_MS = [3 * MINUTE_IN_MS, 91 * MINUTE_IN_MS, 25 * HOUR_IN_MS];

/** A third house on the same database, whose clock is ahead, finishes what is left; then the books are read. */
export async function closeBooks({ env, stripe, mail }: RealParts, emails: string[]): Promise<Books> {
  const config = readConfig(env);
  const database = await openDatabase(config.database);
  const clock = createTestClock(new Date().toISOString());
  const rooms = await createRooms(config, { database, clock, log: createQuietLog(), content: createFixedContent() });
  try {
    for (const step of STEPS_TO_REST_IN_MS) {
      clock.advance(step);
      for (const task of rooms.tasks.names()) await rooms.tasks.run(task);
    }
    const ledger = await readStripeLedger(database.db, stripe.books);
    const ids = mail.letters.map(({ mail: letter }) => letter.messageId);
    const distinct = new Set(ids).size;
    return {
      faults: [
        ...listFaults(ledger),
        ...emails.flatMap((email) => faultsOfPerson(email, ledger)),
        ...emails.flatMap((email) => faultsOfLetters(email, mail.letters)),
        ...(distinct === ledger.letters.length
          ? []
          : [`${ledger.letters.length} letters were ${distinct} at the sink`]),
        ...(await faultsOfNotices(database.db, stripe.events.length)),
      ],
      charged: ledger.charges.length,
      kept: ledger.charges.filter((charge) => keptOf(charge) > 0).length,
      letters: distinct,
      repeated: ids.length - distinct,
    };
  } finally {
    await rooms.close();
  }
}

function faultsOfPerson(email: string, ledger: Awaited<ReturnType<typeof readStripeLedger>>): string[] {
  const member = ledger.members.find((each) => each.email === email);
  const count = ledger.subscriptions.filter(({ member_id: id }) => id === member?.id).length;
  return count === 1 ? [] : [`${email} has read "Payment Complete" and has ${count} subscriptions`];
}

/** One receipt and one welcome each, however often one and the same letter was brought. */
function faultsOfLetters(email: string, letters: SunkLetter[]): string[] {
  const own = letters.filter(({ to }) => to[0] === email).map(({ mail }) => mail);
  return [/^Your receipt/, /^Welcome/].flatMap((subject) => {
    const ids = new Set(own.filter((letter) => subject.test(letter.subject ?? "")).map(({ messageId }) => messageId));
    return ids.size === 1 ? [] : [`${email} has ${ids.size} letters like ${subject}`];
  });
}

async function faultsOfNotices(db: Queries, told: number): Promise<string[]> {
  const notices = await db.selectFrom("notices").select("handled_at").execute();
  const left = notices.filter(({ handled_at: at }) => at === null).length;
  return [
    ...(left === 0 ? [] : [`${left} notices were not worked on`]),
    ...(notices.length === told ? [] : [`of ${told} events ${notices.length} were kept`]),
  ];
}

/** Looks again and again who has which turn; answers how many turns each shared task has had. */
export function watchTurns(url: string): () => Promise<Map<string, number>> {
  const { db, close } = openPostgres({ url, poolSize: 2 });
  const turns = new Map<string, Set<string>>();
  const look = async () => {
    const leases = await db.selectFrom("task_leases").selectAll().where("name", "like", "turn %").execute();
    for (const { name, holder, expires_at: end } of leases) {
      turns.set(name, (turns.get(name) ?? new Set()).add(`${holder} ${end}`));
    }
  };
  // The database is away for a while, as it should be.
  const timer = setInterval(() => void look().catch(() => undefined), 100);
  return async () => {
    clearInterval(timer);
    await close();
    return new Map([...turns].map(([name, held]) => [name, held.size]));
  };
}
