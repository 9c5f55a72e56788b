import { describe, expect, test } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { toDay } from "../../server/platform/format.ts";
import { type Act, type DeskForm } from "../../server/operations/acts/act.ts";
import { actionText, type ActName, actNames, acts } from "../../server/operations/acts/acts.ts";
import type { Engine } from "../../server/platform/database/database.ts";
import type { NoteSubject } from "../../server/operations/notes/notes.ts";
import { ada, findMember, lena } from "../helpers/account-page.ts";
import { listSpans, readDocument, readTable } from "../helpers/docs.ts";
import { type Desk, openDesk, OPERATOR_PASSWORD, readQuestion, REASON } from "../helpers/desk.ts";
import { readEverything } from "../helpers/full-database.ts";
import { giveGift } from "../helpers/gifts.ts";
import { codeIn, emailsTo } from "../helpers/mailbox.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { readWords } from "../helpers/page.ts";
import { openSite, type Site, withoutContent } from "../helpers/site.ts";
import { toDataPath } from "../safety/addresses.ts";

/** Rules of every act: role, rate limit, origin, and audit line. An act with a form needs a sample here. */
type Sample = {
  path: string;
  fields?: Record<string, string>;
  /** The same form about another screen's subject, or on the screen of a missing one. */
  swapped?: { path?: string; fields?: Record<string, string> };
};

/** Prepares a fresh site for the act. */
type MakeSample = (site: Site, desk: Desk) => Promise<Sample>;

const access = "/desk/access";
const emails = "/desk/emails";

/** Failed or sent; returns its number. */
async function addEmail(site: Site, ended: "failedAt" | "sentAt"): Promise<string> {
  const mail = { subject: "Hello", text: "Hello.", html: "" };
  const key = `${ended} email`;
  await site.services.outbox.add({ key, kind: "welcome", to: "ada@example.org", mail }, site.db);
  const set = { [ended]: site.clock().toISOString(), dueAt: null };
  const row = site.db.updateTable("emails").set(set).where("key", "=", key).returning("id");
  return String((await row.executeTakeFirstOrThrow()).id);
}

/** Swapped with another member's page. */
function aboutAda(fields?: Record<string, string>): MakeSample {
  return async (site) => {
    const { id } = await findMember(site, ada);
    return {
      path: `/desk/members/${id}`,
      ...(fields && { fields }),
      swapped: { path: "/desk/members/999" },
    };
  };
}

/** A member who has paid, and another's page. */
const aboutAnOrder =
  (fields?: Record<string, string>): MakeSample =>
  async (site) => {
    const newcomer = createNewcomer(site);
    await newcomer.reachPayment();
    await newcomer.pay({ card: "paid" });
    const [payer, other] = await Promise.all([findMember(site, newcomer.email), findMember(site, ada)]);
    const swapped = { path: `/desk/members/${other.id}` };
    return { path: `/desk/members/${payer.id}`, fields: { item: "1", ...fields }, swapped };
  };

/** Another operator, and an unused number. */
function aboutAnOperator(fields?: Record<string, string>): MakeSample {
  return async (site) => {
    const { operator } = await openDesk(site, "support", "other@desk.example");
    const swapped = { fields: { item: "999" } };
    return { path: access, fields: { item: String(operator.id), password: OPERATOR_PASSWORD, ...fields }, swapped };
  };
}

/** Their answer is shown once, in place of the screen's message. */
const shownOnce = new Set<ActName>(["access recovery", "operator add", "operator invite"]);

