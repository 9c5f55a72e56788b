import { randomUUID } from "node:crypto";

import type { Accounts, OwnAccount } from "./accounts/accounts.ts";
import type { DemoGateways } from "./adapters/demo/demo.ts";
import type { Audit } from "./audit/audit.ts";
import type { Avatars } from "./avatars/avatars.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Codes } from "./codes/codes.ts";
import type { Companies } from "./codes/companies.ts";
import type { Config, ProductConfig } from "./config.ts";
import { type Catalogue, type ContentSignal, createContentSignal } from "./content/catalogue.ts";
import { createMediaInFlight, type MediaInFlight } from "./content/media-in-flight.ts";
import type { ContentSource } from "./content/source.ts";
import type { Context, ReachPoint } from "./context.ts";
import { answersInTime, type Database, openDatabase, type Queries } from "./database/database.ts";
import { createEmails, type Emails } from "./email/emails.ts";
import type { Mailer } from "./email/mailer.ts";
import { createOutbox, type Outbox } from "./email/outbox.ts";
import type { Favourites } from "./favourites/favourites.ts";
import { findPagesElsewhere, type GatewayOptions, type Gateways, openGateways } from "./gateways.ts";
import { createKeyedHash } from "./keyed-hash.ts";
import { createLastingFault } from "./lasting-fault.ts";
import { createLog, type Log } from "./log.ts";
import type { Membership } from "./membership/membership.ts";
import { type Plan, plans } from "./membership/plans.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";
import { fillEmptyCatalogue, openCatalogue, openContent, openMailer } from "./outside.ts";
import type { PartCheck } from "./part-check.ts";
import type { CardFields } from "./payments/card-gateway.ts";
import type { Payments } from "./payments/payments.ts";
import { createPeople } from "./people.ts";
import { createPersonalData, type PersonalData } from "./personal-data/personal-data.ts";
import type { ProviderPatience } from "./provider/client/client.ts";
import { createRemotePeople, openProvider, type Provider } from "./provider/provider.ts";
import { createServedApi, type ServedApi } from "./provider/served.ts";
import { createSeal, type Seal } from "./seal.ts";
import type { Sessions } from "./sessions/sessions.ts";
import { createShop } from "./shop.ts";
import type { RenewalLinks } from "./sign-up/renewal.ts";
import type { SignUp } from "./sign-up/sign-up.ts";
import { listJobs } from "./job-list.ts";
import { createJobs, type Jobs } from "./jobs/jobs.ts";

/** The product, put together: what routes and commands are handed. */
export type Services = OwnAccount & {
  product: ProductConfig;
  /** Where the site is reached when no request says so; ends with a slash. */
  site: string;
  clock: Clock;
  accounts: Accounts;
  sessions: Sessions;
  membership: Membership;
  plans: Plan[];
  signUp: SignUp;
  renewalLinks: RenewalLinks;
  payments: Payments;
  cardFields: CardFields;
  webhooks: Webhooks;
  codes: Codes;
  companies: Companies;
  outbox: Outbox;
  emails: Emails;
  favourites: Favourites;
  avatars: Avatars;
  catalogue: Catalogue;
  mediaInFlight: MediaInFlight;
  /** Where the CMS tells of changes; none where it cannot. */
  contentSignal: ContentSignal | undefined;
  audit: Audit;
  personalData: PersonalData;
  /** Closes what a browser carries for us between two pages, so that nobody reads or alters it. */
  cookieSeal: Seal;
  jobs: Jobs;
  /** What we serve to other servers; none without a key. */
  api: ServedApi | undefined;
  /** The far side of the demo's payments; none where something real is configured. */
  demoGateways: DemoGateways | undefined;
  /** The parts that others run for us, by the name that operators know them by. */
  parts: Record<string, Part>;
  log: Log;
  /** All of what `work` does, or none of it: for commands that ask several services. */
  transact: <Result>(work: (trx: Queries) => Promise<Result>) => Promise<Result>;
  /** Whether the house can serve members now, part by part. */
  checkReadiness(): Promise<{ database: boolean; catalogue: boolean }>;
  /** What has become of the file of the database, where it is lost: the process must end without closing it. */
  findLoss(): string | undefined;
  close(): Promise<void>;
};

/** `isOpen`: something stands there, and be it the demo's. */
export type Part = { isOpen: boolean; check(): Promise<PartCheck> };

