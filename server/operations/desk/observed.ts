import { Gauge, type Registry } from "prom-client";

import { type Clock, after, SECOND_IN_MS } from "../../platform/clock.ts";
import type { Catalogue } from "../../content/catalogue/catalogue.ts";
import type { DatabasePool } from "../../platform/database/database.ts";
import type { Outbox } from "../../platform/email/outbox.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Payments } from "../../money/payments/payments.ts";
import type { Webhooks } from "../../platform/webhooks/webhooks.ts";
import { QUIET_LIMIT_IN_MS } from "./health.ts";

export type Observed = {
  clock: Clock;
  catalogue: Pick<Catalogue, "status">;
  jobs: Pick<Jobs, "list">;
  outbox: Pick<Outbox, "countTrouble">;
  webhooks: Pick<Webhooks, "count">;
  payments: Pick<Payments, "listStuck">;
  database: { pool: (() => DatabasePool) | undefined };
  checkReadiness(): Promise<{ database: boolean; catalogue: boolean }>;
};

/** Several scrapers read the database no more often than this. */
const FRESH_FOR_IN_MS = 10 * SECOND_IN_MS;

/**
 * Returns the function that reads the state of the services into gauges. Servers of one database all show its shared
 * state, so a query takes the highest, not the sum. While the database is away its gauges are missing.
 */
export const observe = (services: Observed) => (register: Registry) => {
  const gauges = createGauges(register);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    if (performance.now() - readAt < FRESH_FOR_IN_MS) return;
    for (const gauge of Object.values(gauges)) clear(gauge);
    const readiness = await services.checkReadiness();
    for (const [part, isReady] of Object.entries(readiness)) gauges.ready.set({ part }, Number(isReady));
    setCatalogue(gauges, services.catalogue.status());
    setPool(gauges, services.database.pool?.());
    if (readiness.database) await setStored(gauges, services).catch(() => gauges.ready.set({ part: "database" }, 0));
    readAt = performance.now();
  }

  return () => (reading ??= read().finally(() => void (reading = undefined)));
};

/** Removes the zero that a gauge without labels begins with. */
function clear(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(register: Registry) {
  const registers = [register];
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge<Label>({ name: `dormouse_${name}`, help, labelNames, registers });
  return {
    ready: gauge("ready", "Whether a part serves members, as /readyz says.", "part"),
    items: gauge("catalogue_items", "Items that members can find.", "section"),
    leftOut: gauge("catalogue_items_left_out", "Items that could not be used."),
    inPart: gauge("catalogue_items_shown_in_part", "Items of which a part could not be used."),
    catalogueReadAt: gauge("catalogue_read_timestamp_seconds", "When the content was last read whole."),
    isCatalogueStale: gauge("catalogue_stale", "1 while the content source has been away for longer than a restart."),
    pool: gauge("database_connections", "Connections to PostgreSQL; SQLite has one.", "state"),
    poolLimit: gauge("database_connections_limit", "DATABASE_POOL_SIZE."),
    poolWaiting: gauge("database_connections_awaited", "Statements that wait for a connection."),
    jobInterval: gauge("job_interval_seconds", "How often a job runs.", "name"),
    jobStartedAt: gauge(
      "job_last_run_timestamp_seconds",
      "When the run of a job that ended last began, on any server.",
      "name",
    ),
    jobHasFailed: gauge("job_last_run_failed", "1 when the run of a job that ended last failed.", "name"),
    jobFailedAt: gauge("job_last_failure_timestamp_seconds", "When a job last failed, on any server.", "name"),
    emails: gauge(
      "emails",
      "Emails that wait, are late by ten minutes, or were given up and not acknowledged.",
      "state",
    ),
    webhooks: gauge("webhook_events", "Events of gateways that wait, are tried again, or were given up.", "state"),
    stuckRefunds: gauge(
      "refunds_stuck",
      "Refunds that failed or are late by an hour; two hundred at most are counted.",
    ),
  };
}

function setCatalogue(
  gauges: Gauges,
  { counts, skipped, losses, readAt, isStale }: ReturnType<Catalogue["status"]>,
): void {
  for (const [section, count] of Object.entries(counts)) gauges.items.set({ section }, count);
  gauges.leftOut.set(skipped.length);
  gauges.inPart.set(losses.length);
  gauges.isCatalogueStale.set(Number(isStale));
  if (readAt) gauges.catalogueReadAt.set(toSeconds(readAt));
}

function setPool(gauges: Gauges, pool: DatabasePool | undefined): void {
  if (!pool) return;
  gauges.pool.set({ state: "idle" }, pool.idle);
  gauges.pool.set({ state: "busy" }, pool.open - pool.idle);
  gauges.poolWaiting.set(pool.waiting);
  gauges.poolLimit.set(pool.limit);
}

async function setStored(gauges: Gauges, { clock, jobs, outbox, webhooks, payments }: Observed): Promise<void> {
  for (const { name, everyInMs, lastRun, lastFailure } of await jobs.list()) {
    gauges.jobInterval.set({ name }, everyInMs / SECOND_IN_MS);
    // The start is recorded even while a server hangs in the job: only the end shows that it is done.
    if (lastRun) gauges.jobStartedAt.set({ name }, toSeconds(lastRun.startedAt));
    gauges.jobHasFailed.set({ name }, Number(lastRun?.result === "failed"));
    if (lastFailure) gauges.jobFailedAt.set({ name }, toSeconds(lastFailure.at));
  }
  const emails = await outbox.countTrouble(after(clock(), -QUIET_LIMIT_IN_MS));
  gauges.emails.set({ state: "waiting" }, emails.waiting);
  gauges.emails.set({ state: "late" }, emails.overdue);
  gauges.emails.set({ state: "given-up" }, emails.givenUp);
  const { waiting, retried, givenUp } = await webhooks.count();
  gauges.webhooks.set({ state: "waiting" }, waiting);
  gauges.webhooks.set({ state: "tried-again" }, retried);
  gauges.webhooks.set({ state: "given-up" }, givenUp);
  gauges.stuckRefunds.set((await payments.listStuck()).length);
}

function toSeconds(date: Date): number {
  return date.getTime() / SECOND_IN_MS;
}