const samples: Partial<Record<ActName, MakeSample>> = {
  "member verification": async (site, desk) => {
    const sample = await aboutAda()(site, desk);
    const { id: memberId } = await findMember(site, ada);
    const change = { memberId, email: "ada.new@dormouse.example", isMailboxLost: false, site: site.services.site };
    await site.services.transact((trx) => site.services.support.startAddressChange(change, trx));
    site.clock.advance(2 * MINUTE_IN_MS);
    return sample;
  },
  "member reset": aboutAda(),
  "member name": aboutAda({ firstName: "Ada", lastName: "Lovelace" }),
  "member address": aboutAda({ email: "ada.new@dormouse.example", mailbox: "lost" }),
  "member sessions": aboutAda(),
  "member newsletter-end": async (site, desk) => {
    const sample = await aboutAda()(site, desk);
    await site.services.newsletter.start((await findMember(site, ada)).id);
    return sample;
  },
  "member term": aboutAda({ months: "1" }),
  "member restore": async (site, desk) => {
    const sample = await aboutAda()(site, desk);
    await site.services.membership.revoke((await findMember(site, ada)).id);
    return sample;
  },
  "member deactivate": aboutAda(),
  "member refund": aboutAnOrder(),
  "member refund-part": aboutAnOrder({ amount: "10.00" }),
  "member close": aboutAda(),
  "member renewal-link": aboutAda(),
  "member export": aboutAda({ password: OPERATOR_PASSWORD }),
  "member erase": aboutAda({ password: OPERATOR_PASSWORD }),
  "member merge-code": async (site) => ({
    path: `/desk/members/${(await findMember(site, lena)).id}`,
    fields: { other: ada },
    swapped: { path: "/desk/members/999" },
  }),
  "member merge": async (site) => {
    const { id: targetId } = await findMember(site, ada);
    await site.services.merging.sendCode({ targetId, other: lena, site: site.services.site }, async () => undefined);
    await site.services.outbox.deliver();
    const code = codeIn(emailsTo(lena, site.emails).at(-1));
    return {
      path: `/desk/members/${targetId}`,
      fields: { other: lena, code },
      swapped: { path: "/desk/members/999" },
    };
  },
  "member note": aboutAda({ text: "Rang about her receipt." }),
  "member note-remove": async (site) => {
    const { id } = await findMember(site, ada);
    const item = await addNote(site, { memberId: id });
    return { path: `/desk/members/${id}`, fields: { item }, swapped: { path: "/desk/members/2" } };
  },
  "company note": async (site) => ({
    path: `/desk/companies/${await addCompany(site)}`,
    fields: { text: "Asked for more seats." },
    swapped: noCompany,
  }),
  "company note-remove": async (site) => {
    const [companyId, other] = [await addCompany(site), await addCompany(site, "Quilt Works")];
    const item = await addNote(site, { companyId });
    const swapped = { path: `/desk/companies/${other}` };
    return { path: `/desk/companies/${companyId}`, fields: { item }, swapped };
  },
  "list csv": async () => ({
    path: "/desk/members?list=active",
    fields: { item: "active" },
    swapped: { fields: { item: "nonsense" } },
  }),
  "sign-up verification": async (site) => {
    await createNewcomer(site).enterDetails();
    site.clock.advance(2 * MINUTE_IN_MS);
    const swapped = { path: "/desk/members/1" };
    return { path: "/desk/sign-ups/1", swapped };
  },
  "access recovery": async () => {
    return { path: access, fields: { password: OPERATOR_PASSWORD } };
  },
  "access passkey-remove": async (site, { operator }) => {
    const passkey = { publicKey: "k", counter: 0, name: "A phone", createdAt: site.clock() };
    const other = await openDesk(site, "support", "other@desk.example");
    await site.db
      .insertInto("passkeys")
      .values([
        { ...passkey, id: "own", operatorId: operator.id },
        { ...passkey, id: "foreign", operatorId: other.operator.id },
      ])
      .execute();
    const swapped = { fields: { item: "foreign" } };
    return { path: access, fields: { item: "own" }, swapped };
  },
  "access sessions": async () => ({ path: access }),
  "operator add": async () => ({
    path: access,
    fields: { email: "new@desk.example", name: "Newton", role: "owner", password: OPERATOR_PASSWORD },
  }),
  "operator invite": aboutAnOperator(),
  "operator role": aboutAnOperator({ role: "owner" }),
  "operator remove": aboutAnOperator(),
  "mail resend": async (site) => {
    const [failed, sent] = [await addEmail(site, "failedAt"), await addEmail(site, "sentAt")];
    return { path: emails, fields: { item: failed }, swapped: { fields: { item: sent } } };
  },
  "mail acknowledge": async (site) => {
    const [failed, sent] = [await addEmail(site, "failedAt"), await addEmail(site, "sentAt")];
    const swapped = { fields: { item: sent } };
    return { path: emails, fields: { item: failed }, swapped };
  },
  "mail resend-all": async (site) => {
    await addEmail(site, "failedAt");
    return { path: emails };
  },
  "mail acknowledge-all": async (site) => {
    await addEmail(site, "failedAt");
    return { path: emails };
  },
  "webhook retry": async (site) => {
    const gateway = site.services.payments.webhookGateway.name;
    const event = { gateway, kind: "payment", subject: "pi_unknown", receivedAt: site.clock() };
    await site.db
      .insertInto("webhookEvents")
      .values([
        { ...event, eventId: "failed", attempts: 3 },
        { ...event, eventId: "new", attempts: 0 },
      ])
      .execute();
    const swapped = { fields: { item: `${gateway} new` } };
    return { path: "/desk/webhooks", fields: { item: `${gateway} failed` }, swapped };
  },
  "mail test": async () => ({ path: emails, fields: { email: "postmaster@dormouse.example" } }),
  "job run": async () => ({
    path: "/desk/jobs",
    fields: { item: "purge-expired" },
    swapped: { fields: { item: "sleep" } },
  }),
  "catalogue accept-empty": async () => ({ path: "/desk/catalogue" }),
  "catalogue refresh": async () => ({ path: "/desk/catalogue" }),
  "company create": async () => {
    const fields = { name: "Pillow Works", email: "hr@pillow.example", accounts: "50", price: "1500.00" };
    return { path: "/desk/companies", fields };
  },
  "company contract": async (site) => ({
    path: `/desk/companies/${await addCompany(site)}`,
    fields: { accounts: "60", price: "1800.00" },
    swapped: noCompany,
  }),
  "company details": async (site) => ({
    path: `/desk/companies/${await addCompany(site)}`,
    fields: { name: "Pillow Works Ltd", email: "office@pillow.example" },
    swapped: noCompany,
  }),
  "company link": async (site) => ({
    path: `/desk/companies/${await addCompany(site)}`,
    swapped: noCompany,
  }),
  "company invite": async (site) => ({
    path: `/desk/companies/${await addCompany(site)}`,
    fields: { email: "hr@pillow.example" },
    swapped: noCompany,
  }),
  "company remove-contact": async (site) => {
    const [id, other] = [await addCompany(site), await addCompany(site, "Quilt Works")];
    const [own = 0, foreign = 0] = [await invite(site, id), await invite(site, other)];
    const swapped = { fields: { item: String(foreign) } };
    const path = `/desk/companies/${id}`;
    return { path, fields: { item: String(own) }, swapped };
  },
  "gift send-again": (site) => sendGift(site),
  "gift change-address": async (site) => ({
    ...(await sendGift(site)),
    fields: { name: "Wren", email: "wren@there.example" },
  }),
  "gift end": (site) => sendGift(site),
  "gift dismiss": async (site) => {
    const sample = await sendGift(site);
    await site.db.updateTable("gifts").set({ question: "never-taken-up" }).execute();
    return sample;
  },
  "code create": async () => ({ path: "/desk/codes", fields: { seats: "20" } }),
  "code extend": async () => ({ ...demoCode, fields: { seats: "2000" } }),
  "code revoke": async () => ({ ...demoCode }),
  "code free-seat": async (site) => {
    const member = await site.services.accounts.findByEmail("team@dormouse.example");
    const fields = { item: String(member?.id) };
    return { path: "/desk/codes/DORMOUSE-FULL", fields, swapped: demoCode };
  },
};

