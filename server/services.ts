import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

import { createAccounts } from "./members/accounts/accounts.ts";
import { findHolders } from "./members/accounts/members.ts";
import { createAddressCheck } from "./platform/addresses.ts";
import {
  toCardFields,
  type GatewayOptions,
  openBucket,
  openContent,
  openGateways,
  openMailer,
} from "./adapters/adapters.ts";
import { createAudit } from "./platform/audit/audit.ts";
import { createAvatars } from "./members/avatars/avatars.ts";
import { createOwnBackend } from "./backend.ts";
import { createChallenges } from "./members/challenges/challenges.ts";
import { type Clock, SECOND_IN_MS, systemClock } from "./platform/clock.ts";
import { createCodes } from "./money/companies/codes.ts";
import { type Companies, createCompanies } from "./money/companies/companies.ts";
import { createCompanyPage } from "./money/companies/page/company-page.ts";
import type { Config } from "./config.ts";
import { type Catalogue, createCatalogue, receiveContentSignal } from "./content/catalogue/catalogue.ts";
import { createMediaStore } from "./content/catalogue/media-store.ts";
import type { ContentSource } from "./content/items/source.ts";
import type { Context, ReachPoint } from "./context.ts";
import type { Database, Queries } from "./platform/database/database.ts";
import { openOwnDatabase } from "./platform/database/demo-mark.ts";
import { answersInTime, toLocation } from "./platform/database/open-database.ts";
import { createDemoClock } from "./platform/demo-clock.ts";
import { createEmails } from "./emails.ts";
import { createOutbox } from "./platform/email/outbox.ts";
import type { Mailer } from "./platform/email/sending.ts";
import { createFavourites } from "./members/favourites/favourites.ts";
import { findSection } from "./content/items/item-facts.ts";
import { createEmptySearches } from "./operations/figures/empty-searches.ts";
import { createFigures } from "./operations/figures/figures.ts";
import { createGifts } from "./money/gifts/gifts.ts";
import { createTally } from "./operations/figures/tally.ts";
import { createMediaInFlight } from "./platform/gate.ts";
import { listJobs } from "./job-list.ts";
import { createJobs } from "./platform/jobs/jobs.ts";
import { createLists } from "./operations/lists/lists.ts";
import { createLog, LastingFault, type Log } from "./platform/log.ts";
import { createMembership } from "./money/membership/membership.ts";
import { readLegalDocuments } from "./operations/legal/legal.ts";
import { listPlans } from "./money/membership/plans.ts";
import type { Metrics } from "./platform/metrics/metrics.ts";
import { createMemberFiles } from "./operations/moving/member-files.ts";
import { createMoving } from "./operations/moving/moving.ts";
import type { Shop, ShopAccess } from "./operations/moving/shop.ts";
import { createNewsletter } from "./operations/newsletter/newsletter.ts";
import { createMerging } from "./operations/merging/merging.ts";
import { createNotes } from "./operations/notes/notes.ts";
import { createOperators } from "./operations/operators/operators.ts";
import type { Part } from "./platform/part-check.ts";
import type { DebitGateway } from "./money/payments/debit-gateway.ts";
import { createPasskeys } from "./platform/passkeys/passkeys.ts";
import { createPayments } from "./money/payments/payments.ts";
import { createPersonalData } from "./operations/personal-data/personal-data.ts";
import { createPositions } from "./members/positions/positions.ts";
import type { ProviderPatience } from "./provider/client/client.ts";
import { createProviderBackend, openProvider } from "./provider/provider.ts";
import { createServedApi } from "./provider/served.ts";
import { createRateLimiter } from "./platform/rate-limit/rate-limit.ts";
import { createKeyedHash, createSeal } from "./platform/seal.ts";
import { createSessions } from "./members/sessions/sessions.ts";
import { createSignUp } from "./money/sign-up/sign-up.ts";
import { readSearchWords } from "./content/search/sayings.ts";
import { readUrgentHelp } from "./content/urgent-help/urgent-help.ts";
import { openTextFile } from "./content/items/text-file.ts";
import { createWebhooks, type WebhookGateway } from "./platform/webhooks/webhooks.ts";

