import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";

import { codeIn, emailsTo } from "../helpers/mailbox.ts";
import { openVisit, type Doors, type Seen } from "./browser.ts";
import { closeBooks, watchTurns, type Books } from "./books.ts";
import { startTwoInstances, type TwoInstances } from "./app.ts";
import { isIn, join, manners, type Person } from "./people.ts";

/**
 * Many people join at once at two instances on one PostgreSQL. Meanwhile an instance is killed and the database
 * restarted. Afterwards nothing may be lost or paid twice. By hand: `node tests/two-instances/two-instances.ts --people
 * 500`.
 */
export type Outcome = Books & {
  people: number;
  seconds: number;
  requests: number;
  /** Requests to the killed instance that ended without an answer. */
  cutOff: number;
  faultPages: number;
  /** Fault pages without the plain sentence. */
  oddPages: number;
  /** Failed although both instances and the database were back when they were sent. */
  failedAfterwards: Seen[];
  awayInMs: number;
  webhooks: number;
  /** People whose session is unknown to one of the instances. */
  strangers: number;
  /** The statuses of eleven wrong passwords, at alternating instances. */
  guesses: number[];
  /** How often each shared job ran, over all instances. */
  turns: Map<string, number>;
};

/** The emails come from processes with clocks of their own, so we look for them by ours. */
const LOOK_FOR_MAIL_EVERY_IN_MS = 100;
const PATIENCE_FOR_MAIL_IN_MS = 8000;

export async function runTwoInstances({ people: count }: { people: number }): Promise<Outcome> {
  // Jobs run from the start of the instances.
  const startedAt = performance.now();
  await using app = await startTwoInstances();
  const stopWatching = watchTurns(app.parts.env.DATABASE_URL ?? "");
  const webhooks = app.deliverWebhooks();
  const doors: Doors = { pick: () => toAlternatives(app.doors()), seen: [] };
  const people = Array.from({ length: count }, (_, place) => newPerson(place, doors));
  const trouble = planTrouble(app, doors, count);
  const around = {
    nextCode: (email: string, tried: Set<string>) => nextCode(app, email, tried),
    gather: createGathering(count),
    onPaying: trouble.report,
  };
  await Promise.all(people.map((person) => join(person, around)));
  const { awayInMs, overAt } = await trouble.end();
  const strangers = await countStrangers(people, app.doors());
  const guesses = await guess(app.doors());
  await webhooks.stop();
  const turns = await stopWatching();
  const seconds = (performance.now() - startedAt) / 1000;
  await app.stop();
  const emails = people.map(({ email }) => email);
  return {
    ...(await closeBooks(app.parts, emails)),
    ...summarise(doors.seen, overAt),
    people: count,
    seconds,
    awayInMs,
    webhooks: webhooks.delivered(),
    strangers,
    guesses,
    turns,
  };
}

function newPerson(place: number, doors: Doors): Person {
  const address = `10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`;
  const manner = manners[place % manners.length] ?? "card";
  return { email: `person-${place}@example.org`, manner, visit: openVisit(doors, address) };
}

/** Answers all callers once there are so many. */
function createGathering(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let missing = count;
  return () => {
    missing -= 1;
    if (missing === 0) resolve();
    return promise;
  };
}

/** After a third of the people have begun to pay an instance is killed, after two thirds the database goes. */
function planTrouble({ killFirst, parts }: TwoInstances, doors: Doors, count: number) {
  let paying = 0;
  let awayInMs = 0;
  let overAt = 0;
  const done: Promise<void>[] = [];

  async function restartDatabase(): Promise<void> {
    const goneAt = performance.now();
    // Back once a person has met a page without it.
    await parts.postgres?.restart(() => new Promise((resolve) => (doors.onFault = resolve)));
    awayInMs = performance.now() - goneAt;
  }
  return {
    report() {
      paying += 1;
      if (paying === Math.ceil(count / 3)) done.push(killFirst());
      if (paying === Math.ceil((2 * count) / 3)) done.push(restartDatabase());
      if (done.length === 2) void Promise.all(done).then(() => (overAt ||= performance.now()));
    },
    async end() {
      await Promise.all(done);
      return { awayInMs, overAt };
    },
  };
}

async function nextCode({ parts }: TwoInstances, email: string, tried: Set<string>) {
  for (const since = performance.now(); performance.now() - since < PATIENCE_FOR_MAIL_IN_MS;) {
    const emails = parts.mail.emails.map(({ to, mail }) => ({
      to: to[0] ?? "",
      subject: mail.subject ?? "",
      text: mail.text ?? "",
    }));
    const asking = emailsTo(email, emails).filter(({ subject }) => subject.endsWith("Confirm your email address"));
    const code = asking.map(codeIn).findLast((each) => !tried.has(each));
    if (code !== undefined) return code;
    await wait(LOOK_FOR_MAIL_EVERY_IN_MS);
  }
  return undefined;
}

async function countStrangers(people: Person[], doors: string[]): Promise<number> {
  let strangers = 0;
  for (const person of people) {
    for (const door of doors) if (!(await isIn(person, door))) strangers += 1;
  }
  return strangers;
}

/** Ten tries are allowed at all instances together. */
async function guess(doors: string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) {
    const door = doors[count % doors.length] ?? "";
    const visit = openVisit({ pick: () => door, seen: [] }, "192.0.2.1");
    const form = { intent: "log-in", email: "member@dormouse.example", password: `wrong-password-${count}` };
    statuses.push((await visit.send("/login", form)).status);
  }
  return statuses;
}

function summarise(seen: Seen[], overAt: number) {
  return {
    requests: seen.length,
    cutOff: seen.filter(({ status }) => status === 0).length,
    faultPages: seen.filter(({ status }) => status >= 500).length,
    oddPages: seen.filter(({ isPlain }) => !isPlain).length,
    failedAfterwards: seen.filter(({ sentAt, status }) => sentAt > overAt && (status === 0 || status >= 500)),
  };
}

function toAlternatives(list: string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? "";
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { people: { type: "string", default: "30" } } });
  const outcome = await runTwoInstances({ people: Number(values.people) });
  console.log(outcome);
  if (outcome.faults.length > 0 || outcome.failedAfterwards.length > 0) process.exitCode = 1;
}
