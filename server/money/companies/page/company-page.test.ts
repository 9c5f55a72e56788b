import { describe, expect, test, vi } from "vitest";

import { type App, elsewhere, findEmail, home, openApp } from "../../../../tests/helpers/app.ts";
import { engines } from "../../../../tests/helpers/databases.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../../platform/clock.ts";
import { insertCompany } from "../companies.ts";
import type { Engine } from "../../../platform/database/database.ts";
import type { CodeFault } from "../labels.ts";

const hr = "Hr@pillow.example";

async function openPage(engine: Engine = "sqlite") {
  const app = await openApp({ engine });
  const add = async (name: string) => {
    const terms = { contactEmail: "boss@pillow.example", accounts: 50, priceInPence: 150_000 };
    const id = (await insertCompany(app.db, { name, ...terms, now: app.clock() })) ?? 0;
    await app.services.codes.create({ code: `${name.toUpperCase()}-CODE`, seats: 50, companyId: id });
    return id;
  };
  const inviteContact = (contact: { companyId: number; email: string }) =>
    app.services.transact((trx) => app.services.companyPage.invite({ ...contact, site: home.site }, trx));
  const invite = async (companyId: number, email = hr) => {
    const invited = await inviteContact({ companyId, email });
    if (!invited.ok) throw new Error(invited.reason);
    return invited.contact;
  };
  const { companyPage } = app.services;
  const ask = (email = hr, from = home) => companyPage.requestLogIn({ ...from, email });
  const read = (email = hr) => readLogIn(app, email);
  const enter = async (email = hr) => {
    app.clock.advance(MINUTE_IN_MS);
    await ask(email);
    const result = await companyPage.logInByCode({ ...home, email, code: (await read(email)).code });
    if (!result.ok) throw new Error(result.reason);
    return result.session.token;
  };
  return { ...app, companyPage, add, inviteContact, invite, ask, read, enter };
}

async function readLogIn(app: App, email: string): Promise<{ code: string; token: string }> {
  const text = (await findEmail(app, email))?.text ?? "";
  return { code: /^\d{6}$/m.exec(text)?.[0] ?? "", token: /company\?token=(\S+)/.exec(text)?.[1] ?? "" };
}

describe.each(engines)("the log-in of a company's contact on %s", (engine) => {
  test("goes by the code of an email, once", async () => {
    await using page = await openPage(engine);
    const companyId = await page.add("Pillow");
    const contact = await page.invite(companyId);
    expect((await findEmail(page, hr))?.text).toContain("http://dormouse.test/company\n");
    expect(await page.ask("hr@PILLOW.example")).toEqual({ ok: true });
    const { code } = await page.read();
    const answer = { ...home, email: "HR@pillow.example", code };
    expect(await page.companyPage.logInByCode({ ...answer, code: "000000" })).toMatchObject({ reason: "wrong-code" });
    const first = await page.companyPage.logInByCode(answer);
    if (!first.ok) throw new Error(first.reason);
    expect(await page.companyPage.findSession(first.session.token)).toEqual({ contact, others: [] });
    expect(await page.companyPage.logInByCode(answer)).toMatchObject({ ok: false, reason: "expired-code" });
  });

  test("goes by the link of an email, once, and ends the session that the browser had", async () => {
    await using page = await openPage(engine);
    await page.invite(await page.add("Pillow"));
    const before = await page.enter();
    page.clock.advance(MINUTE_IN_MS);
    await page.ask();
    const { token, code } = await page.read();
    expect([await page.companyPage.peekLink(token), await page.companyPage.peekLink("x")]).toEqual([true, false]);
    const link = { token, replacedToken: before };
    const both = await Promise.all([page.companyPage.logInByLink(link), page.companyPage.logInByLink(link)]);
    const sessions = both.filter((each) => each !== undefined);
    expect(sessions).toHaveLength(1);
    expect(await page.companyPage.findSession(before)).toBeUndefined();
    expect(await page.companyPage.findSession(sessions[0]?.token ?? "")).toBeDefined();
    expect(await page.companyPage.logInByCode({ ...home, email: hr, code })).toMatchObject({ ok: false });
  });

  test("gives the same answer to an address that is no contact's, and writes to nobody", async () => {
    await using page = await openPage(engine);
    await page.invite(await page.add("Pillow"));
    await page.services.outbox.deliver();
    const sent = page.emails.length;
    expect(await page.ask("stranger@pillow.example")).toEqual(await page.ask(hr));
    await page.services.outbox.deliver();
    expect(page.emails.slice(sent).map(({ to }) => to)).toEqual([hr]);
    expect(
      (await page.db.selectFrom("emails").select("recipient").execute()).map((row) => row.recipient),
    ).not.toContain("");
    const guess = { ...home, email: "stranger@pillow.example", code: "000000" };
    expect(await page.companyPage.logInByCode(guess)).toMatchObject({ ok: false, reason: "wrong-code" });
  });

  test("is over when the contact is removed: session, code and link", async () => {
    await using page = await openPage(engine);
    const companyId = await page.add("Pillow");
    const contact = await page.invite(companyId);
    const token = await page.enter();
    page.clock.advance(MINUTE_IN_MS);
    await page.ask();
    const mail = await page.read();
    const remove = (which: { companyId: number; contactId: number }) =>
      page.services.transact((trx) => page.companyPage.removeContact(which, trx));
    expect(await remove({ companyId: await page.add("Other"), contactId: contact.id }), "another company's").toBe(
      false,
    );
    expect(await remove({ companyId, contactId: contact.id })).toBe(true);
    expect(await page.companyPage.findSession(token)).toBeUndefined();
    expect(await page.companyPage.logInByLink({ token: mail.token })).toBeUndefined();
    expect(await page.companyPage.logInByCode({ ...home, email: hr, code: mail.code })).toMatchObject({ ok: false });
    expect(await page.db.selectFrom("contactSessions").selectAll().execute()).toEqual([]);
  });

  test("of an address with two companies leads to the first, and from there to the other alone", async () => {
    await using page = await openPage(engine);
    const [pillow, quilt, third] = [await page.add("Pillow"), await page.add("Quilt"), await page.add("Third")];
    await page.invite(pillow);
    const other = await page.invite(quilt, hr.toUpperCase());
    const stranger = await page.invite(third, "boss@third.example");
    const token = await page.enter();
    expect(await page.companyPage.findSession(token)).toMatchObject({
      contact: { companyId: pillow },
      others: [{ id: other.id, companyName: "Quilt" }],
    });
    expect(await page.companyPage.switchCompany({ token, contactId: stranger.id })).toBe(false);
    expect(await page.companyPage.switchCompany({ token, contactId: other.id })).toBe(true);
    expect(await page.companyPage.findSession(token)).toMatchObject({ contact: { companyId: quilt } });
  });
});

