import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

import { type Accounts, createAccounts, type OwnAccount } from "./accounts/accounts.ts";
import {
  cardFieldsOf,
  findPagesElsewhere,
  type GatewayOptions,
  type Gateways,
  openContent,
  openGateways,
  openMailer,
} from "./adapters/adapters.ts";
import type { DemoGateways } from "./adapters/demo/demo.ts";
import { type Audit, createAudit } from "./audit/audit.ts";
import { type Avatars, createAvatars } from "./avatars/avatars.ts";
import { createOwnBackend } from "./backend.ts";
import { createChallenges } from "./challenges/challenges.ts";
import { type Clock, SECOND_IN_MS, systemClock } from "./clock.ts";
import { type Codes, createCodes } from "./codes/codes.ts";
import { type Companies, createCompanies } from "./codes/companies.ts";
import { type CompanyPage, createCompanyPage } from "./company-page/company-page.ts";
import type { Config, ProductConfig } from "./config.ts";
import { type Catalogue, createCatalogue, receiveContentSignal } from "./content/catalogue.ts";
import type { ContentSource } from "./content/source.ts";
import type { Context, ReachPoint } from "./context.ts";
import type { Database, Engine, Queries } from "./database/database.ts";
import { answersInTime, openDatabase, placeOf } from "./database/open-database.ts";
import { createEmails, type Emails } from "./email/emails.ts";
import { createOutbox, type Outbox } from "./email/outbox.ts";
import type { Mailer } from "./email/sending.ts";
import { createFavourites, type Favourites } from "./favourites/favourites.ts";
import { createEmptySearches, type EmptySearches } from "./figures/empty-searches.ts";
import { countersOf, createFigures, type Figures } from "./figures/figures.ts";
import { listJobs } from "./job-list.ts";
import { createJobs, type Jobs } from "./jobs/jobs.ts";
import { createMediaInFlight, type MediaInFlight } from "./gate.ts";
import { createLog, LastingFault, type Log } from "./log.ts";
import { createMembership, type Membership } from "./membership/membership.ts";
import { listPlans, type Plan } from "./membership/plans.ts";
import type { PartCheck } from "./part-check.ts";
import type { CardFields } from "./payments/card-gateway.ts";
import type { PaymentEmails } from "./payments/context.ts";
import type { DebitGateway } from "./payments/debit-gateway.ts";
import { createOperators, type Operators } from "./operators/operators.ts";
import { createPayments, type Payments } from "./payments/payments.ts";
import { createPositions, type Positions } from "./positions/positions.ts";
import { createPersonalData, type PersonalData } from "./personal-data/personal-data.ts";
import type { ProviderPatience } from "./provider/client/client.ts";
import { createProviderBackend, openProvider, type Provider } from "./provider/provider.ts";
import { createServedApi, type ServedApi } from "./provider/served.ts";
import { createRateLimiter } from "./rate-limit/rate-limit.ts";
import { createKeyedHash, createSeal, type Seal } from "./seal.ts";
import { createSessions, type Sessions } from "./sessions/sessions.ts";
import { completeOrder } from "./sign-up/completion.ts";
import type { RenewalLinks } from "./sign-up/context.ts";
import { createRenewalLinks, noRenewalLinks, sendEndingEmails } from "./sign-up/renewal.ts";
import { createSignUp, type SignUp } from "./sign-up/sign-up.ts";
import { readUrgentHelp, type UrgentHelp } from "./urgent-help/urgent-help.ts";
import { createWebhooks, type WebhookGateway, type Webhooks } from "./webhooks/webhooks.ts";

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
  companyPage: CompanyPage;
  outbox: Outbox;
  emails: Emails;
  favourites: Favourites;
  positions: Positions;
  figures: Figures;
  emptySearches: EmptySearches;
  avatars: Avatars;
  catalogue: Catalogue;
  mediaInFlight: MediaInFlight;
  /** Takes the webhook of a CMS and answers whether its secret was right; none where there is no such webhook. */
  contentSignal: ((secret: string) => boolean) | undefined;
  /** What a search that speaks of despair shows first. */
  urgentHelp: UrgentHelp;
  audit: Audit;
  operators: Operators;
  personalData: PersonalData;
  /** Seals what a browser carries for us between two pages, so that it is neither read nor altered. */
  cookieSeal: Seal;
  /** An opaque name, always the same for one member: whose pages a browser keeps. */
  keptFor: (memberId: number) => string;
  jobs: Jobs;
  /** What we serve to other servers; none without a key. */
  api: ServedApi | undefined;
  /** The far side of the demo's payments; none where something real is configured. */
  demoGateways: DemoGateways | undefined;
  /** The parts that others run for us, by the name that operators know them by. */
  parts: Record<string, Part>;
  log: Log;
  /** Where the rows are, as operators know it. */
  database: { engine: Engine; place: string };
  /** All of what `work` does, or none of it: for commands that ask several services. */
  transact: <Result>(work: (trx: Queries) => Promise<Result>) => Promise<Result>;
  /** Whether members can be served now, part by part. */
  checkReadiness(): Promise<{ database: boolean; catalogue: boolean }>;
  /** What has become of the file of the database, where it is lost: the process must end without closing it. */
  findLoss(): string | undefined;
  close(): Promise<void>;
};