export type Services = Awaited<ReturnType<typeof createServices>>;

export type ServicesOptions = GatewayOptions & {
  clock?: Clock;
  log?: Log;
  /** False for commands, most of which show no content: the catalogue stays empty until it is refreshed. */
  hasContentAtOnce?: boolean;
  database?: Database;
  content?: ContentSource;
  catalogue?: Catalogue;
  cardsPerPage?: number;
  mailer?: Mailer;
  wrapMailer?: (mailer: Mailer) => Mailer;
  providerPatience?: ProviderPatience;
  reach?: ReachPoint;
  /** Only where operators watch the server. */
  metrics?: Metrics | undefined;
};

/** Wires the modules, in the order of their dependencies. The settings choose the implementations here. */
// oxlint-disable-next-line max-lines-per-function -- One list, read top to bottom: cut up, it would be a circle of bags.
export async function createServices(config: Config, options: ServicesOptions = {}) {
  const { product, site, sessionSecret, startsAtOnce } = config;
  const { clock = config.isDemo ? createDemoClock(config.dataDir) : systemClock, metrics } = options;
  const plainLog = options.log ?? createLog(config.logLevel);
  const log = metrics?.countLines(plainLog) ?? plainLog;
  const database = options.database ?? (await openOwnDatabase(config, metrics?.noteQuery));
  database.onFault?.(new LastingFault({ log, clock }));
  const { db } = database;
  const keyedHash: Context["keyedHash"] = (purpose) => createKeyedHash(sessionSecret, purpose);
  const ctx: Context = { db, clock, log, reach: options.reach ?? (() => undefined), keyedHash };
  const transact = <Result>(work: (trx: Queries) => Promise<Result>) => db.transaction().execute(work);

  const rateLimiter = createRateLimiter(ctx);
  const challenges = createChallenges(ctx);
  const sessions = createSessions(ctx);
  const provider = openProvider(config, {
    ...ctx,
    toCardFields,
    sessions,
    rateLimiter,
    patience: options.providerPatience,
    welcome: () => fillEmptyCatalogue(catalogue),
  });
  await provider?.fields.refresh();
  const gateways = await openGateways(config, {
    db,
    clock,
    secret: keyedHash("demo-webhook-events")("key"),
    provider,
    options,
  });
  const carrier = options.mailer ?? (await openMailer(config, provider));
  const wrapped = options.wrapMailer?.(carrier) ?? carrier;
  const mailer = metrics?.timeCalls("mail", wrapped) ?? wrapped;
  const content = options.content ?? (await openContent(config, { clock, log, provider }));
  const catalogue: Catalogue = options.catalogue ?? (await openCatalogue(config, { ...options, clock, log, content }));

  // A demo's clock may be moved, while a store uses the real time.
  const bucket = await openBucket(config, options.clock ?? systemClock);
  const mediaStore = bucket && createMediaStore({ bucket, catalogue, clock, log });

  const outbox = createOutbox({ ...ctx, mailer, seal: createSeal(sessionSecret, "emails"), findHolders });
  const emails = createEmails({ outbox, product, site });
  const passkeys = createPasskeys({ ...ctx, rateLimiter });
  const audit = createAudit(ctx);
  const common = { ...ctx, rateLimiter, challenges, passkeys, audit, outbox, emails, productName: product.name, site };
  const own = {
    ...createAccounts({ ...common, sessions, undoSeal: createSeal(sessionSecret, "undo-address") }),
    sessions,
    membership: createMembership(ctx),
    favourites: createFavourites(ctx),
    codes: createCodes(common),
  };
  const backend = provider
    ? createProviderBackend(provider, own)
    : createOwnBackend({ ...common, cardGateway: gateways.cardGateway, refunds: gateways.refunds }, own);
  const { members, joining, renewalLinks, sendEndingEmails } = backend;

  const operators = createOperators({ ...common, seal: createSeal(sessionSecret, "one-time codes") });
  const avatars = createAvatars(common);
  const tally = createTally(ctx);
  const positions = createPositions({
    ...common,
    onBegun({ kind, id }, how) {
      const item = catalogue.findItem(kind, id);
      const section = item && findSection(item);
      // An article is opened; everything else is played.
      if (section && (section === "read") === (how === "opened")) tally.add(`plays-${section}`);
    },
  });
  const debits = metrics?.timeCalls("debits", gateways.debits) ?? gateways.debits;
  const companies = createCompanies({ ...common, ...members, gateway: debits });
  const companyPage = createCompanyPage({ ...common, companies });
  const payments = createPayments({
    ...ctx,
    audit,
    gateway: metrics?.timeCalls("cards", backend.cardGateway) ?? backend.cardGateway,
    refunds: backend.refunds && (metrics?.timeCalls("cards", backend.refunds) ?? backend.refunds),
    fulfil: backend.fulfil,
    endOrder: backend.endOrder,
    emails: backend.paymentEmails,
  });
  const gifts = createGifts({ ...common, ...members, payments, isOffered: members.capabilities.canGive });
  const signUp = createSignUp({ ...common, ...members, startsAtOnce, payments, gifts, joining, renewalLinks });
  const webhooks = createWebhooks({
    ...ctx,
    gateways: [payments.webhookGateway, toWebhookGateway(debits, companies)],
  });
  const figures = createFigures({ ...ctx, counters: backend.listCounters(payments) });
  const emptySearches = createEmptySearches({ ...ctx, accounts: own.accounts, tally });
  const notes = createNotes(ctx);
  const newsletter = createNewsletter({ ...common, ...members, catalogue });
  const moving = createMoving({ ...common, ...members, catalogue });
  const memberFiles = createMemberFiles({ ...ctx, moving, audit });
  const modules = {
    ...members,
    audit,
    operators,
    avatars,
    positions,
    companies,
    companyPage,
    payments,
    gifts,
    signUp,
    webhooks,
    figures,
    emptySearches,
    tally,
    newsletter,
    notes,
    moving,
    memberFiles,
    outbox,
    emails,
    catalogue,
  };
  const personalData = createPersonalData({ ...ctx, ...modules, challenges, transact });
  const merging = createMerging({ ...common, ...modules });
  const lists = createLists({ ...ctx, ...modules, seal: createSeal(sessionSecret, "lists") });
  const deliverDemoWebhooks = gateways.createDelivery?.((delivery) => webhooks.receive(delivery));
  const jobs = listJobs({
    ...modules,
    personalData,
    rateLimiter,
    challenges,
    sendEndingEmails,
    deliverDemoWebhooks,
  });

  return {
    ...modules,
    personalData,
    lists,
    merging,
    renewalLinks,
    product,
    mayReachDesk: config.deskAllowed.length === 0 ? () => true : createAddressCheck(config.deskAllowed),
    /** For links that no request caused; ends with a slash. */
    site,
    clock,
    log,
    plans: listPlans(),
    jobs: createJobs({ ...ctx, holder: randomUUID(), jobs, noteRun: metrics?.noteRun }),
    /** For other servers; missing without a key. */
    api: createServedApi({ ...common, ...modules, config }),
    get cardFields() {
      return payments.cardFields;
    },
    /** Missing where a real gateway is configured. */
    get demoGateways() {
      return gateways.findPages();
    },
    /** The gateways' own pages, for operators; missing for a gateway without. */
    dashboards: { cards: backend.refunds?.dashboard, debits: debits.dashboard },
    /** For commands; missing where a real gateway is configured. */
    demoPayments: gateways.demoPayments,
    mediaInFlight: createMediaInFlight(),
    /** Copies of the content's files; missing where this server sends them. */
    mediaStore,
    /** Returns whether the secret of a CMS's webhook was right; missing without such a webhook. */
    contentSignal: toContentSignal(config, catalogue),
    /** Shown first in a search that speaks of despair. */
    urgentHelp: readUrgentHelp(config.urgentHelpFile),
    legal: readLegalDocuments(config.legal, { product, plans: listPlans(), startsAtOnce, basePath: config.basePath }),
    /** Payers must ask to start at once, and give up the days in which they may cancel. */
    startsAtOnce,
    /** Seals cookies, so that they can be neither read nor altered. */
    cookieSeal: createSeal(sessionSecret, "cookies"),
    /** An opaque, stable name of the member whose pages a browser keeps. */
    keptFor: (memberId: number) => createKeyedHash(sessionSecret, "kept for")(String(memberId)),
    /** The parts that others run, by their names for operators. */
    parts: {
      content: { isOpen: true, check: () => content.check() },
      ...(mediaStore && { "media store": { isOpen: true, check: () => mediaStore.check() } }),
      ...gateways.parts,
      mail: { isOpen: true, check: () => mailer.check() },
    } as Record<string, Part>,
    database: { engine: database.engine, location: toLocation(config.database), pool: database.pool },
    async openShop(access: ShopAccess): Promise<Shop> {
      const { openWooCommerce } = await import("./adapters/woocommerce/woocommerce.ts");
      return openWooCommerce(access);
    },
    /** All or nothing, for commands that use several services. */
    transact,
    /** Whether members can be served now, by part. */
    checkReadiness: async () => ({ database: await answersInTime(database), catalogue: catalogue.isReady() }),
    /** The process must then end without closing the database. */
    findLoss: () => database.findLoss?.(),
    async close() {
      mailer.close();
      await database.close();
    },
  };
}

