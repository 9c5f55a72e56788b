import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";

import { DAY_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import type { Engine } from "../../server/platform/database/database.ts";
import { takeLease } from "../../server/platform/jobs/jobs.ts";
import { addMonths } from "../../server/platform/london-calendar.ts";
import { ada, findMember, tom } from "../helpers/account-page.ts";
import { addCompany } from "../helpers/company-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { reachPayment } from "../helpers/newcomer.ts";
import { linkNamed, readWords } from "../helpers/page.ts";
import { openRemoteSite } from "../helpers/provider.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { openSite, type Site, type SiteOptions } from "../helpers/site.ts";
import { engines } from "../helpers/databases.ts";

/** By heading, in the page's order. */
function readWaiting(html: string): Record<string, string[]> {
  const [, main = ""] = /<main[^>]*>([^]*)<\/main>/.exec(html) ?? [];
  const sections = [...main.matchAll(/<h2>([^<]*)<\/h2><ul[^>]*>([^]*?)<\/ul><\/section>/g)];
  const toSentences = (list: string) =>
    [...list.matchAll(/<p class="[^"]*what[^"]*">([^]*?)<\/p>/g)].map(([, text = ""]) => readWords(`<body>${text}`));
  return Object.fromEntries(sections.map(([, title = "", list = ""]) => [title, toSentences(list)]));
}

type EmailRow = { acknowledgedAt?: Date; body?: null; isSecret?: 0 | 1 };

async function addEmail(site: Site, key: string, set: EmailRow = {}): Promise<void> {
  const mail = { subject: "Hello", text: "Hello.", html: "" };
  await site.services.outbox.add({ key, kind: "welcome", to: `${key}@example.org`, mail }, site.db);
  const failed = { failedAt: site.clock(), dueAt: null, lastError: "550 No such user", ...set };
  await site.db.updateTable("emails").set(failed).where("key", "=", key).execute();
}

/** Nothing waits: the content lacks nothing, the legal pages are the operator's, and a server runs. */
async function openTidySite(
  engine?: Engine,
  content: SiteOptions["content"] = createFixedContent([whole]),
): Promise<Site> {
  const legal = { PRIVACY_URL: "https://nest.example/privacy", TERMS_URL: "https://nest.example/terms" };
  const site = await openSite(legal, { content, startsAt: "2026-11-20T03:00:00.000Z", ...(engine && { engine }) });
  const holder = randomUUID();
  await site.services.transact((trx) =>
    takeLease({ db: trx, clock: site.clock, holder }, "run send-mail", MINUTE_IN_MS),
  );
  await site.db.updateTable("codes").set({ revokedAt: site.clock() }).execute();
  return site;
}

const whole = {
  id: 1,
  type: "post",
  date: "2026-11-20T03:00:00",
  title: { rendered: "Sleep" },
  content: { rendered: "<p>Text.</p>" },
  acf: { scene: "quiet-sea" },
  _embedded: { author: [{ name: "Dr Nora Penn" }] },
};

test("where nothing waits the page says so", async () => {
  await using site = await openTidySite();
  const desk = await openDesk(site, "support");
  const { text } = await desk.get("/desk");
  expect(readWaiting(text)).toEqual({});
  expect(readWords(text)).toContain("All clear");
});

test.each(engines)("what waits is named, the most urgent first, each with its one act: %s", async (engine) => {
  await using site = await openTidySite(engine, createFixedContent([{ ...whole, date: "2024-11-20T03:00:00" }]));
  const { db, services, clock } = site;
  const newcomer = await reachPayment(site);
  await newcomer.pay({ card: "paid" });
  const payer = await findMember(site, newcomer.email);
  await db.updateTable("payments").set({ state: "refund-failed" }).execute();
  await db.updateTable("orders").set({ state: "refund-failed" }).execute();
  await addEmail(site, "lost");
  await addEmail(site, "noted", { acknowledgedAt: clock() });
  const gateway = services.payments.webhookGateway.name;
  const event = { gateway, kind: "payment", subject: "pi_1", receivedAt: clock(), attempts: 2 };
  await db
    .insertInto("webhookEvents")
    .values({ ...event, eventId: "evt_1" })
    .execute();
  const company = await addCompany(site);
  const stopped = await addCompany(site, "Quilt Works", "QUILT-27");
  await db.updateTable("companies").set({ state: "setting-up" }).where("id", "=", company).execute();
  await db.updateTable("companies").set({ state: "stopped" }).where("id", "=", stopped).execute();
  await services.transact((trx) =>
    services.codes.create(
      { code: "FEW-LEFT", seats: 10, startsAt: undefined, endsAt: undefined, products: undefined },
      trx,
    ),
  );
  await db.updateTable("codes").set({ seatsTaken: 9 }).where("code", "=", "FEW-LEFT").execute();
  for (const email of [ada, tom]) {
    const { id } = await findMember(site, email);
    const endsAt = new Date(clock().getTime() + 3 * DAY_IN_MS);
    await db.deleteFrom("subscriptions").where("memberId", "=", id).execute();
    await services.membership.grant({ memberId: id, planType: 1, startsAt: addMonths(endsAt, -1), endsAt });
  }
  await services.outbox.deliver();

  const owner = await openDesk(site);
  const { text } = await owner.get("/desk");
  const waiting = readWaiting(text);
  expect(waiting.Now).toEqual([
    expect.stringMatching(/^Refund stuck: £60\.00, receipt D-\d{4}-000001$/),
    "The email “welcome” to lost@example.org didn't arrive",
    "Quilt Works has stopped paying",
  ]);
  expect(waiting.Soon).toEqual([
    "Webhook event evt_1 (payment) failed",
    "Pillow Works hasn't set up its Direct Debit",
    "FEW-LEFT has 1 of 10 seats left",
  ]);
  expect(waiting["When there is time"]).toEqual([
    "2 members without a company lose access this week",
    "1 item is due for a review",
  ]);
  expect(Object.keys(waiting)).toEqual(["Now", "Soon", "When there is time"]);
  expect(linkNamed(text, `See the payments : ${waiting.Now?.[0]}`)).toBe(`/desk/members/${payer.id}#orders`);
  expect(linkNamed(text, "Extend : FEW-LEFT has 1 of 10 seats left")).toBe("/desk/codes/FEW-LEFT");
  expect(linkNamed(text, "Send a Direct Debit page : Pillow Works hasn't set up its Direct Debit")).toBe(
    `/desk/companies/${company}`,
  );

  // Support may not extend a code, so none waits for them.
  const support = await openDesk(site, "support");
  const seen = Object.values(readWaiting((await support.get("/desk")).text)).flat();
  expect(seen).toContain("Pillow Works hasn't set up its Direct Debit");
  expect(seen).not.toContain("FEW-LEFT has 1 of 10 seats left");

  // An ended code needs nothing of its company.
  await services.codes.revoke("QUILT-27");
  expect(readWaiting((await owner.get("/desk")).text).Now).not.toContain("Quilt Works has stopped paying");
});

test("an email is sent again and a webhook event run again from Today, and then wait no more", async () => {
  await using site = await openTidySite();
  await addEmail(site, "lost");
  await addEmail(site, "secret", { body: null, isSecret: 1 });
  const desk = await openDesk(site, "support");
  const { text } = await desk.get("/desk");
  const [id = ""] = /(?<=Try email )\d+(?= again)/.exec(readWords(text)) ?? [];
  const [gone = ""] = /(?<=Dismiss email )\d+/.exec(readWords(text)) ?? [];
  expect(await desk.actAndRead("/desk?index", "mail resend", { item: id })).toBe(
    `We'll try email ${id} again within seconds.`,
  );
  expect(await desk.actAndRead("/desk?index", "mail acknowledge", { item: gone })).toContain("dismissed");
  expect(readWaiting((await desk.get("/desk")).text)).toEqual({});
  const again = await desk.act("/desk?index", "mail resend", { item: id });
  expect([again.status, readWords(again.text)]).toEqual([400, expect.stringContaining("no longer in this list")]);
});

test("only five of a sort are named, with the way to all", async () => {
  await using site = await openTidySite();
  for (let count = 0; count < 7; count += 1) await addEmail(site, `lost${count}`);
  const desk = await openDesk(site, "support");
  const { text } = await desk.get("/desk");
  expect(readWaiting(text).Now).toHaveLength(5);
  expect(linkNamed(text, "See them all")).toBe("/desk/emails");
});

test("where a provider owns the members, only what is kept here waits", async () => {
  await using site = await openRemoteSite();
  const desk = await openDesk(site, "support");
  expect((await desk.get("/desk")).status).toBe(200);
});