/** `isOpen`: something is configured, if only the demo's. */
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
  /** Comes between the outbox and the part that carries emails away. */
  wrapMailer?: (mailer: Mailer) => Mailer;
  providerPatience?: Partial<ProviderPatience>;
  /** Told of every step of a payment. */
  reach?: ReachPoint;
};

/** Puts the modules together, in the order in which they need one another. What the settings choose is chosen here. */
// oxlint-disable-next-line max-lines-per-function -- One list, read top to bottom: cut up, it would be a circle of bags.
export async function createServices(config: Config, options: ServicesOptions = {}): Promise<Services> {
  const { product, site, sessionSecret } = config;
  const { clock = systemClock, log = createLog(config.logLevel) } = options;
  const database = options.database ?? (await openDatabase(config.database));
  database.tellFaultsTo?.(new LastingFault({ log, clock }));
  const { db } = database;
  const keyedHash: Context["keyedHash"] = (purpose) => createKeyedHash(sessionSecret, purpose);
  const ctx: Context = { db, clock, log, reach: options.reach ?? (() => undefined), keyedHash };
  const transact: Services["transact"] = (work) => db.transaction().execute(work);

  const rateLimiter = createRateLimiter(ctx);
  const challenges = createChallenges(ctx);
  const ownSessions = createSessions(ctx);
  const gateways = await openGateways(config, { db, clock, secret: keyedHash("demo-notices")("key"), options });
  const patience = options.providerPatience;
  const provider = openProvider(config, { ...ctx, cardFieldsOf, sessions: ownSessions, rateLimiter, patience });
  await provider?.fields.refresh();
  const carrier = options.mailer ?? (await openMailer(config, provider));
  const mailer = options.wrapMailer?.(carrier) ?? carrier;
  const content = options.content ?? (await openContent(config, { clock, log, provider }));
  const catalogue = options.catalogue ?? (await openCatalogue(config, { ...options, clock, log, content }));
  if (provider) provider.welcome = () => fillEmptyCatalogue(catalogue);

  const outbox = createOutbox({ ...ctx, mailer, seal: createSeal(sessionSecret, "letters") });
  const emails = createEmails({ outbox, product, site });
  const common = { ...ctx, rateLimiter, challenges, outbox, emails, productName: product.name, site };
  const audit = createAudit(ctx);
  const operators = createOperators({ ...common, audit, seal: createSeal(sessionSecret, "one-time codes") });
  const avatars = createAvatars(common);
  const positions = createPositions(common);

  const own = {
    ...createAccounts({ ...common, sessions: ownSessions, undoSeal: createSeal(sessionSecret, "undo-address") }),
    sessions: ownSessions,
    membership: createMembership(ctx),
    favourites: createFavourites(ctx),
    codes: createCodes(common),
  };
  const backend = provider
    ? createProviderBackend(provider)
    : createOwnBackend({
        ...own,
        cards: gateways.cards,
        refunds: gateways.refunds,
        completeOrder: (order, trx) => completeOrder({ ...common, ...own, db: trx }, order),
      });
  const { accounts: noAccounts, membership: noMembership, codes: noCodes, support: noSupport } = backend.refused;
  const { logIn, passwordReset, favourites, capabilities, findAccess, findCoverEnd } = backend;
  const members = {
    logIn,
    passwordReset,
    favourites,
    capabilities,
    closure: own.closure,
    support: { ...own.support, ...noSupport },
    profile: { ...own.profile, save: backend.saveProfile },
    accounts: { ...own.accounts, findByEmail: backend.findMember, ...noAccounts },
    sessions: { ...own.sessions, find: backend.findSession, act: backend.act },
    membership: { ...own.membership, findAccess, findCoverEnd, ...noMembership },
    codes: { ...own.codes, check: backend.checkCode, ...noCodes },
  };

  const shop = { ...common, ...members, audit, backend };
  const companies = createCompanies({ ...shop, gateway: gateways.debits });
  const companyPage = createCompanyPage({ ...common, companies });
  const payments = createPayments({
    ...shop,
    gateway: backend.cards,
    refunds: backend.refunds,
    fulfil: backend.completeOrder,
    emails: backend.writesAboutMoney ? noPaymentEmails : emails,
  });
  const renewalLinks = backend.writesAboutMoney ? noRenewalLinks : createRenewalLinks(ctx);
  const signUp = createSignUp({ ...shop, payments, renewalLinks });
  const tellOfEndings = backend.writesAboutMoney ? undefined : () => sendEndingEmails({ ...shop, renewalLinks });
  const webhooks = createWebhooks({
    ...ctx,
    gateways: [payments.webhookGateway, toWebhookGateway(gateways.debits, companies)],
  });

  // Where there is a provider, it has the members and the orders to be counted.
  const figures = createFigures({ ...ctx, counters: provider ? {} : countersOf({ ...own, payments }) });
  const emptySearches = createEmptySearches({ ...ctx, accounts: own.accounts });
  const made = {
    ...members,
    figures,
    emptySearches,
    positions,
    audit,
    operators,
    avatars,
    outbox,
    emails,
    companies,
    companyPage,
    payments,
    signUp,
    webhooks,
  };
  const personalData = createPersonalData({ ...ctx, ...made, challenges, transact });
  const deliverDemoWebhooks = gateways.createDelivery?.((delivery) => webhooks.receive(delivery));
  const running = { ...made, catalogue, rateLimiter, challenges, tellOfEndings, personalData, deliverDemoWebhooks };
  return {
    ...made,
    personalData,
    catalogue,
    product,
    site,
    clock,
    log,
    database: { engine: database.engine, place: placeOf(config.database) },
    transact,
    plans: listPlans(),
    renewalLinks,
    get cardFields() {
      return payments.cardFields;
    },
    get demoGateways() {
      return provider ? findPagesElsewhere(provider.fields) : gateways.pages;
    },
    mediaInFlight: createMediaInFlight(),
    contentSignal: signalOf(config, catalogue),
    urgentHelp: readUrgentHelp(config.urgentHelpFile),
    parts: partsOf(config, { ...gateways, mailer, content, provider }),
    jobs: createJobs({ ...ctx, holder: randomUUID(), jobs: listJobs(running) }),
    api: createServedApi({ ...common, ...made, config }),
    cookieSeal: createSeal(sessionSecret, "cookies"),
    keptFor: (memberId) => createKeyedHash(sessionSecret, "kept for")(String(memberId)),
    checkReadiness: async () => ({ database: await answersInTime(database), catalogue: catalogue.isReady() }),
    findLoss: () => database.findLoss?.(),
    async close() {
      mailer.close();
      await database.close();
    },
  };
}

