import { mapProfile, type ProfileFields } from "../../server/members/accounts/profile-fields.ts";
import type { Member, NewMember } from "../../server/members/accounts/accounts.ts";
import type { SaveProfileResult } from "../../server/members/accounts/profile.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../server/platform/clock.ts";
import { type Config, readConfig } from "../../server/config.ts";
import type { Context } from "../../server/context.ts";
import type { ContentSource } from "../../server/content/items/source.ts";
import type { Database, Engine, Queries } from "../../server/platform/database/database.ts";
import { openOwnDatabase } from "../../server/platform/database/demo-mark.ts";
import type { Message } from "../../server/platform/email/sending.ts";
import { createKeyedHash } from "../../server/platform/seal.ts";
import { createServices, type Services, type ServicesOptions } from "../../server/services.ts";
import { openBundledCatalogue } from "./bundled-catalogue.ts";
import { openTestDatabase } from "./databases.ts";
import { createEmailList, type EmailList } from "./email-list.ts";
import { createFixedContent } from "./fixed-content.ts";
import { createQuietLog, type QuietLog } from "./quiet-log.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** All services over one database, with a stopped clock and emails in memory. */
export type App = AsyncDisposable & {
  config: Config;
  services: Services;
  database: Database;
  db: Queries;
  /** For a module that a test opens itself, beside the services. */
  ctx: Context & { clock: TestClock; log: QuietLog };
  clock: TestClock;
  log: QuietLog;
  mailer: EmailList;
  /** Sent emails, oldest first. */
  emails: Message[];
  /** Advances the clock, then runs the jobs about money and email. */
  pass(ms: number): Promise<void>;
};

export type AppOptions = Omit<ServicesOptions, "clock" | "log" | "mailer" | "content"> & {
  /** Overridden by `database` or `DATABASE_URL`; SQLite by default. */
  engine?: Engine;
  /** Added to those of a demo. */
  env?: Record<string, string>;
  clock?: TestClock;
  /** Overridden by an `SMTP_URL` or a provider. */
  mailer?: EmailList;
  /** `bundled`: the bundled articles. None by default, unless the settings name a source. */
  content?: ContentSource | "bundled" | undefined;
};

const MONEY_AND_MAIL_JOBS = ["handle-webhooks", "reconcile-payments", "send-mail"];

export async function openApp({ engine = "sqlite", env, content, ...options }: AppOptions = {}): Promise<App> {
  const { clock = createTestClock(), mailer = createEmailList(), ...others } = options;
  const config = readConfig({ DEMO: "true", ...(env ?? { ORIGIN: "http://dormouse.test" }) });
  const database = options.database ?? (await openDatabaseFor(config, engine));
  const { db } = database;
  const log = createQuietLog();
  const services = await createServices(config, {
    ...others,
    ...(await openContentFor(config, { content, ...others })),
    ...(config.mail.kind === "files" && !config.provider && { mailer }),
    clock,
    log,
    database,
  });
  return {
    config,
    services,
    database,
    db,
    ctx: {
      db,
      clock,
      log,
      reach: () => undefined,
      keyedHash: (purpose) => createKeyedHash(config.sessionSecret, purpose),
    },
    clock,
    log,
    mailer,
    emails: mailer.emails,
    async pass(ms) {
      clock.advance(ms);
      for (const job of MONEY_AND_MAIL_JOBS) await services.jobs.run(job);
    },
    [Symbol.asyncDispose]: () => services.close(),
  };
}

/** Longer than each wait of the app: for webhook events, lost payments, abandoned payments, unpaid orders. */
const STEPS_TO_REST_IN_MS = [
  SECOND_IN_MS,
  MINUTE_IN_MS,
  2 * MINUTE_IN_MS,
  91 * MINUTE_IN_MS,
  25 * HOUR_IN_MS,
  DAY_IN_MS,
];

/** Leaves no payment, webhook event or order open. */
export async function settleAll(app: Pick<App, "pass">): Promise<void> {
  for (const step of STEPS_TO_REST_IN_MS) await app.pass(step);
}

function openDatabaseFor(config: Config, engine: Engine): Promise<Database> {
  return config.database.kind === "postgres" ? openOwnDatabase(config) : openTestDatabase(engine);
}

async function openContentFor(
  config: Config,
  { content, cardsPerPage }: AppOptions,
): Promise<Pick<ServicesOptions, "content" | "catalogue">> {
  if (content && content !== "bundled") return { content };
  if (config.content.kind !== "bundled") return {};
  if (content === undefined) return { content: createFixedContent() };
  return cardsPerPage === undefined ? { catalogue: await openBundledCatalogue(config) } : {};
}

/** The member of most tests. */
export const ada: NewMember = {
  email: "Ada@dormouse.example",
  password: "sleep-well-tonight",
  firstName: "Ada",
  lastName: "Lovell",
  accountType: "individual",
};
/** Ada's details as My Account's form shows them. */
export const shownAda: ProfileFields = {
  ...mapProfile(() => ""),
  firstName: ada.firstName,
  lastName: ada.lastName,
  email: ada.email,
};
export const NEW_PASSWORD = "a-quiet-hedge-at-dusk";

export const home = { address: "198.51.100.7", site: "http://dormouse.test/" };
export const elsewhere = { ...home, address: "203.0.113.9" };

export async function addMember({ services }: Pick<App, "services">, details: Partial<NewMember> = {}) {
  const member: Member | undefined = await services.accounts.register({ ...ada, ...details });
  if (!member) throw new Error(`The address ${details.email ?? ada.email} is taken`);
  return member;
}

/** With this first name, also in the address; returns the id. */
export async function addNamed(app: Pick<App, "services">, firstName: string): Promise<number> {
  return (await addMember(app, { firstName, email: `${firstName.toLowerCase()}@dormouse.example` })).id;
}

/** Sends what waits; returns the latest email to an address, if given with that subject after its code. */
export async function findEmail({ services, emails }: App, to: string, subject?: string) {
  await services.outbox.deliver();
  return emails.findLast((email) => email.to === to && (!subject || email.subject.endsWith(subject)));
}

/** Code and link token of `findEmail`; empty without one. */
export async function readEmail(app: App, to: string, subject?: string): Promise<{ code: string; token: string }> {
  const text = (await findEmail(app, to, subject))?.text ?? "";
  return {
    code: /^\d{6}$/m.exec(text)?.[0] ?? "",
    token: /^http\S+[?&](?:token|undo|reopen|answer|enter)=(\S+)$/m.exec(text)?.[1] ?? "",
  };
}

/** By the profile's form as it is now. */
export async function askForAddress({ services }: App, memberId: number, email: string): Promise<SaveProfileResult> {
  const shown = await services.profile.find(memberId);
  if (!shown) throw new Error(`No member has the number ${memberId}`);
  return services.profile.save({ ...home, memberId, shown, wanted: { ...shown, email }, password: ada.password });
}

let attempts = 0;

/** Each time from another network, so that no rate limit applies. */
export async function canLogIn({ services }: App, email: string, password: string): Promise<boolean> {
  return (await services.logIn({ email, password, address: `192.0.2.${(attempts += 1) % 250}` })).ok;
}

export async function startSession({ services }: App, memberId: number): Promise<string> {
  return (await services.sessions.start(memberId)).token;
}

export async function isLoggedIn({ services }: App, token: string): Promise<boolean> {
  return (await services.sessions.find(token)) !== undefined;
}
