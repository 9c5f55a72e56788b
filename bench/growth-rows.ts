import { CompiledQuery } from "kysely";

import { DAY_IN_MS, systemClock } from "../server/platform/clock.ts";
import { readConfig } from "../server/config.ts";
import type { Database } from "../server/platform/database/database.ts";
import { openDatabase } from "../server/platform/database/open-database.ts";
import { createServices } from "../server/services.ts";
import { createEmailList } from "../tests/helpers/email-list.ts";
import { createFixedContent } from "../tests/helpers/fixed-content.ts";
import { createQuietLog } from "../tests/helpers/quiet-log.ts";
import { medianRatio } from "./measure.ts";
import { amountRow, type Row } from "./report.ts";

/** P7: the cost of a request must not grow with members and favourites. */
export async function growthRows(): Promise<Row[]> {
  return [...(await memberRows()), await favouriteRow()];
}

const ROUNDS = 20;
const QUERIES = 500;
const MAX_RATIO = 1.15;

/** The members on a page of the desk, and one more that shows whether another page follows. */
const DESK_PAGE = 51;

/**
 * As long as a member's own search may take (P6). A ratio would be useless: among a million members more match, and the
 * index has more to read.
 */
const MAX_SEARCH_IN_MS = 30;

/** Finding session, member and access among a million members and among a hundred; and searches at the desk. */
async function memberRows(): Promise<Row[]> {
  await using few = await openMembers(100);
  await using many = await openMembers(1_000_000);
  return [
    await ratioRow("session, member and access among 1,000,000 members, beside 100", few.ask, many.ask),
    await ratioRow("the desk's newest members among 1,000,000, beside 100", ...listings([few, many], undefined)),
    await searchRow("the desk's search among 1,000,000 members, part of one's address", many, "500001@exa"),
    await searchRow("the desk's search among 1,000,000 members, part of everyone's address", many, "example"),
    await searchRow("the desk's search among 1,000,000 members, a term that no member has", many, "pillow"),
  ];
}

type Members = Awaited<ReturnType<typeof openMembers>>;

function listings([few, many]: [Members, Members], term: string | undefined) {
  return [() => few.find(term), () => many.find(term)] as const;
}

/** The 95th percentile of many searches, in milliseconds. */
async function searchRow(what: string, { find }: Members, term: string): Promise<Row> {
  const times: number[] = [];
  for (let count = 0; count < 5 * ROUNDS; count += 1) {
    const start = performance.now();
    await find(term);
    times.push(performance.now() - start);
  }
  const amount = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  return amountRow({ id: "P7", what: `${what}, p95` }, { amount, max: MAX_SEARCH_IN_MS, unit: "ms", digits: 2 });
}

/** A demo's services without content, over a database of the bench. */
const openServices = (database: Database) =>
  createServices(readConfig({ DEMO: "true" }), {
    database,
    log: createQuietLog(),
    content: createFixedContent(),
    mailer: createEmailList(),
  });

/** Members with a subscription each, and a session for one in the middle. */
async function openMembers(count: number) {
  const database = await openDatabase({ kind: "sqlite", path: ":memory:" });
  const now = systemClock().getTime();
  const [from, to] = [now - DAY_IN_MS, now + DAY_IN_MS].map((time) => `'${new Date(time).toISOString()}'`);
  const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
  for (const sql of [
    `insert into members (email, email_key, password_hash, first_name, last_name, account_type, created_at)
      ${numbers} select n || '@example.org', n || '@example.org', '-', 'Ada', 'Lovell', 'individual', ${from} from numbers`,
    `insert into subscriptions (member_id, plan_type, starts_at, ends_at) select id, 1, ${from}, ${to} from members`,
  ]) {
    await database.db.executeQuery(CompiledQuery.raw(sql));
  }
  const { sessions, accounts, membership, close } = await openServices(database);
  const { token } = await sessions.start(count / 2);
  return {
    async ask() {
      const session = await sessions.find(token);
      const member = session && (await accounts.findMember(session.memberId));
      const access = member && (await membership.findAccess(member.id));
      if (!access?.isActive) throw new Error("The member of the bench is gone");
    },
    find: (search: string | undefined) => accounts.search({ search, size: DESK_PAGE }),
    [Symbol.asyncDispose]: close,
  };
}

/** Which of a page's 63 favourite buttons are pressed, for a member with 10,000 favourites and for one with none. */
async function favouriteRow(): Promise<Row> {
  const database = await openDatabase({ kind: "sqlite", path: ":memory:" });
  const { accounts, favourites, close } = await openServices(database);
  const [few = 0, many = 0] = await Promise.all(
    ["few", "many"].map(async (name) => {
      const details = { firstName: name, lastName: name, password: "sleep-well", accountType: "individual" } as const;
      return (await accounts.register({ ...details, email: `${name}@dormouse.example` }))?.id;
    }),
  );
  for (let id = 1; id <= 10_000; id += 1) await favourites.save(many, { kind: "watch", id });
  const shown = Array.from({ length: 63 }, (_, index) => ({ kind: "watch" as const, id: 20_000 + index }));
  const askAs = (memberId: number) => () => favourites.listFavourited(memberId, shown);
  const row = await ratioRow(
    "favourite buttons of a page with 10,000 favourites, beside none",
    askAs(few),
    askAs(many),
  );
  await close();
  return row;
}

async function ratioRow(what: string, askFew: () => Promise<unknown>, askMany: () => Promise<unknown>): Promise<Row> {
  const time = async (ask: () => Promise<unknown>) => {
    const start = performance.now();
    for (let count = 0; count < QUERIES; count += 1) await ask();
    return performance.now() - start;
  };
  await time(askFew);
  await time(askMany);
  const few: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    few.push(await time(askFew));
    many.push(await time(askMany));
  }
  const ratio = medianRatio(many, few);
  const row = amountRow({ id: "P7", what }, { amount: ratio, max: MAX_RATIO, unit: "x", digits: 2 });
  return { ...row, figure: "", ratio: `${ratio.toFixed(2)}x` };
}