/** A grid of two or three columns stays whole. */
const CARDS_PER_PAGE = 24;

type CatalogueParts = {
  clock: Clock;
  log: Log;
  content: ContentSource;
  cardsPerPage?: number | undefined;
  hasContentAtOnce?: boolean | undefined;
};

/** What there is to watch, read and learn; there at once unless `hasContentAtOnce` is false, then after the first refresh. */
export async function openCatalogue(
  { product, basePath }: Pick<Config, "product" | "basePath">,
  { clock, log, content, cardsPerPage = CARDS_PER_PAGE, hasContentAtOnce = true }: CatalogueParts,
): Promise<Catalogue> {
  const setting = { productName: product.name, basePath };
  const catalogue = createCatalogue({ source: content, setting, clock, log, cardsPerPage });
  if (hasContentAtOnce) await catalogue.open();
  return catalogue;
}

/** How long a member who logs in waits for the first content there is. */
const FIRST_CONTENT_IN_MS = 10 * SECOND_IN_MS;

/** Content that only members may read is read when the first one comes. */
async function fillEmptyCatalogue(catalogue: Catalogue): Promise<void> {
  const isEmpty = Object.values(catalogue.status().counts).every((count) => count === 0);
  if (isEmpty) await Promise.race([catalogue.refresh(), wait(FIRST_CONTENT_IN_MS, undefined, { ref: false })]);
}

/** Another back end writes to the members it has charged. */
const noPaymentEmails: PaymentEmails = { receipt: async () => undefined, refund: async () => undefined };

function toWebhookGateway(debits: DebitGateway, companies: Companies): WebhookGateway {
  return {
    name: debits.name,
    read: (body, headers) => debits.readEvents(body, headers),
    listSince: (since) => debits.listEventsSince(since),
    handle: async (webhook) => void (await companies.handleEvent(webhook)),
  };
}

function signalOf({ content }: Config, catalogue: Catalogue): Services["contentSignal"] {
  const secret = content.kind === "wordpress" ? content.webhookSecret : undefined;
  return secret ? (given) => receiveContentSignal(catalogue, { given, secret }) : undefined;
}

type Outside = Pick<Gateways, "cards" | "debits"> & {
  mailer: Mailer;
  content: ContentSource;
  provider: Provider | undefined;
};

function partsOf(config: Config, { cards, debits, mailer, content, provider }: Outside): Services["parts"] {
  return {
    content: { isOpen: true, check: () => content.check() },
    // Where there is a provider, it takes the money.
    ...(provider
      ? { provider: { isOpen: true, check: () => provider.check() } }
      : {
          cards: { isOpen: config.cards.kind !== "none", check: () => cards.check() },
          "Direct Debits": { isOpen: config.debits.kind !== "none", check: () => debits.check() },
        }),
    mail: { isOpen: true, check: () => mailer.check() },
  };
}