/** Fills a grid of two or three columns. */
const CARDS_PER_PAGE = 24;

type CatalogueContext = {
  clock: Clock;
  log: Log;
  content: ContentSource;
  cardsPerPage?: number | undefined;
  hasContentAtOnce?: boolean | undefined;
};

/** With `hasContentAtOnce: false` it is empty until the first refresh. */
export async function openCatalogue(
  { product, basePath, dataDir, searchWordsFile }: Pick<Config, "product" | "basePath" | "dataDir" | "searchWordsFile">,
  { clock, log, content, cardsPerPage = CARDS_PER_PAGE, hasContentAtOnce = true }: CatalogueContext,
): Promise<Catalogue> {
  const setting = { productName: product.name, basePath, keepText: openTextFile({ folder: dataDir, log }) };
  const ownSayings = readSearchWords(searchWordsFile);
  const catalogue = createCatalogue({ source: content, setting, clock, log, cardsPerPage, ownSayings });
  if (hasContentAtOnce) await catalogue.open();
  return catalogue;
}

const FIRST_CONTENT_IN_MS = 10 * SECOND_IN_MS;

/** Content that only members may read is read when the first one comes. */
async function fillEmptyCatalogue(catalogue: Catalogue): Promise<void> {
  const isEmpty = Object.values(catalogue.status().counts).every((count) => count === 0);
  if (isEmpty) await Promise.race([catalogue.refresh(), wait(FIRST_CONTENT_IN_MS, undefined, { ref: false })]);
}

function toWebhookGateway(debits: DebitGateway, companies: Companies): WebhookGateway {
  return {
    name: debits.name,
    read: (body, headers) => debits.readEvents(body, headers),
    listSince: (since) => debits.listEventsSince(since),
    handle: async (webhook) => void (await companies.handleEvent(webhook)),
  };
}

function toContentSignal({ content }: Config, catalogue: Catalogue) {
  const secret = content.kind === "wordpress" ? content.webhookSecret : undefined;
  return secret ? (given: string) => receiveContentSignal(catalogue, { given, secret }) : undefined;
}
