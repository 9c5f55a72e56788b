import { readConfig } from "../../server/config.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import type { Queries } from "../../server/platform/database/database.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { openPostgres } from "../../server/platform/database/postgres.ts";
import { createServices } from "../../server/services.ts";
import type { SunkEmail } from "../fakes/smtp-sink.ts";
import { readStripeLedger } from "../faults/stripe-ledger.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { createQuietLog } from "../helpers/quiet-log.ts";
import type { RealParts } from "../helpers/real-parts.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { findRemainder, listFaults } from "../saga/ledger.ts";

/** The books once the app is at rest. */
export type Books = {
  faults: string[];
  charged: number;
  notReturned: number;
  /** With those that came again under the same id. */
  emails: number;
  repeated: number;
};

/** Past every wait: for a dead instance's leases, for abandoned payments, for unpaid orders. */
const STEPS_TO_REST_IN_MS = [3 * MINUTE_IN_MS, 91 * MINUTE_IN_MS, 25 * HOUR_IN_MS];

/** A third app on the same database, whose clock is ahead, finishes the rest; then the books are read. */
export async function closeBooks({ env, stripe, mail }: RealParts, emails: string[]): Promise<Books> {
  const config = readConfig(env);
  const database = await openDatabase(config.database);
  const clock = createTestClock(new Date().toISOString());
  const services = await createServices(config, {
    database,
    clock,
    log: createQuietLog(),
    content: createFixedContent(),
  });
  try {
    for (const step of STEPS_TO_REST_IN_MS) {
      clock.advance(step);
      for (const job of services.jobs.names()) await services.jobs.run(job);
    }
    const ledger = await readStripeLedger(database.db, stripe.books);
    const ids = mail.emails.map((sent) => sent.mail.messageId);
    const distinct = new Set(ids).size;
    return {
      faults: [
        ...listFaults(ledger),
        ...emails.flatMap((email) => faultsOfPerson(email, ledger)),
        ...emails.flatMap((email) => faultsOfEmails(email, mail.emails)),
        ...(distinct === ledger.emails.length ? [] : [`${ledger.emails.length} emails were ${distinct} at the sink`]),
        ...(await faultsOfWebhooks(database.db, stripe.events.length)),
      ],
      charged: ledger.charges.length,
      notReturned: ledger.charges.filter((charge) => findRemainder(charge) > 0).length,
      emails: distinct,
      repeated: ids.length - distinct,
    };
  } finally {
    await services.close();
  }
}

function faultsOfPerson(email: string, ledger: Awaited<ReturnType<typeof readStripeLedger>>): string[] {
  const member = ledger.members.find((each) => each.email === email);
  const count = ledger.subscriptions.filter(({ memberId: id }) => id === member?.id).length;
  return count === 1 ? [] : [`${email} has read "Payment Complete" and has ${count} subscriptions`];
}

/** One receipt and one welcome each, repeats of the same email aside. */
function faultsOfEmails(email: string, emails: SunkEmail[]): string[] {
  const own = emails.filter(({ to }) => to[0] === email).map(({ mail }) => mail);
  return [/^Your receipt/, /^Welcome/].flatMap((subject) => {
    const ids = new Set(own.filter((mail) => subject.test(mail.subject ?? "")).map(({ messageId }) => messageId));
    return ids.size === 1 ? [] : [`${email} has ${ids.size} emails like ${subject}`];
  });
}

async function faultsOfWebhooks(db: Queries, eventCount: number): Promise<string[]> {
  const webhooks = await db.selectFrom("webhookEvents").select("handledAt").execute();
  const left = webhooks.filter(({ handledAt: at }) => at === null).length;
  return [
    ...(left === 0 ? [] : [`${left} webhook events were not worked on`]),
    ...(webhooks.length === eventCount ? [] : [`of ${eventCount} events ${webhooks.length} were kept`]),
  ];
}

/** Polls the leases; returns how often each shared job ran. */
export function watchTurns(url: string): () => Promise<Map<string, number>> {
  const { db, close } = openPostgres({ url, poolSize: 2 });
  const turns = new Map<string, Set<string>>();
  const look = async () => {
    const leases = await db.selectFrom("jobLeases").selectAll().where("name", "like", "run %").execute();
    for (const { name, holder, expiresAt: end } of leases) {
      turns.set(name, (turns.get(name) ?? new Set()).add(`${holder} ${end.toISOString()}`));
    }
  };
  // The database is away for a while, as intended.
  const timer = setInterval(() => void look().catch(() => undefined), 100);
  return async () => {
    clearInterval(timer);
    await close();
    return new Map([...turns].map(([name, held]) => [name, held.size]));
  };
}