test("asks the database as much about an unknown address as about a known one", async () => {
  await using page = await openPage();
  await page.invite(await page.add("Pillow"));
  const count = async (email: string) => {
    const spy = vi.spyOn(page.database.db.getExecutor(), "executeQuery");
    const inside = vi.spyOn(page.services.outbox, "add");
    await page.ask(email);
    const calls = spy.mock.calls.length + inside.mock.calls.length;
    spy.mockRestore();
    inside.mockRestore();
    return calls;
  };
  const known = await count(hr);
  expect(known).toBeGreaterThan(0);
  expect(await count("stranger@pillow.example")).toBe(known);
});

test("a session ends after thirty minutes without use, after twelve hours with it, and by logging out", async () => {
  await using page = await openPage();
  await page.invite(await page.add("Pillow"));
  const token = await page.enter();
  const isIn = async (of = token) => (await page.companyPage.findSession(of)) !== undefined;
  for (let minutes = 29; minutes < 12 * 60; minutes += 29) {
    page.clock.advance(29 * MINUTE_IN_MS);
    expect(await isIn(), `after ${minutes} minutes`).toBe(true);
  }
  page.clock.advance(29 * MINUTE_IN_MS);
  expect(await isIn(), "after twelve hours").toBe(false);
  const idle = await page.enter();
  page.clock.advance(30 * MINUTE_IN_MS);
  expect(await isIn(idle)).toBe(false);
  const left = await page.enter();
  await page.companyPage.endSession(left);
  expect(await isIn(left)).toBe(false);
  expect(await page.companyPage.purge()).toBe(2);
});

test("emails are limited at one address, requests and guesses at one network", async () => {
  await using page = await openPage();
  await page.invite(await page.add("Pillow"));
  const results: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    page.clock.advance(MINUTE_IN_MS);
    const result = await page.ask();
    results.push(result.ok ? "ok" : result.reason);
  }
  expect(results).toEqual(["ok", "ok", "ok", "ok", "ok", "ok", "too-many-attempts"]);
  expect(await page.ask(hr, elsewhere), "its owner, from elsewhere").toEqual({ ok: true });
  expect(await page.ask("no address")).toEqual({ ok: false, reason: "email-invalid" });
  for (let count = 0; count < 24; count += 1) await page.ask(`x${count}@pillow.example`);
  expect(await page.ask("y@pillow.example")).toMatchObject({ reason: "too-many-attempts" });
  page.clock.advance(2 * HOUR_IN_MS);
  const guess = (index: number) => page.companyPage.logInByCode({ ...home, email: `x${index}@b.example`, code: "0" });
  for (let index = 0; index < 30; index += 1) expect(await guess(index)).toMatchObject({ reason: "expired-code" });
  expect(await guess(30)).toMatchObject({ reason: "too-many-attempts" });
});

test("the same address is invited once, to a company that there is, and at most twenty are", async () => {
  await using page = await openPage();
  const companyId = await page.add("Pillow");
  await page.invite(companyId);
  const findRefusal = async (input: { companyId: number; email: string }) => {
    const result = await page.inviteContact(input);
    return result.ok ? undefined : result.reason;
  };
  expect(await findRefusal({ companyId, email: hr.toLowerCase() })).toBe("contact-known");
  expect(await findRefusal({ companyId, email: "hr" })).toBe("email-invalid");
  expect(await findRefusal({ companyId: 99, email: hr })).toBe("company-unknown");
  for (let index = 1; index < 20; index += 1) await page.invite(companyId, `hr${index}@pillow.example`);
  expect(await findRefusal({ companyId, email: "one@too.example" })).toBe("contacts-many");
});

test("a code that is full looks to its company like one that is not", async () => {
  await using page = await openPage();
  const companyId = await page.add("Pillow");
  await page.db.updateTable("companies").set({ state: "live" }).execute();
  const findFault = async () => (await page.companyPage.findView(companyId))?.codeFault;
  const before = JSON.stringify(await page.companyPage.findView(companyId));
  await page.db.updateTable("codes").set({ seatsTaken: 50 }).execute();
  expect((await page.services.codes.check("PILLOW-CODE")).isValid).toBe(false);
  expect(JSON.stringify(await page.companyPage.findView(companyId))).toBe(before);
  expect(await findFault()).toBeUndefined();
  await page.db.updateTable("companies").set({ state: "stopped" }).execute();
  expect(await findFault()).toBe("stopped" satisfies CodeFault);
});
