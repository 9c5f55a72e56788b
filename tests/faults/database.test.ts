import { afterAll, afterEach, expect, test } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { forms } from "../../server/refusals.ts";
import { openDesk } from "../helpers/desk.ts";
import { readWords } from "../helpers/page.ts";
import type { Answer } from "../helpers/site.ts";
import { toDataPath, fillPattern, patterns } from "../safety/addresses.ts";
import { expectPaidOnce } from "./stripe-ledger.ts";
import { describe, openTours, visitorPages } from "./tour.ts";
import { openTroubledSite } from "./troubled-site.ts";

const site = await openTroubledSite();
const expectUsualTour = await openTours(site);
const visitor = site.openBrowser({ address: "198.51.100.78" });
const usualVisit = await visit();
const member = site.openBrowser({ address: "198.51.100.79" });
await member.logIn("member@dormouse.example");
afterAll(() => site[Symbol.asyncDispose]());
afterEach(() => line.mend());

const payment = { fields: { methodId: "pm_card_visa" } };
const line = site.lines.database;

/** PostgreSQL accepts no connection. */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

const troubles: { of: string; strike: () => void | Promise<void> }[] = [
  { of: "that is down", strike: () => line.shut() },
  { of: "that resets connections", strike: () => line.reset() },
  { of: "that is full", strike: () => line.answer(refusal("53300", "sorry, too many clients already")) },
  { of: "that is broken", strike: () => line.answer(refusal("58030", "could not read block 7 in file")) },
  { of: "whose line talks nonsense", strike: () => line.answer(Buffer.from("HTTP/1.1 200 OK\r\n\r\n{}")) },
];

const listLines = (level: "warn" | "error") =>
  site.log.lines.filter((entry) => entry.level === level).map(({ event }) => event);

/** Without a session. */
async function visit(): Promise<string[]> {
  const found: string[] = [];
  for (const path of visitorPages) found.push(`${path} ${describe(await visitor.get(path))}`);
  return found;
}