/** What tests and commands put in place of the usual thing. */
export type ServicesOptions = GatewayOptions & {
  clock?: Clock;
  log?: Log;
  /** False for commands, most of which show no content: the catalogue stays empty until it is refreshed. */
  hasContentAtOnce?: boolean;
  database?: Database;
  content?: ContentSource;
  /** Already open. */
  catalogue?: Catalogue;
  cardsPerPage?: number;
  mailer?: Mailer;
  providerPatience?: Partial<ProviderPatience>;
  /** Told of every step of a payment. */
  reach?: ReachPoint;
};

/** The one place where a room is told which implementation it gets. */
export async function createServices(config: Config, options: ServicesOptions = {}): Promise<Services> {
  const { clock = systemClock, log = createLog(config.logLevel) } = options;
  const database = options.database ?? (await openDatabase(config.database));
  database.tellFaultsTo?.(createLastingFault({ log, clock }));
  const ctx = createContext(config, { ...options, clock, log, database });
  const secret = ctx.keyedHash("demo-notices")("key");
  const gateways = await openGateways(config, { db: database.db, clock, secret, options });
  const provider = openProvider(config, { ...ctx, patience: options.providerPatience });

  await provider?.fields.refresh();

  const mailer = options.mailer ?? (await openMailer(config, provider));
  const outbox = createOutbox({ ...ctx, mailer, seal: createSeal(config.sessionSecret, "letters") });
  const mail = { outbox, emails: createEmails({ outbox, product: config.product, site: config.site }) };
  const local = createPeople({ ...ctx, ...mail, config });
  const people = provider ? createRemotePeople({ ...ctx, ...local }, { config, provider }) : local;
  const shop = createShop({ ...ctx, ...mail, ...people }, { config, gateways, provider });
  const content = options.content ?? (await openContent(config, { clock, log, provider }));
  const catalogue = options.catalogue ?? (await openCatalogue(config, { ...options, clock, log, content }));
  provider?.welcome.first(() => fillEmptyCatalogue(catalogue));

  const transact: Services["transact"] = (work) => database.db.transaction().execute(work);
  const house = { ...ctx, ...people, ...shop, transact };
  const personalData = createPersonalData(house);
  const deliverDemoWebhooks = gateways.createDelivery?.((delivery) => shop.webhooks.receive(delivery));
  const jobs = listJobs({ ...people, ...shop, personalData, catalogue, deliverDemoWebhooks });
  return {
    ...people,
    ...shop,
    personalData,
    product: config.product,
    site: config.site,
    clock,
    log,
    plans: Object.values(plans),
    get cardFields() {
      return shop.payments.cardFields;
    },
    get demoGateways() {
      return provider ? findPagesElsewhere(provider.fields) : gateways.pages;
    },
    catalogue,
    mediaInFlight: createMediaInFlight(),
    contentSignal: signalOf(config, catalogue),
    parts: partsOf(config, { ...gateways, mailer, content, provider }),
    jobs: createJobs({ ...ctx, holder: randomUUID(), jobs }),
    api: createServedApi({ ...house, config }),
    cookieSeal: createSeal(config.sessionSecret, "cookies"),
    transact,
    checkReadiness: async () => ({ database: await answersInTime(database), catalogue: catalogue.isReady() }),
    findLoss: () => database.findLoss?.(),
    async close() {
      mailer.close();
      await database.close();
    },
  };
}

type Opened = ServicesOptions & { clock: Clock; log: Log };

function createContext(config: Config, { clock, log, database, reach }: Opened & { database: Database }): Context {
  return {
    db: database.db,
    clock,
    log,
    reach: reach ?? (() => undefined),
    keyedHash: (purpose) => createKeyedHash(config.sessionSecret, purpose),
  };
}

function signalOf({ content }: Config, catalogue: Catalogue): ContentSignal | undefined {
  const secret = content.kind === "wordpress" ? content.webhookSecret : undefined;
  return secret ? createContentSignal(secret, catalogue) : undefined;
}

type Outside = Pick<Gateways, "cards" | "debits"> & {
  mailer: Mailer;
  content: ContentSource;
  provider: Provider | undefined;
};

function partsOf(config: Config, { cards, debits, mailer, content, provider }: Outside): Services["parts"] {
  return {
    content: { isOpen: true, check: () => content.check() },
    // Who takes money is the provider's affair, where there is one.
    ...(provider
      ? { provider: { isOpen: true, check: () => provider.check() } }
      : {
          cards: { isOpen: config.cards.kind !== "none", check: () => cards.check() },
          "Direct Debits": { isOpen: config.debits.kind !== "none", check: () => debits.check() },
        }),
    mail: { isOpen: true, check: () => mailer.check() },
  };
}
