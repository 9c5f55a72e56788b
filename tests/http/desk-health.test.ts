import { describe, expect, test } from "vitest";

import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { DAY_IN_MS, HOUR_IN_MS } from "../../server/platform/clock.ts";
import { itemKey } from "../../server/content/items/kinds.ts";
import { codeAt, openDesk, OPERATOR_PASSWORD } from "../helpers/desk.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { readEverything } from "../helpers/full-database.ts";
import { readHeading, readWords, tagWith } from "../helpers/page.ts";
import { openRemoteSite } from "../helpers/provider.ts";
import { openQuietSite, openSite, type Site, withoutContent } from "../helpers/site.ts";

const views = [
  "health",
  "emails",
  "emails?state=waiting",
  "webhooks",
  "jobs",
  "catalogue",
  "figures",
  "figures?days=90",
];

const mail = { subject: "Hello", text: "Hello.", html: "" };

/** Failed one after another. */
async function addFailed({ services, db, clock }: Site, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const key = `failed ${index}`;
    await services.outbox.add({ key, kind: "welcome", to: `m${index}@x.example`, mail }, db);
    const failed = { failedAt: clock(), dueAt: null, lastError: "550 No such user", attempts: 1 };
    await db.updateTable("emails").set(failed).where("key", "=", key).execute();
  }
}

async function addFailedWebhook({ services, db, clock }: Site): Promise<void> {
  const gateway = services.payments.webhookGateway.name;
  const event = { gateway, eventId: "evt_1", kind: "payment", subject: "pi_1", attempts: 2 };
  await db
    .insertInto("webhookEvents")
    .values({ ...event, receivedAt: clock() })
    .execute();
}

function readRow(html: string, head: string): string {
  const rows = [...html.matchAll(/<tr>[^]*?<\/tr>/g)].map(([row]) => readWords(row));
  return rows.find((row) => row.startsWith(head)) ?? "";
}

const listIds = (html: string) => [...html.matchAll(/>(\d+), welcome</g)].map(([, id]) => Number(id));

/** Without sessions, whose last use changes at each request. */
async function readRows(site: Site) {
  const { operator_sessions: _sessions, ...rows } = await readEverything(site.database);
  return rows;
}

describe("the screens about health", () => {
  test("change no row, ask nobody outside, and lead to one another", async () => {
    let callCount = 0;
    const content = { ...createFixedContent(), listItems: async () => void (callCount += 1) };
    await using site = await openSite({}, { content });
    const desk = await openDesk(site, "support");
    await addFailed(site, 2);
    await addFailedWebhook(site);
    const [before, callsBefore] = [await readRows(site), callCount];
    for (const view of views) {
      const { status, text } = await desk.get(`/desk/${view}`);
      expect(status, view).toBe(200);
      for (const other of views.slice(0, 1)) expect(text, view).toContain(`href="/desk/${other}"`);
      expect(text, view).not.toMatch(/<[^>]+\sstyle=/);
    }
    expect(await readRows(site)).toEqual(before);
    expect(callCount).toBe(callsBefore);
  });

  test("a cursor that was made up, and numbers of days that are not offered, show the first page", async () => {
    await using site = await openQuietSite();
    const desk = await openDesk(site, "support");
    await addFailed(site, 1);
    for (const before of ["x", "1-1", "9999999999999-0", "17000000000000000-1"]) {
      const { status, text } = await desk.get(`/desk/emails?before=${before}`);
      expect([status, listIds(text).length], before).toEqual([200, 1]);
    }
    expect((await desk.get("/desk/figures?days=1000000")).text).toContain("/desk/figures?days=90");
  });
});