/** Its email has gone out. */
async function sendGift(site: Site): Promise<Sample> {
  const { id } = await giveGift(site, { day: toDay(site.clock()) });
  await site.db.updateTable("gifts").set({ deliverAt: site.clock() }).where("id", "=", id).execute();
  await site.services.gifts.lookAfter();
  return { path: `/desk/gifts/${id}`, swapped: { path: "/desk/gifts/999" } };
}

const demoCode = { path: "/desk/codes/DORMOUSE-DEMO", swapped: { path: "/desk/codes/NOBODYS" } };
const noCompany = { path: "/desk/companies/999" };

async function addCompany({ services }: Site, name = "Pillow Works"): Promise<number> {
  const links = { returnUrl: services.site, exitUrl: services.site };
  const terms = { contactEmail: "boss@pillow.example", accounts: 50, priceInPence: 150_000 };
  const made = await services.companies.create({ name, ...terms }, links);
  if (!made.ok) throw new Error(made.reason);
  return made.company.id;
}

/** Returns the note's number. */
async function addNote({ services }: Site, about: NoteSubject): Promise<string> {
  const note = { about, text: "Rang us.", operator: "olive@desk.example" };
  const { id } = await services.transact((trx) => services.notes.add(note, trx));
  return String(id);
}

async function invite({ services }: Site, companyId: number): Promise<number | undefined> {
  const contact = { companyId, email: "hr@pillow.example", site: services.site };
  const invited = await services.transact((trx) => services.companyPage.invite(contact, trx));
  return invited.ok ? invited.contact.id : undefined;
}

type DeskAct = Act & { name: ActName; desk: DeskForm };

/** Every act that has a form. */
const all = actNames.flatMap((name): DeskAct[] => {
  const act: Act = acts[name];
  return act.desk ? [{ ...act, name, desk: act.desk }] : [];
});

