import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { createAccounts, type Accounts } from "./accounts/accounts.ts";
import { createLogIn, type LogIn } from "./accounts/log-in.ts";
import { createBundledContent } from "./adapters/bundled-content.ts";
import type { DemoGateways } from "./adapters/demo-gateways.ts";
import { createMailFiles } from "./adapters/mail-files.ts";
import { createAudit, type Audit } from "./audit/audit.ts";
import { createChallenges } from "./challenges/challenges.ts";
import { systemClock, type Clock } from "./clock.ts";
import { createCodes, type Codes } from "./codes/codes.ts";
import { createCompanies, type Companies } from "./codes/companies.ts";
import type { Config, ProductConfig } from "./config.ts";
import { createCatalogue, type Catalogue } from "./content/catalogue.ts";
import type { ContentSource } from "./content/content-source.ts";
import { openDatabase, type Database, type Queries } from "./database/database.ts";
import { createFavourites, type Favourites } from "./favourites/favourites.ts";
import { openGateways, type GatewayOptions } from "./gateways.ts";
import { createKeyedHash } from "./keyed-hash.ts";
import { createLog, type Log } from "./log.ts";
import type { Mailer } from "./mail/mailer.ts";
import { createOutbox, type Outbox } from "./mail/outbox.ts";
import { createPost, type Post } from "./mail/post.ts";
import { createMembership, type Membership } from "./membership/membership.ts";
import { plans, type Plan } from "./membership/plans.ts";
import { createNotices, type Notices } from "./notices/notices.ts";
import type { CardFields } from "./payments/card-gateway.ts";
import { createPayments, type Payments } from "./payments/payments.ts";
import type { ReachPoint } from "./payments/saga-points.ts";
import { createSeal } from "./seal.ts";
import { createSessions, type Sessions } from "./sessions/sessions.ts";
import { createCompletion } from "./sign-up/completion.ts";
import { createDrafts } from "./sign-up/drafts.ts";
import { createEndingLetters } from "./sign-up/ending-letters.ts";
import { createRenewalLinks, type RenewalLinks } from "./sign-up/renewal-links.ts";
import { createSignUp, type SignUp } from "./sign-up/sign-up.ts";
import { listTasks } from "./task-list.ts";
import { createTasks, type Tasks } from "./tasks/tasks.ts";
import { createThrottle } from "./throttle/throttle.ts";

/** The product, put together: what routes and commands are handed. */
export type Rooms = {
  product: ProductConfig;
  /** Where the site is reached when no request says so; ends with a slash. */
  site: string;
  clock: Clock;
  accounts: Accounts;
  logIn: LogIn;
  sessions: Sessions;
  membership: Membership;
  plans: Plan[];
  signUp: SignUp;
  renewalLinks: RenewalLinks;
  payments: Payments;
  cardFields: CardFields;
  notices: Notices;
  codes: Codes;
  companies: Companies;
  outbox: Outbox;
  letters: Post;
  favourites: Favourites;
  catalogue: Catalogue;
  audit: Audit;
  tasks: Tasks;
  /** The far side of the demo's payments; none where something real is configured. */
  demoGateways: DemoGateways | undefined;
  log: Log;
  /** All of what `work` does, or none of it: for commands that ask several rooms. */
  transact<Result>(work: (trx: Queries) => Promise<Result>): Promise<Result>;
  /** Whether the house can serve members now, part by part. */
  checkReadiness(): Promise<Readiness>;
  close(): Promise<void>;
};

export type Readiness = { database: boolean; catalogue: boolean };

/** What tests put in place of the real thing. */
export type RoomsOptions = GatewayOptions & {
  clock?: Clock;
  log?: Log;
  database?: Database;
  content?: ContentSource;
  cardsPerPage?: number;
  mailer?: Mailer;
  /** Told of every step of a payment. */
  reach?: ReachPoint;
};

/** A grid of two or three columns stays whole. */
const CARDS_PER_PAGE = 24;

/** The one place where a room is told which implementation it gets. */
export async function createRooms(config: Config, options: RoomsOptions = {}): Promise<Rooms> {
  const { product, site } = config;
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(config.logLevel);
  const database = options.database ?? (await openDatabase(config.database));
  const reach = options.reach ?? (() => undefined);
  const base = { db: database.db, clock, log, reach };
  const keyedHash = (purpose: string) => createKeyedHash(config.sessionSecret, purpose);
  const gateways = openGateways(config, { ...base, secret: keyedHash("demo-notices")("key"), options });

  const accounts = createAccounts(base);
  const sessions = createSessions({ ...base, hash: keyedHash("session") });
  const throttle = createThrottle({ ...base, hash: keyedHash("throttle") });
  const challenges = createChallenges({ ...base, hash: keyedHash("challenge") });
  const membership = createMembership(base);
  const codes = createCodes(base);
  const audit = createAudit(base);
  const favourites = createFavourites(base);

  const mailer = options.mailer ?? createMailFiles(config.mail);
  const outbox = createOutbox({ ...base, mailer, seal: createSeal(config.sessionSecret, "letters") });
  const letters = createPost({ outbox, product, site });
  const { debits } = gateways;
  const companies = createCompanies({ ...base, codes, gateway: debits, productName: product.name, tell: letters });
  const drafts = createDrafts({ ...base, hash: keyedHash("draft") });
  const renewalLinks = createRenewalLinks({ clock, hash: keyedHash("renewal") });
  const fulfil = createCompletion({ drafts, accounts, membership, codes, letters, clock });
  const payments = createPayments({ ...base, gateway: gateways.cards, fulfil, letters });
  const shared = { ...base, accounts, membership, codes, links: renewalLinks, letters };
  const signUp = createSignUp({
    ...shared,
    drafts,
    sessions,
    payments,
    challenges,
    throttle,
    productName: product.name,
  });
  const endingLetters = createEndingLetters({ ...shared, site });
  const notices = createNotices({
    ...base,
    gateways: [
      payments.noticeGateway,
      {
        name: debits.name,
        read: (body, headers) => debits.readNotices(body, headers),
        handle: async (notice) => void (await companies.handleNotice(notice)),
      },
    ],
  });

  const catalogue = createCatalogue({
    source: options.content ?? createBundledContent(join(import.meta.dirname, "content", "bundled")),
    setting: { productName: product.name, mediaBase: `${config.basePath}media/` },
    log,
    cardsPerPage: options.cardsPerPage ?? CARDS_PER_PAGE,
  });
  await catalogue.refresh();

  const tasks = createTasks({
    ...base,
    holder: randomUUID(),
    tasks: listTasks({
      sessions,
      throttle,
      challenges,
      catalogue,
      outbox,
      payments,
      companies,
      notices,
      signUp,
      endingLetters,
      deliverDemoNotices: gateways.createDelivery?.(notices.receive),
    }),
  });

  return {
    product,
    site,
    clock,
    accounts,
    logIn: createLogIn({ accounts, sessions, throttle, clock }),
    sessions,
    membership,
    plans: Object.values(plans),
    signUp,
    renewalLinks,
    payments,
    cardFields: gateways.cards.fields,
    notices,
    codes,
    companies,
    outbox,
    letters,
    favourites,
    catalogue,
    audit,
    tasks,
    demoGateways: gateways.pages,
    log,
    transact: (work) => database.db.transaction().execute(work),
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