describe("the overview", () => {
  test("says how each part is, by icon and word, what to do, and where the list is", async () => {
    await using site = await openQuietSite();
    const desk = await openDesk(site, "support");
    await addFailed(site, 2);
    await addFailedWebhook(site);
    const { text } = await desk.get("/desk/health");
    expect(readHeading(text)).toBe("Health");
    expect(readRow(text, "emails")).toBe(
      "emails Wrong 2 couldn't be delivered: try them again, or dismiss them. See the list of emails",
    );
    expect(readRow(text, "webhook events")).toContain("Note 1 failed so far. We'll try again automatically.");
    expect(readRow(text, "refunds")).toBe("refunds OK None has failed, and none is late. –");
    expect(text).not.toContain("mail list");
    expect(readRow(text, "database")).toBe("");
  });

  test.each([true, false])(
    "asks every part by a button, without a reason or a trace (script: %s)",
    async (hasScript) => {
      await using site = await openQuietSite();
      // In a demo's own database its members are no finding.
      const mark = {
        id: "demo",
        kind: "demo",
        idempotencyKey: null,
        parent: null,
        body: "{}",
        createdAt: site.clock(),
      };
      await site.database.db.insertInto("demoObjects").values(mark).execute();
      const desk = await openDesk(site, "support");
      const { rate_limits: _before, ...before } = await readRows(site);
      const path = hasScript ? "/desk/health.data" : "/desk/health";
      const { status, text } = await desk.browser.post(path, { intent: "ask-parts" });
      expect(status).toBe(200);
      for (const sentence of [
        "Everything was checked on",
        "up to date, and can be written to",
        "Emails are kept in memory.",
      ]) {
        expect(text).toContain(sentence);
      }
      if (!hasScript) expect(readRow(text, "mail")).toContain("mail OK Emails are kept in memory.");
      const { rate_limits: _after, ...after } = await readRows(site);
      expect(after).toEqual(before);
    },
  );

  test("asks for nobody who is not logged in, for no other site, and not too often", async () => {
    let callCount = 0;
    const content = {
      ...createFixedContent(),
      check: async () => ({ isWell: (callCount += 1) > 0, message: "Fine." }),
    };
    await using site = await openSite({}, { content });
    const desk = await openDesk(site, "support");
    const form = { intent: "ask-parts" };
    const asStranger = await site.openBrowser().post("/desk/health", form);
    expect([asStranger.status, asStranger.location]).toEqual([303, "/desk/health"]);
    const forged = { Origin: "https://evil.example" };
    expect((await desk.browser.post("/desk/health", form, forged)).status).toBe(403);
    for (let count = 0; count < 200; count += 1) await site.services.operators.countAct(desk.operator.id);
    const tooOften = await desk.browser.post("/desk/health", form);
    expect([tooOften.status, readWords(tooOften.text).includes("Too many attempts")]).toEqual([429, true]);
    await site.db.deleteFrom("operatorSessions").execute();
    expect((await desk.browser.post("/desk/health", form)).location).toBe("/desk/health");
    expect(callCount).toBe(0);
    site.clock.advance(HOUR_IN_MS);
    const code = codeAt(desk.secret, site.clock());
    const logIn = { intent: "log-in", email: desk.operator.email, password: OPERATOR_PASSWORD, code };
    expect((await desk.browser.post("/desk", logIn)).status).toBe(303);
    expect((await desk.browser.post("/desk/health", form)).status).toBe(200);
    expect(callCount).toBe(1);
  });
});