/** The sentence promises recovery, without naming the cause. */
function expectPlainFault({ status, headers, text }: Answer): void {
  expect(status).toBe(503);
  expect(headers.get("Retry-After")).toBe("60");
  expect(readWords(text)).toContain(`We can't do that just now ${forms["database-away"]}`);
  expect(text).not.toMatch(/postgres|ECONN|too many clients|could not read|select |\.ts\b|\bat \w+ \(/i);
}

test.each(troubles)(
  "a database $of: visitors read on, members read a sentence, and nothing is lost",
  async ({ strike }) => {
    const payer = site.openNewcomer();
    await payer.reachPayment();
    const earlier = site.openNewcomer();
    await earlier.reachPayment();
    await earlier.pay(payment);
    const callsBefore = site.parts.stripe.calls.length;
    const [webhook] = site.parts.takeWebhooks();
    site.log.lines.length = 0;
    await strike();

    expect(await visit()).toEqual(usualVisit);
    for (const path of ["/", "/?view=read&item=1001", "/?q=snoring", "/?view=favourites", "/?account=open"]) {
      expectPlainFault(await member.get(path));
    }
    expectPlainFault(await payer.pay(payment));
    expectPlainFault(await site.openNewcomer().enterDetails());
    expectPlainFault(await visitor.logIn("member@dormouse.example"));
    expect(site.parts.stripe.calls).toHaveLength(callsBefore);
    // A provider repeats an event without a 2xx.
    expect(await site.deliver(webhook)).toBe(503);
    for (const browser of [visitor, member]) {
      expect(await browser.get("/healthz")).toMatchObject({ status: 200, text: "ok\n" });
      expect(await browser.get("/readyz")).toMatchObject({ status: 503, text: '{"database":false,"catalogue":true}' });
    }
    await site.live(1000);
    expect(listLines("error")).toEqual([]);
    expect(listLines("warn").filter((event) => event === "the database is away")).toHaveLength(1);
    await site.live(2 * MINUTE_IN_MS);
    expectPlainFault(await member.get("/"));
    expectPlainFault(await member.get("/"));
    expect(listLines("error")).toEqual(["the database is away, and it has lasted"]);

    await line.mend();
    expect((await member.get("/?view=read&item=1001")).status).toBe(200);
    expect(listLines("warn").at(-1)).toBe("the database answers again");
    expect(await site.deliver(webhook)).toBe(204);
    expect(describe(await payer.pay(payment))).toBe("303 /signup?step=4");
    await expectUsualTour();
    await expectPaidOnce(site, [payer, earlier]);
  },
);

test("a database that is slow: visitors are answered at once, members once it answers", async () => {
  line.hold();
  let isAnswered = false;
  const page = member.get("/?view=read&item=1001").finally(() => void (isAnswered = true));
  expect(await visit()).toEqual(usualVisit);
  expect(isAnswered).toBe(false);
  await line.mend();
  expect((await page).status).toBe(200);
});

test("a form without a page of its own says it in the same sentence", async () => {
  await line.shut();
  const answer = await member.post("/favourites", { save: "read-1001", from: "/?view=read" });
  expect(answer.headers.get("Content-Type")).toContain("text/html");
  expectPlainFault(answer);
});

test("a database that is away is a 503 on each route, for all who bring a cookie or a key, as page and as data", async () => {
  const { browser: operator } = await openDesk(site);
  site.log.lines.length = 0;
  await line.shut();
  const cookies = { "dormouse-session": "x", "dormouse-signup": "x", "dormouse-company": "x" };
  const made = site.openBrowser();
  for (const [name, value] of Object.entries(cookies)) made.cookies.set(name, value);
  const asksNothing = /^\/(?:healthz|readyz)|^\/webhooks\/|^\/demo-gateway/;
  for (const browser of [member, made, operator]) {
    for (const { pattern } of patterns) {
      const path = fillPattern(pattern, ["x", "x"]);
      for (const address of [path, toDataPath(path)]) {
        for (const method of ["GET", "POST"]) {
          const body = method === "POST" ? new URLSearchParams({ intent: "log-out" }) : undefined;
          const headers = { Origin: "http://dormouse.test", "X-Api-Key": "key", Accept: "text/html" };
          const answer = await browser.request(address, { method, headers, ...(body && { body }) });
          expect(answer.status, `${method} ${address}`).not.toBe(500);
          if (answer.status === 503 || !asksNothing.test(pattern)) {
            if (browser !== operator)
              expect([405, 404, 503], `${method} ${address} ${answer.status}`).toContain(answer.status);
            if (answer.status === 503) expect(answer.headers.get("Retry-After")).toBe("60");
          }
        }
      }
    }
  }
  expectPlainFault(await operator.get("/desk"));
  const typed = await site.openNewcomer().enterDetails({ accountType: "corporate", code: "DORMOUSE-DEMO" });
  expectPlainFault(typed);
  await line.mend();
  expect((await operator.get("/desk")).status).toBe(200);
  expect(listLines("error")).toEqual([]);
});

test.each(["POST /v1/customers", "POST /v1/payment_intents"])(
  "a database that goes away while %s is under way: the visitor who returns has paid, once",
  async (call) => {
    const payer = site.openNewcomer();
    await payer.reachPayment();
    const { calls } = site.parts.stripe;
    const before = calls.length;
    const { promise: awaited, resolve: goOn } = Promise.withResolvers<void>();
    site.parts.stripe.fail({ kind: "delay", awaited, on: new RegExp(`${call}$`), times: 1 });
    const answer = payer.pay(payment);
    await expect.poll(() => calls.slice(before).some((each) => each.call === call), { interval: 5 }).toBe(true);
    await line.shut();
    goOn();
    expectPlainFault(await answer);
    await line.mend();
    // As a browser reloads a page that came from a form: it sends the form again.
    expect(describe(await payer.pay(payment))).toBe("303 /signup?step=4");
    await expectPaidOnce(site, [payer]);
  },
);