function prepare({ name }: DeskAct, site: Site, desk: Desk): Promise<Sample> {
  const make = samples[name];
  if (!make) throw new Error(`The act ${name} has no sample`);
  return make(site, desk);
}

/** Without counts of attempts and the last use of sessions. */
async function readRows(site: Site) {
  const { rate_limits: _counts, operator_sessions: _sessions, ...rows } = await readEverything(site.database);
  return rows;
}

const openSiteFor = (engine: Engine = "sqlite") => openSite({}, { ...withoutContent, engine });

test("an act is refused to strangers, other sites, without a reason, too often, and late, when its form stays", async () => {
  await using site = await openSiteFor();
  const desk = await openDesk(site);
  const name = "member name";
  const { path, fields = {} } = await aboutAda({ firstName: "Ada", lastName: "Lovelace" })(site, desk);
  const before = await readRows(site);
  const form = { ...fields, intent: name, reason: REASON };
  const asStranger = await site.openBrowser().post(path, form);
  expect([asStranger.status, asStranger.location]).toEqual([303, path]);
  const forged = { Origin: "https://evil.example" };
  expect((await desk.browser.post(path, form, forged)).status).toBe(403);
  expect((await desk.browser.post(path, form, {})).status).toBe(403);
  expect((await desk.act(path, name, { ...fields, reason: " " })).status).toBe(400);
  for (let count = 0; count < 200; count += 1) await site.services.operators.countAct(desk.operator.id);
  const tooOften = await desk.act(path, name, fields);
  expect([tooOften.status, tooOften.headers.get("Retry-After")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  await site.db.deleteFrom("operatorSessions").execute();
  const { status, location } = await desk.act(path, name, fields);
  expect([status, location]).toEqual([303, path]);
  expect((await desk.get(path)).text).toContain("your form will be as you left it");
  expect(await readRows(site)).toEqual(before);
});

describe.each(all)("the act $name", (act) => {
  const { name, subject, item, audit } = act;
  const { role, ownReason } = act.desk;

  test.each([
    { engine: "sqlite" as const, hasScript: false },
    { engine: "postgres" as const, hasScript: true },
  ])(
    "is refused to strangers, a lower role and about another thing, and done with one line in the audit log: $engine, script $hasScript",
    async ({ engine, hasScript }) => {
      await using site = await openSiteFor(engine);
      const desk = await openDesk(site, role);
      const { path, fields, swapped } = await prepare(act, site, desk);
      const lower = role === "owner" ? await openDesk(site, "support", "lower@desk.example") : undefined;
      const before = await readRows(site);
      const asStranger = await site.openBrowser().post(path, { ...fields, intent: name, reason: REASON });
      expect([asStranger.status, asStranger.location]).toEqual([303, path]);
      const form = `name="intent" value="${name}"`;
      expect((await desk.get(path)).text).toContain(form);
      if (lower) {
        expect((await lower.get(path)).text).not.toContain(form);
        expect((await lower.act(path, name, fields)).status).toBe(403);
      }
      // About another screen's subject, or on the screen of a missing one.
      expect(swapped === undefined).toBe(item === undefined && (subject === "none" || subject === "self"));
      if (swapped) {
        const other = await desk.act(swapped.path ?? path, name, { ...fields, ...swapped.fields });
        expect(other.status, other.text).toBe(400);
      }
      // On another subject's screen.
      if (!["none", "self"].includes(subject)) {
        expect((await desk.act("/desk/webhooks", name, fields)).status).toBe(400);
      }
      expect(await readRows(site)).toEqual(before);

      const action = typeof audit === "string" ? name : audit.as;
      site.clock.advance(1);
      const last = (await site.services.audit.list(1))[0]?.id ?? 0;
      const { status, text } = await desk.act(hasScript ? toDataPath(path) : path, name, fields);
      const isShownOnce = shownOnce.has(name);
      expect(status, text).toBe(isShownOnce ? 200 : hasScript ? 202 : 303);
      const lines = (await site.services.audit.list(50)).filter(({ id }) => id > last);
      expect(lines.map((line) => [line.operator, line.action, line.reason])).toEqual([
        [desk.operator.email, action, ownReason ?? REASON],
      ]);
      const again = isShownOnce ? await openDesk(site, role, "reader@desk.example") : desk;
      const [, row = ""] = /<tbody>(.*?)<\/tr>/s.exec((await again.get("/desk/audit")).text) ?? [];
      expect(readWords(row)).not.toMatch(/\b(?:true|false|null|is[A-Z]\w*|\w+[a-z][A-Z]\w*|\d+T\d\d:\S+)\b|[{}[\]]/);
      if (!isShownOnce) expect(readWords(row)).toContain(actionText(action));
      expect(actionText(action)).not.toBe(action);
    },
  );
});

describe.each(all.filter(({ desk, predict }) => desk.isEnding === true || predict))(
  "the act $name, which asks first",
  (act) => {
    test("says what will happen, does nothing until that is agreed to, and asks again when something else would happen", async () => {
      await using site = await openSiteFor();
      const desk = await openDesk(site, act.desk.role);
      const { path, fields } = await prepare(act, site, desk);
      const before = await readRows(site);
      const form = { reason: REASON, ...fields, intent: act.name };
      for (const agreed of [undefined, "Something else."]) {
        const { status, text } = await desk.browser.post(path, { ...form, ...(agreed && { agreed }) });
        expect(status, text).toBe(200);
        expect(readWords(text)).toMatch(/What will happen [A-Z“£].*\./);
        expect(readWords(text)).toContain("Not now");
        expect(readQuestion(text)).toMatch(/^[A-Z“£].*\.$/);
      }
      expect(await readRows(site)).toEqual(before);
    });
  },
);

/** A word that opens the member's account, on the desk's pages or in others' emails. */
async function listLeaks(site: Site, pages: string[]): Promise<string[]> {
  await site.services.outbox.deliver();
  const others = site.emails.filter(({ to }) => to !== ada).map(({ text }) => text);
  const secrets = site.emails
    .filter(({ to }) => to === ada)
    .flatMap(({ text }) => text.match(/^\d{6}$|(?<=[?&](?:token|undo|reopen|answer|renew)=)\S+/gm) ?? []);
  return secrets.filter((secret) => [...others, ...pages].some((text) => text.includes(secret)));
}

/** Uses every code and link of emails that did not go to the member, at every door. */
async function tryEverything(site: Site, memberId: number): Promise<void> {
  const { profile, passwordReset, closure, signUp } = site.services;
  for (const { to, text } of site.emails.filter((email) => email.to !== ada)) {
    const [code = ""] = /^\d{6}$/m.exec(text) ?? [];
    for (const token of text.match(/(?<=[?&]\w+=)[\w.-]+/g) ?? []) {
      await profile.confirmEmailByLink(token);
      await profile.answerAddressChange({ token, isAgreed: true });
      await profile.undoEmail(token);
      await closure.reopen(token);
      await signUp.verifyByLink(token);
      await passwordReset.useLink(token);
    }
    await profile.confirmEmailByCode(memberId, code);
    for (const email of [ada, to]) await passwordReset.checkCode({ email, code, address: "203.0.113.9" });
  }
}

const screens = (path: string) => [path, "/desk", "/desk/emails?state=waiting", emails, "/desk/audit", access];

describe("no operator reads or acts as a member", () => {
  const readAda = async (site: Site, id: number) => {
    const rows = site.db.selectFrom("members").select(["email", "passwordHash", "firstName"]).where("id", "=", id);
    return { account: await rows.executeTakeFirst(), sessions: await site.services.sessions.list(id) };
  };

  test.each(all)("by the act $name, whatever follows within three days", async (act) => {
    await using site = await openSiteFor();
    const desk = await openDesk(site, "owner");
    const { path, fields } = await prepare(act, site, desk);
    const { id } = await findMember(site, ada);
    const before = await readAda(site, id);
    const answer = await desk.act(path, act.name, fields);
    const pages = await Promise.all(screens(path).map(async (screen) => (await desk.get(screen)).text));
    expect(await listLeaks(site, [answer.text, ...pages])).toEqual([]);
    await tryEverything(site, id);
    site.clock.advance(3 * 24 * 60 * MINUTE_IN_MS - 10 * MINUTE_IN_MS);
    await site.services.jobs.run("move-held-addresses");
    const { account, sessions } = await readAda(site, id);
    // The address of a closed account is free, and only a mailbox proves it.
    const changed = act.name === "member close" ? { email: `closed-${id}@closed.invalid` } : {};
    if (act.name === "member erase") expect([account, sessions]).toEqual([undefined, []]);
    else expect(account).toEqual({ ...before.account, ...changed });
    expect(sessions.length).toBeLessThanOrEqual(before.sessions.length);
  });

  test("docs/security.md says why of every act, once", () => {
    const rows = readTable(readDocument("docs/security.md"), "why it lets no operator be a member");
    const named = rows.flatMap(([, names = ""]) => listSpans(names));
    expect(named.toSorted()).toEqual(all.map(({ name }) => name).toSorted());
  });
});
