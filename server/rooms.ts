import { join } from "node:path";

import { createAccounts, type Accounts } from "./accounts/accounts.ts";
import { createLogIn, type LogIn } from "./accounts/log-in.ts";
import { createBundledContent } from "./adapters/bundled-content.ts";
import { systemClock, type Clock } from "./clock.ts";
import type { Config, ProductConfig } from "./config.ts";
import { createCatalogue, type Catalogue } from "./content/catalogue.ts";
import type { ContentSource } from "./content/content-source.ts";
import { openDatabase, type Database } from "./database/database.ts";
import { createFavourites, type Favourites } from "./favourites/favourites.ts";
import { createKeyedHash } from "./keyed-hash.ts";
import { createLog, type Log } from "./log.ts";
import { createMembership, type Membership } from "./membership/membership.ts";
import { createSessions, type Sessions } from "./sessions/sessions.ts";
import { createTasks, type Tasks } from "./tasks/tasks.ts";
import { createThrottle } from "./throttle/throttle.ts";

/** The product, put together: what routes and commands are handed. */
export type Rooms = {
  product: ProductConfig;
  clock: Clock;
  accounts: Accounts;
  logIn: LogIn;
  sessions: Sessions;
  membership: Membership;
  favourites: Favourites;
  catalogue: Catalogue;
  tasks: Tasks;
  log: Log;
  /** Whether the house can serve members now, part by part. */
  checkReadiness(): Promise<Readiness>;
  close(): Promise<void>;
};

export type Readiness = { database: boolean; catalogue: boolean };

/** What tests put in place of the real thing. */
export type RoomsOptions = {
  clock?: Clock;
  log?: Log;
  database?: Database;
  content?: ContentSource;
  cardsPerPage?: number;
};

/** A grid of two or three columns stays whole. */
const CARDS_PER_PAGE = 24;

/** The one place where a room is told which implementation it gets. */
export async function createRooms(config: Config, options: RoomsOptions = {}): Promise<Rooms> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(config.logLevel);
  const database = options.database ?? (await openDatabase(config.database));
  const { db } = database;
  const keyedHash = (purpose: string) => createKeyedHash(config.sessionSecret, purpose);

  const accounts = createAccounts({ db, clock });
  const sessions = createSessions({ db, clock, hash: keyedHash("session") });
  const throttle = createThrottle({ db, clock, hash: keyedHash("throttle") });
  const membership = createMembership({ db, clock });
  const catalogue = createCatalogue({
    source: options.content ?? createBundledContent(join(import.meta.dirname, "content", "bundled")),
    setting: { productName: config.product.name, mediaBase: `${config.basePath}media/` },
    log,
    cardsPerPage: options.cardsPerPage ?? CARDS_PER_PAGE,
  });
  await catalogue.refresh();

  return {
    product: config.product,
    clock,
    accounts,
    logIn: createLogIn({ accounts, sessions, throttle, clock }),
    sessions,
    membership,
    favourites: createFavourites({ db, clock }),
    catalogue,
    tasks: createTasks({ sessions, throttle, catalogue, log }),
    log,
    checkReadiness: async () => ({ database: await answers(database), catalogue: catalogue.isReady() }),
    close: () => database.close(),
  };
}

async function answers({ db }: Database): Promise<boolean> {
  try {
    await db.selectFrom("members").select("id").limit(1).execute();
    return true;
  } catch {
    return false;
  }
}