describe("emails at the desk", () => {
  test("failures are paged, each once, and say why", async () => {
    await using site = await openQuietSite();
    const desk = await openDesk(site, "support");
    await addFailed(site, 60);
    const seen: number[] = [];
    let path: string | undefined = "/desk/emails";
    let pages = 0;
    while (path) {
      const { text } = await desk.get(path);
      seen.push(...listIds(text));
      pages += 1;
      path = /<a[^>]*rel="next"[^>]*href="([^"]+)"|href="([^"]+)"[^>]*rel="next"/
        .exec(text)
        ?.slice(1)
        .find(Boolean)
        ?.replaceAll("&amp;", "&");
      expect(text.includes("First page")).toBe(pages > 1);
    }
    expect([pages, seen.length]).toEqual([3, 60]);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    const { text } = await desk.get("/desk/emails");
    expect(readRow(text, `${seen[0]}, welcome`)).toContain("Failed after a day of tries; 550 No such user; 1 try");
  });

  test("one is tried again and leaves; one is noted and stays, without a button to note it again", async () => {
    await using site = await openQuietSite();
    const desk = await openDesk(site, "support");
    await addFailed(site, 2);
    const [last = 0, first = 0] = listIds((await desk.get("/desk/emails")).text);
    const resent = await desk.actAndRead("/desk/emails", "mail resend", { item: String(first) });
    expect(resent).toBe(`We'll try email ${first} again within seconds.`);
    const noted = await desk.actAndRead("/desk/emails", "mail acknowledge", { item: String(last) });
    expect(noted).toBe(`Email ${last} dismissed.`);
    const { text } = await desk.get("/desk/emails");
    expect(listIds(text)).toEqual([last]);
    expect(readWords(text)).not.toContain(`Dismiss email ${last}`);
    expect(readRow((await desk.get("/desk/health")).text, "emails")).toContain("OK None has failed");
    await site.services.outbox.deliver();
    expect(site.emails.map(({ to }) => to)).toEqual(["m0@x.example"]);
  });
});

test("a failed webhook event is run again, and says so when it fails again", async () => {
  let isDown = true;
  await using site = await openSite(
    {},
    {
      ...withoutContent,
      wrapCardGateway: (gateway) => ({
        ...gateway,
        findPayment: (id) => (isDown ? Promise.reject(new Error("The line is down")) : gateway.findPayment(id)),
      }),
    },
  );
  const desk = await openDesk(site, "support");
  await addFailedWebhook(site);
  const path = "/desk/webhooks";
  const item = `${site.services.payments.webhookGateway.name} evt_1`;
  expect(readRow((await desk.get(path)).text, "evt_1")).toMatch(/payment pi_1 \d\d\/\d\d\/\d{4} \d\d:\d\d 2 /);
  const failed = await desk.act(path, "webhook retry", { item });
  expect([failed.status, readWords(failed.text).includes("It failed again.")]).toEqual([400, true]);
  isDown = false;
  expect(await desk.actAndRead(path, "webhook retry", { item })).toBe("Webhook event evt_1 was handled.");
  expect(readWords((await desk.get(path)).text)).toContain("No webhook events have failed.");
});

test("jobs say when they ran, how long it took, and what went wrong", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  await site.services.jobs.run("purge-expired");
  await site.db.schema.alterTable("dailyCounts").renameTo("away").execute();
  await site.services.jobs.run("count-days");
  const { text } = await desk.get("/desk/jobs");
  expect(readRow(text, "purge-expired")).toMatch(/^purge-expired hour one for all – done in \d+ ms – Run /);
  expect(readRow(text, "count-days")).toMatch(
    /Wrong failed in \d+ ms \d\d\/\d\d\/\d{4} \d\d:\d\d: no such table: daily_counts/,
  );
  expect(readRow(text, "send-mail")).toMatch(/^send-mail second each server – – – Run send-mail now/);
});

test("the catalogue names what was left out and what is shown in part, and is read by a button", async () => {
  const made = (id: number, more: object) => ({
    id,
    type: "post",
    date: "2026-11-20T03:00:00",
    title: { rendered: `Item ${id}` },
    content: { rendered: "<p>Text.</p>" },
    ...more,
  });
  let items: unknown[] = [made(1, {}), { id: 2 }];
  const listItems = async () => items;
  await using site = await openSite({}, { content: { ...createFixedContent(), listItems } });
  const desk = await openDesk(site, "support");
  const path = "/desk/catalogue";
  expect(readRow((await desk.get(path)).text, "2 ")).not.toBe("");
  items = [made(1, { content: { rendered: "<p>Text.</p><form></form><form></form>" } })];
  expect(await desk.actAndRead(path, "catalogue refresh")).toBe("Content read: 1 items, 0 left out.");
  const { text } = await desk.get(path);
  expect(readRow(text, "Article 1")).toBe("Article 1 Item 1 2 × form: forms of the CMS do not work here");
  expect(readWords(text)).toContain("Nothing was left out.");
});

