import { expect, test } from "vitest";

import { addMember, openApp } from "../../../tests/helpers/app.ts";
import { openFolder } from "../../../tests/helpers/folder.ts";
import { createQuietLog } from "../../../tests/helpers/quiet-log.ts";
import { from, pay, prepareDraft } from "../../../tests/saga/visitor.ts";
import { observe } from "../../operations/desk/observed.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { openDatabase } from "../database/open-database.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

/** Our own samples by name and labels; histograms by their counts. */
async function readSamples(metrics: Metrics): Promise<Record<string, number>> {
  const { body } = await metrics.write();
  const samples = [...body.matchAll(/^dormouse_(\S+?)(\{[^}]*\})? (\S+)$/gm)];
  return Object.fromEntries(samples.map(([, name = "", labels = "", value]) => [name + labels, Number(value)]));
}

async function openWatched() {
  const metrics = createMetrics();
  const home = await openFolder();
  const database = await openDatabase({ kind: "sqlite", path: `${home.folder}/dormouse.sqlite` }, metrics.noteQuery);
  const app = await openApp({ metrics, database });
  metrics.watch(observe(app.services));
  return {
    ...app,
    metrics,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

test("a sign-up, its payment and both ways back are counted once, with their sums", async () => {
  await using app = await openWatched();
  const { payments } = app.services;
  const none = await readSamples(app.metrics);
  expect(none).toMatchObject({ sign_ups_total: 0, payments_total: 0, refunds_total: 0 });

  const token = await prepareDraft(app, { planType: 3 });
  await pay(app, token, { card: "declined" });
  await pay(app, token);
  await app.pass(MINUTE_IN_MS);
  await payments.reconcile();
  const paid = { sign_ups_total: 1, payments_total: 1, paid_pence_total: 6000, refunds_total: 0 };
  expect(await readSamples(app.metrics)).toMatchObject(paid);

  const by = { operator: "olive" };
  await payments.makePartRefund({ orderId: 1, amountInPence: 1500, by });
  await app.pass(MINUTE_IN_MS);
  expect(await readSamples(app.metrics)).toMatchObject({ refunds_total: 1, refunded_pence_total: 1500 });
  await payments.giveBack({ orderId: 1, by });
  await app.pass(MINUTE_IN_MS);
  const back = { ...paid, refunds_total: 2, refunded_pence_total: 6000 };
  expect(await readSamples(app.metrics)).toMatchObject(back);
});

test("a renewal is a payment and no sign-up", async () => {
  await using app = await openWatched();
  const { id } = await addMember(app);
  const renewal = await app.services.signUp.startRenewal(app.services.renewalLinks.make(id), from);
  await app.services.signUp.choosePlan(renewal?.token ?? "", 3);
  await pay(app, renewal?.token ?? "");
  expect(await readSamples(app.metrics)).toMatchObject({ sign_ups_total: 0, payments_total: 1 });
});

test("calls of the gateway and of the mail server are timed, and fail when they are not answered", async () => {
  await using app = await openWatched();
  await pay(app, await prepareDraft(app));
  const samples = await readSamples(app.metrics);
  expect(samples['call_duration_seconds_count{part="cards",call="startPayment",outcome="answered"}']).toBe(1);
  expect(samples['call_duration_seconds_count{part="mail",call="send",outcome="answered"}']).toBeGreaterThan(0);

  const metrics = createMetrics();
  const part = { name: "cards", refund: () => Promise.reject(new Error("no answer")), read: () => "at once" };
  const timed = metrics.timeCalls("cards", part);
  await expect(timed.refund()).rejects.toThrow("no answer");
  expect([timed.name, timed.read(), "refund" in timed]).toEqual(["cards", "at once", true]);
  const refused = { ok: false, isPermanent: true, reason: "no such mailbox" } as const;
  const check = async () => ({ isWell: true, message: "" });
  const mailer = metrics.timeCalls("mail", {
    send: (message: object) => Promise.resolve({ ...refused, message }),
    check,
    close: () => {},
  });
  expect(await mailer.send({ id: "1" })).toMatchObject(refused);
  const failed = await readSamples(metrics);
  expect(failed['call_duration_seconds_count{part="cards",call="refund",outcome="failed"}']).toBe(1);
  expect(failed['call_duration_seconds_count{part="mail",call="send",outcome="failed"}']).toBe(1);
  expect(Object.keys(failed).filter((name) => name.includes('call="read"'))).toEqual([]);
});

test("statements are timed by kind, those that fail apart", async () => {
  await using app = await openWatched();
  const before = await readSamples(app.metrics);
  const selects = 'database_query_duration_seconds_count{statement="select",outcome="answered"}';
  await app.db.selectFrom("members").select("id").execute();
  await expect(
    app.db
      .selectFrom("members")
      .select("nothing" as "id")
      .execute(),
  ).rejects.toThrow("nothing");
  const after = await readSamples(app.metrics);
  expect(after['database_query_duration_seconds_count{statement="select",outcome="failed"}']).toBe(1);
  expect(after[selects]).toBeGreaterThan(before[selects] ?? 0);
});

test("the state of jobs, emails, events and the catalogue is read at a scrape", async () => {
  await using app = await openWatched();
  await addMember(app);
  await app.services.jobs.run("purge-expired");
  const row = { gateway: "demo-cards", kind: "payment", subject: "pay-1", receivedAt: app.clock(), attempts: 0 };
  const gone = { ...row, gateway: "gone", eventId: "2" };
  await app.db
    .insertInto("webhookEvents")
    .values([{ ...row, eventId: "1" }, gone])
    .execute();
  const samples = await readSamples(app.metrics);
  expect(samples).toMatchObject({
    'ready{part="database"}': 1,
    'job_runs_total{name="purge-expired",result="done"}': 1,
    'job_last_run_failed{name="purge-expired"}': 0,
    'job_last_run_timestamp_seconds{name="purge-expired"}': app.clock().getTime() / SECOND_IN_MS,
    'job_interval_seconds{name="purge-expired"}': 3600,
    'emails{state="late"}': 0,
    'webhook_events{state="given-up"}': 1,
    refunds_stuck: 0,
    catalogue_items_left_out: 0,
  });
});

test("while the database is away its gauges are missing, and what else there is stays", async () => {
  const metrics = createMetrics();
  const away = () => Promise.reject(new Error("away"));
  const status = { counts: { watch: 3 }, skipped: [], losses: [], readAt: undefined, isStale: false };
  const observed = {
    clock: () => new Date(0),
    catalogue: { status: () => status as never },
    jobs: { list: away },
    outbox: { countTrouble: away },
    webhooks: { count: away },
    payments: { listStuck: away },
    database: { pool: () => ({ limit: 10, open: 4, idle: 1, waiting: 2 }) },
    checkReadiness: async () => ({ database: false, catalogue: true }),
  };
  metrics.watch(observe(observed));
  const samples = await readSamples(metrics);
  expect(samples).toMatchObject({
    'ready{part="database"}': 0,
    'ready{part="catalogue"}': 1,
    'catalogue_items{section="watch"}': 3,
    'database_connections{state="busy"}': 3,
    database_connections_awaited: 2,
  });
  const missing = /^(?:job_last|emails|webhook_events|refunds_stuck|catalogue_read)/;
  expect(Object.keys(samples).filter((name) => missing.test(name))).toEqual([]);
});

test("lines of the log are counted by level and written as they were", async () => {
  const metrics = createMetrics();
  const quiet = createQuietLog();
  const log = metrics.countLines(quiet);
  expect(await readSamples(metrics)).toMatchObject({ 'log_lines_total{level="error"}': 0 });
  log.error({ part: "x" }, "something broke");
  log.info({}, "open");
  expect(quiet.lines).toEqual([
    { level: "error", event: "something broke", facts: { part: "x" } },
    { level: "info", event: "open", facts: {} },
  ]);
  expect(await readSamples(metrics)).toMatchObject({
    'log_lines_total{level="error"}': 1,
    'log_lines_total{level="info"}': 1,
  });
});

test("a method that nobody knows is counted as other, and an answer that was not sent whole as 499", async () => {
  const metrics = createMetrics();
  const ended = { route: "/login", status: 200, ms: 3 };
  metrics.http.began();
  metrics.http.ended({ ...ended, method: "BREW", done: true });
  metrics.http.began();
  metrics.http.ended({ ...ended, method: "GET", done: false });
  const samples = await readSamples(metrics);
  const count = (labels: string) => samples[`http_request_duration_seconds_count{${labels}}`];
  expect(count('method="other",route="/login",status="200"')).toBe(1);
  expect(count('method="GET",route="/login",status="499"')).toBe(1);
  expect(samples["http_requests_in_flight"]).toBe(0);
});
