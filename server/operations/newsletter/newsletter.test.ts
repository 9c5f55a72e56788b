import { describe, expect, test } from "vitest";

import { addMember, addNamed, type App, openApp } from "../../../tests/helpers/app.ts";
import { article } from "../../../tests/helpers/article-source.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { createFixedContent } from "../../../tests/helpers/fixed-content.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { after, DAY_IN_MS, HOUR_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import { createNewsletter } from "./newsletter.ts";

const dated = (id: number, day: string, title: string) => ({
  ...article,
  id,
  date: `${day}T09:00:00`,
  date_gmt: `${day}T09:00:00`,
  title: { rendered: title },
  sticky: false,
});

const content = createFixedContent([
  dated(1, "2026-10-31", "Before the month"),
  dated(2, "2026-11-01", "A quiet first"),
  dated(3, "2026-11-30", "A late last"),
  dated(4, "2026-12-01", "After the month"),
]);

/** In the middle of November, which is not over. */
const openNovember = (options: { engine?: Engine; content?: typeof content } = {}) =>
  openApp({ content, clock: createTestClock("2026-11-20T03:00:00.000Z"), ...options });

async function admit(app: App, memberId: number, days = 90): Promise<number> {
  const startsAt = app.clock();
  await app.services.membership.grant({ memberId, planType: 2, startsAt, endsAt: after(startsAt, days * DAY_IN_MS) });
  return memberId;
}

const admitNamed = async (app: App, name: string, days?: number) => admit(app, await addNamed(app, name), days);

const goTo = ({ clock }: App, instant: string) => clock.advance(Date.parse(instant) - clock().getTime());

/** Runs the job and sends its emails; returns the recipients in alphabetical order. */
async function send(app: App): Promise<string[]> {
  const sent = app.emails.length;
  expect(await app.services.jobs.run("send-newsletter")).toBe("done");
  await app.services.outbox.deliver();
  return app.emails
    .slice(sent)
    .map(({ to }) => to.split("@")[0] ?? "")
    .toSorted();
}

describe.each(engines)("New this month on %s", (engine) => {
  test("is written by day, once, to members who asked for it and have access", async () => {
    await using app = await openNovember({ engine });
    const { newsletter } = app.services;
    for (const name of ["Ada", "Bo"]) await newsletter.start(await admitNamed(app, name));
    await newsletter.start(await admitNamed(app, "Lapsed", 5));
    await newsletter.start(await addNamed(app, "Never"));
    await admitNamed(app, "Silent");
    expect(await send(app)).toEqual([]);
    goTo(app, "2026-12-01T08:59:59.999Z");
    expect(await send(app)).toEqual([]);
    app.clock.advance(1);
    expect(await send(app)).toEqual(["ada", "bo"]);
    expect(await send(app)).toEqual([]);
    const [mail] = app.emails;
    expect(mail?.subject).toBe("New in November");
    expect(mail?.text).toMatch(
      /A late last \(Article\)\nhttp:.*&item=3\n\nA quiet first \(Article\)\nhttp:.*&item=2\n/,
    );
    expect(mail?.text).not.toContain("the month\n");
  });

  test("two servers that write at the same moment write once", async () => {
    await using app = await openNovember({ engine });
    await using other = await openApp({ database: app.database, content, clock: app.clock, mailer: app.mailer });
    for (const name of ["Ada", "Bo", "Cy"]) await app.services.newsletter.start(await admitNamed(app, name));
    goTo(app, "2026-12-01T10:00:00.000Z");
    const written = await Promise.all([app, other, app, other].map(({ services }) => services.newsletter.send()));
    expect(written.reduce((sum, count) => sum + count, 0)).toBe(3);
    await app.services.outbox.deliver();
    expect(app.emails.map(({ to }) => to).toSorted()).toHaveLength(3);
  });

  test("a server that ends while it writes leaves nothing half done", async () => {
    await using app = await openNovember({ engine });
    await app.services.newsletter.start(await admitNamed(app, "Ada"));
    await app.services.newsletter.start(await admitNamed(app, "Bo"));
    goTo(app, "2026-12-01T10:00:00.000Z");
    let count = 0;
    const emails = {
      newsletter: async (...email: Parameters<typeof app.services.emails.newsletter>) => {
        count += 1;
        if (count === 2) throw new Error("The power is gone");
        await app.services.emails.newsletter(...email);
      },
    };
    const dying = createNewsletter({ ...app.ctx, ...app.services, emails });
    await expect(dying.send()).rejects.toThrow("The power is gone");
    expect(await app.services.outbox.list({ limit: 9 })).toEqual([]);
    expect(await send(app)).toEqual(["ada", "bo"]);
  });

  test("an address that refuses it gets no more, until its member asks again", async () => {
    await using app = await openNovember({ engine });
    const { newsletter } = app.services;
    const ada = await admitNamed(app, "Ada");
    await newsletter.start(ada);
    app.mailer.answer = () => ({ ok: false, isPermanent: true, reason: "550 no such mailbox" });
    goTo(app, "2026-12-01T10:00:00.000Z");
    expect(await send(app)).toEqual(["ada"]);
    expect(await newsletter.find(ada)).toBe("on");
    app.mailer.answer = () => ({ ok: true });
    app.clock.advance(HOUR_IN_MS);
    expect(await send(app)).toEqual([]);
    expect(await newsletter.find(ada)).toBe("returned");
    app.clock.advance(HOUR_IN_MS);
    await newsletter.start(ada);
    await send(app);
    expect(await newsletter.find(ada)).toBe("on");
  });
});

test("an address that its member has given up ends nothing", async () => {
  await using app = await openNovember();
  const { newsletter, outbox } = app.services;
  const { id } = await addMember(app);
  await newsletter.start(id);
  const mail = { subject: "Hello", text: "Hello.", html: "" };
  app.mailer.answer = () => ({ ok: false, isPermanent: true, reason: "550 no such mailbox" });
  await outbox.add({ key: "old", kind: "welcome", to: "old@dormouse.example", memberId: id, mail }, app.db);
  await send(app);
  await send(app);
  expect(await newsletter.find(id)).toBe("on");
});

test("a month without anything new has no email", async () => {
  const older = createFixedContent([dated(1, "2026-10-31", "Before the month")]);
  await using app = await openNovember({ content: older });
  await app.services.newsletter.start(await admitNamed(app, "Ada"));
  goTo(app, "2026-12-01T10:00:00.000Z");
  expect(await send(app)).toEqual([]);
});

test("a server that was off in the first week writes again a month later", async () => {
  await using app = await openNovember();
  await app.services.newsletter.start(await admitNamed(app, "Ada"));
  goTo(app, "2026-12-08T00:00:00.000Z");
  expect(await send(app)).toEqual([]);
  goTo(app, "2027-01-02T10:00:00.000Z");
  expect(await send(app)).toEqual(["ada"]);
  expect(app.emails.at(-1)?.subject).toBe("New in December");
});

test("a member who pays in the first days gets it then", async () => {
  await using app = await openNovember();
  const ada = await addNamed(app, "Ada");
  await app.services.newsletter.start(ada);
  goTo(app, "2026-12-01T10:00:00.000Z");
  expect(await send(app)).toEqual([]);
  await admit(app, ada);
  expect(await send(app)).toEqual(["ada"]);
});

test("it says the same to all, whatever a member has opened", async () => {
  await using app = await openNovember();
  const { newsletter, positions } = app.services;
  const [ada, bo] = [await admitNamed(app, "Ada"), await admitNamed(app, "Bo")];
  for (const id of [ada, bo]) await newsletter.start(id);
  await positions.noteOpened(ada, { kind: "read", id: 2 });
  goTo(app, "2026-12-01T10:00:00.000Z");
  await send(app);
  const [first, second] = app.emails.map(({ text }) => text.replaceAll(/Hello \w+|end=\S+/g, ""));
  expect(first).toBe(second);
});

test("one who ends it gets no more, not even what has not left, and no second one when they ask again", async () => {
  await using app = await openNovember();
  const { newsletter, outbox } = app.services;
  const ada = await admitNamed(app, "Ada");
  await newsletter.start(ada);
  goTo(app, "2026-12-01T10:00:00.000Z");
  await newsletter.send();
  await newsletter.end(ada);
  expect(await outbox.deliver()).toBe(0);
  expect(await newsletter.find(ada)).toBe("off");
  await newsletter.start(ada);
  expect(await send(app)).toEqual([]);
  goTo(app, "2027-01-01T10:00:00.000Z");
  expect(await send(app)).toEqual(["ada"]);
});

test("the link of an email ends it for that member alone, and a changed one for no one", async () => {
  await using app = await openNovember();
  const { newsletter } = app.services;
  const ada = await admitNamed(app, "Ada");
  await newsletter.start(ada);
  goTo(app, "2026-12-01T10:00:00.000Z");
  await send(app);
  const [, token = ""] = /[?]end=(\S+)/.exec(app.emails[0]?.text ?? "") ?? [];
  expect(app.emails[0]?.unsubscribe).toMatch(new RegExp(`/newsletter[?]end=${token}$`));
  expect(newsletter.readEndLink(token)).toBe(ada);
  for (const changed of [token.replace(/^\d+/, String(ada + 1)), `${token}x`, token.slice(1), "", "1.x"]) {
    expect(newsletter.readEndLink(changed)).toBeUndefined();
  }
});