describe("figures at the desk", () => {
  /** Each drawing's name, and how many points its line has. */
  const readPlots = (html: string) =>
    [...html.matchAll(/<svg[^>]*role="img"[^>]*aria-label="([^"]+)"[^>]*>(.*?)<\/svg>/g)].map(
      ([, label, drawing = ""]) => ({
        label,
        points: (/class="line-chart-line" d="([^"]*)"/.exec(drawing)?.[1] ?? "").split(/[ML]/).length - 1,
      }),
    );

  test("one measure is drawn large with its numbers, the others small, each with a sentence for its name", async () => {
    await using site = await openSite({}, { ...withoutContent, startsAt: "2026-11-20T03:00:00.000Z" });
    const desk = await openDesk(site, "support");
    await site.services.figures.countDays();
    // The demo's members joined when the site was filled.
    site.clock.advance(3 * DAY_IN_MS);
    await site.services.figures.countDays();
    const relogged = await openDesk(site, "support", "second@desk.example");
    const { text } = await relogged.get("/desk/figures?days=30");
    const plots = readPlots(text);
    expect(plots.map(({ label, points }) => [label?.split(",")[0], points])).toEqual([
      ["Sign-ups", 30],
      ["Members", 30],
      ["Income by card", 30],
      ["Refunds", 30],
      ["Gifts", 30],
    ]);
    const counts = await site.db.selectFrom("dailyCounts").selectAll().where("day", "=", "2026-11-20").execute();
    const of = (measure: string) => counts.find((row) => row.measure === measure)?.value ?? 0;
    expect(of("sign-ups")).toBeGreaterThan(0);
    expect(plots[0]?.label).toBe(
      `Sign-ups, 24/10/2026 to 22/11/2026: ${of("sign-ups")} in total. The highest day is ${of("sign-ups")}, on 20/11/2026.`,
    );
    expect(plots[1]?.label).toContain(`${of("members")} on 22/11/2026.`);
    expect(readRow(text, "20/11/2026")).toBe(`20/11/2026 ${of("sign-ups")} 0`);
    expect(readWords(text)).toContain("New members. Today so far: 0.");
    expect(readPlots((await relogged.get("/desk/figures?days=90")).text)[0]).toMatchObject({
      points: 63,
      label: expect.stringContaining("Days not counted: 27."),
    });
    const members = await relogged.get("/desk/figures?days=30&figure=members");
    expect(readPlots(members.text)[0]?.label).toContain("Members,");
    expect(readRow(members.text, "20/11/2026")).toContain(`20/11/2026 ${of("members")} `);
    expect(tagWith(members.text, "a", 'href="/desk/figures?days=90&amp;figure=members"')).toBeDefined();
    expect((await relogged.get("/desk/figures?figure=shoes")).status).toBe(404);
    expect(desk.operator.role).toBe("support");
  });

  test("plays by section and searches in vain are counts alone, each play once, in weeks and in months", async () => {
    await using site = await openSite({}, { startsAt: "2026-11-26T12:00:00.000Z" });
    const member = site.openBrowser();
    await member.logIn("member@dormouse.example");
    const { catalogue } = site.services;
    const [article, film, sound] = (["read", "watch", "listen"] as const).map(
      (section) => catalogue.findPage(section, 1)?.cards[0],
    );
    if (!article || !film || !sound) throw new Error("The bundled content lacks a section");
    const keep = (card: typeof film, seconds: number) =>
      member.post("/positions", { keep: itemKey(card), seconds: String(seconds), duration: "600", age: "0" });
    for (let count = 0; count < 2; count += 1) await member.post("/positions", { open: itemKey(article) });
    for (const seconds of [5, 30, 60]) await keep(film, seconds);
    await member.post("/positions", { open: itemKey(film) });
    await keep(sound, 5);
    await member.get("/?q=zyxqwv+kkjhgf");
    expect((await readRows(site))["daily_counts"]).toEqual([]);
    expect(await site.services.jobs.run("note-empty-searches")).toBe("done");
    const rows = await site.db.selectFrom("dailyCounts").selectAll().orderBy("measure").execute();
    expect(rows.map(({ measure, value }) => `${measure} ${value}`)).toEqual([
      "plays-listen 1",
      "plays-read 1",
      "plays-watch 1",
      "searches 1",
    ]);
    const desk = await openDesk(site, "support");
    for (const [path, ends] of [
      ["/desk/figures", "weeks from 07/09/2026 to 23/11/2026: 1 in total. The highest week is 1, from 23/11/2026."],
      ["/desk/figures?span=months", "months 12/2025 to 11/2026: 1 in total. The highest month is 1, in 11/2026."],
    ] as const) {
      const plots = readPlots((await desk.get(path)).text);
      expect(
        plots.map(({ label, points }) => [label?.split(",")[0], points]),
        path,
      ).toEqual([
        ["Videos played", 1],
        ["Recordings played", 1],
        ["Articles opened", 1],
        ["Searches with no results", 1],
      ]);
      expect(plots[0]?.label).toContain(ends);
    }
  });

  test("before the first count there is a sentence, and no plot", async () => {
    await using site = await openQuietSite();
    const desk = await openDesk(site, "support");
    const { text } = await desk.get("/desk/figures");
    expect(readPlots(text)).toEqual([]);
    expect(readWords(text)).toContain("Sign-ups: nothing counted yet.");
  });

  test("what five members searched for in vain is read out, and what four did is not", async () => {
    await using site = await openSite();
    const desk = await openDesk(site, "support");
    const people: string[] = [];
    for (let index = 0; index < 5; index += 1) people.push(await addMember(site, index));
    const search = async (email: string, term: string) => {
      const browser = site.openBrowser();
      await browser.logIn(email);
      const { text } = await browser.get(`/?q=${encodeURIComponent(term)}`);
      expect(readWords(text)).toContain("No results found");
    };
    for (const [index, email] of people.entries()) {
      await search(email, "Zyxqwv  kkjhgf");
      if (index < 4) await search(email, "qqzzxx vvbbnn");
    }
    expect((await readRows(site))["empty_searches"], "a page writes nothing").toEqual([]);
    expect(await site.services.jobs.run("note-empty-searches")).toBe("done");
    const { text } = await desk.get("/desk/figures");
    expect(readRow(text, "zyxqwv")).toBe("zyxqwv kkjhgf 5 members or more Add words to an item : zyxqwv kkjhgf");
    expect(text).not.toContain("qqzzxx");
  });

  test("where a provider keeps members and orders they are not counted, but searches are", async () => {
    await using site = await openRemoteSite();
    const desk = await openDesk(site, "support");
    const browser = site.openBrowser();
    await browser.logIn("member@dormouse.example");
    await browser.get("/?q=zyxqwv+kkjhgf");
    for (const name of ["note-empty-searches", "count-days"]) expect(await site.services.jobs.run(name)).toBe("done");
    expect(await site.db.selectFrom("emptySearches").select("term").execute()).toEqual([{ term: "zyxqwv kkjhgf" }]);
    const { text } = await desk.get("/desk/figures");
    expect(readWords(text)).toContain("The provider holds the members and orders, and counts them.");
    expect(readPlots(text).map(({ label }) => label?.split(",")[0])).toEqual(["Searches with no results"]);
  });
});

/** With a term and the demo's password; returns the address. */
async function addMember({ services }: Site, index: number): Promise<string> {
  const email = `searcher${index}@dormouse.example`;
  const name = { firstName: "Sam", lastName: "Search", accountType: "individual" as const };
  const member = await services.accounts.register({ ...name, email, password: DEMO_PASSWORD });
  const now = services.clock();
  const endsAt = new Date(now.getTime() + 30 * DAY_IN_MS);
  await services.membership.grant({ memberId: member?.id ?? 0, planType: 1, startsAt: now, endsAt });
  return email;
}
