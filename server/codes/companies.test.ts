import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { createDemoDebit, type DemoDebit } from "../adapters/demo-debit.ts";
import { createDemoStore, signDemoNotice } from "../adapters/demo-store.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createCodes } from "./codes.ts";
import { createCompanies } from "./companies.ts";
import type { CompanyDetails } from "./company-rows.ts";
import type { CompanyLetters } from "./take-in.ts";

type Call = "createBillingRequest" | "openFlow" | "findBillingRequest" | "findMandate" | "collect" | "findDebit";

/** `before`: the gateway was never reached. `after`: it has done it, and its answer was lost. */
type Fault = { call: Call; when: "before" | "after"; companyId?: number };

/** The demo's gateway on a line that can be cut. */
function cutLine(gateway: DemoDebit, findFault: () => Fault | undefined): DemoDebit {
  return new Proxy(gateway, {
    get(target, name: keyof DemoDebit) {
      const value = target[name];
      const fault = findFault();
      if (typeof value !== "function" || fault?.call !== name) return value;
      return async (...inputs: unknown[]) => {
        if (fault.when === "after") await Reflect.apply(value, target, inputs);
        throw new Error(`No answer to ${name}`);
      };
    },
  });
}

type Options = { debitsBegin?: "pending"; tell?: CompanyLetters };

async function openHouse(engine: Engine, { debitsBegin, tell }: Options = {}) {
  const database = await openTestDatabase(engine);
  const { db } = database;
  const clock = createTestClock();
  const log = createQuietLog();
  const store = createDemoStore({ db, clock });
  const pageUrl = (path: string) => `https://dormouse.example/${path}`;
  const bank = createDemoDebit({ store, clock, secret: "secret", pageUrl, ...(debitsBegin && { debitsBegin }) });
  const line: { fault: Fault | undefined } = { fault: undefined };
  const gateway = cutLine(bank, () => line.fault);
  const codes = createCodes({ db, clock });
  const companies = createCompanies({ db, clock, gateway, codes, log, ...(tell && { tell }) });

  const find = async (name = "Acme"): Promise<CompanyDetails> => {
    const company = await companies.find(name);
    if (!company) throw new Error(`No company ${name}`);
    return company;
  };
  /** Brings the gateway's notices to the room, in an order of the test's choosing. */
  const deliver = async (arrange: (ids: string[]) => string[] = (ids) => ids): Promise<void> => {
    const waiting = new Map((await store.listNotices(1000)).map((notice) => [notice.id, notice]));
    for (const id of arrange([...waiting.keys()])) {
      const body = waiting.get(id)?.body ?? "";
      for (const notice of bank.readNotices(body, new Headers(signDemoNotice("secret", body))) ?? []) {
        await companies.handleNotice(notice);
      }
    }
    await store.markDelivered([...waiting.keys()]);
  };
  const agreeOn = (url: string) => bank.agree(url.split("/").at(-1) ?? "", account);
  /** A company that has agreed, and the house knows it. */
  const engage = async (wanted: Partial<typeof acme> = {}): Promise<CompanyDetails> => {
    const made = await companies.create({ ...acme, ...wanted }, links);
    if (!made.ok) throw new Error(made.reason);
    await agreeOn(made.authorisationUrl);
    await deliver();
    return find(made.company.name);
  };
  const agreeAgain = async (companyId: number) => {
    const flow = await companies.openFlow(companyId, links);
    if (!flow.ok) throw new Error(flow.reason);
    await agreeOn(flow.authorisationUrl);
  };
  /** Whether people may join. */
  const isOpen = async (code = "ACME-SLEEP") => (await codes.check(code)).isValid;
  const listDebits = () =>
    db.selectFrom("demo_objects").selectAll().where("kind", "=", "dd").orderBy("created_at").execute();
  const listRequests = () => db.selectFrom("demo_objects").select("id").where("kind", "=", "brq").execute();
  const things = { clock, log, store, bank, line, codes, companies };
  const deeds = { find, deliver, agreeOn, engage, agreeAgain, isOpen, listDebits, listRequests };
  return { ...database, ...things, ...deeds };
}

const acme = {
  name: "Acme",
  contactEmail: "people@acme.example",
  accounts: 50,
  priceInPence: 60_000,
  code: "ACME-SLEEP",
};
const links = { returnUrl: "https://dormouse.example/?agreed", exitUrl: "https://dormouse.example/?left" };
const account = { accountHolderName: "Acme Ltd", accountNumber: "55779911", sortCode: "20-00-00" };

const mandateOf = ({ mandateId }: CompanyDetails): string => mandateId ?? "";
const debitOf = ({ collections }: CompanyDetails): string => collections.at(-1)?.gatewayId ?? "";

describe.each(engines)("a new company on %s", (engine) => {
  test("gets a code for its accounts and a page to agree on; the code waits for that", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    expect(made).toMatchObject({
      ok: true,
      code: "ACME-SLEEP",
      company: { name: "Acme", accounts: 50, priceInPence: 60_000, state: "setting-up", collections: [] },
      authorisationUrl: expect.stringContaining("https://dormouse.example/demo-gateway/debit/brf_demo_"),
      expiresAt: after(house.clock(), 7 * DAY_IN_MS),
    });
    expect(await house.codes.find("ACME-SLEEP")).toMatchObject({ seats: 50, company: { name: "Acme" } });
    expect(await house.codes.check("ACME-SLEEP")).toMatchObject({ isValid: false, reason: "setting-up" });
  });

  test("gets a code that is made up when none is given", async () => {
    await using house = await openHouse(engine);
    expect(await house.companies.create({ ...acme, code: undefined }, links)).toMatchObject({
      ok: true,
      code: expect.stringMatching(/^DORMOUSE-\w{4}-\w{4}$/),
    });
  });

  test("is refused for its code or its figures, and nothing of it stays", async () => {
    await using house = await openHouse(engine);
    await house.codes.create({ code: "TAKEN-CODE", seats: 1 });
    for (const [reason, wrong] of [
      ["price-invalid", { priceInPence: 0 }],
      ["code-malformed", { code: "?" }],
      ["code-taken", { code: "Taken-Code" }],
    ] as const) {
      expect(await house.companies.create({ ...acme, ...wrong }, links)).toEqual({ ok: false, reason });
    }
    expect(await house.companies.list()).toEqual([]);
    expect(await house.codes.list()).toHaveLength(1);
    expect(await house.listRequests()).toEqual([]);
    expect(await house.companies.create(acme, links)).toMatchObject({ ok: true });
  });

  test("is there once, however its name is written and however many add it at once", async () => {
    await using house = await openHouse(engine);
    const names = ["Acme Sleep", "ACME SLEEP", " acme  sleep ", "Ａcme Sleep"];
    const made = await Promise.all(
      names.map((name) => house.companies.create({ ...acme, name, code: undefined }, links)),
    );
    expect(made.filter(({ ok }) => ok)).toHaveLength(1);
    expect(made.filter((each) => !each.ok && each.reason === "name-taken")).toHaveLength(3);
    expect(await house.codes.list()).toHaveLength(1);
    expect(await house.listRequests()).toHaveLength(1);
  });

  test.each<Fault>([
    { call: "createBillingRequest", when: "before" },
    { call: "createBillingRequest", when: "after" },
    { call: "openFlow", when: "before" },
    { call: "openFlow", when: "after" },
  ])("cut off at the gateway ($call, $when) goes on with one billing request (D1, D2)", async (fault) => {
    await using house = await openHouse(engine);
    house.line.fault = fault;
    await expect(house.companies.create(acme, links)).rejects.toThrow("No answer");
    const { id } = await house.find();
    await expect(house.companies.openFlow(id, links)).rejects.toThrow("No answer");
    house.line.fault = undefined;
    expect(await house.companies.create(acme, links)).toEqual({ ok: false, reason: "name-taken" });
    const flow = await house.companies.openFlow(id, links);
    expect(await house.listRequests()).toHaveLength(1);
    await house.agreeOn(flow.ok ? flow.authorisationUrl : "");
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live" });
  });

  test("may ask for its page again and again, also at once, and after the first one is too old", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    const { id, billingRequestId } = await house.find();
    const flows = await Promise.all([house.companies.openFlow(id, links), house.companies.openFlow(id, links)]);
    house.clock.advance(8 * DAY_IN_MS);
    flows.push(await house.companies.openFlow(id, links));
    const urls = [made, ...flows].map((each) => (each.ok ? each.authorisationUrl : ""));
    expect(new Set(urls).size).toBe(4);
    expect(await house.listRequests()).toEqual([{ id: billingRequestId }]);
    expect(await house.companies.openFlow(id + 1, links)).toEqual({ ok: false, reason: "unknown-company" });
  });

  test("that leaves the page without agreeing, or never comes, gets no access (D3)", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.bank.leave((made.ok ? made.authorisationUrl : "").split("/").at(-1) ?? "");
    await house.deliver();
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "setting-up", collections: [] });
    expect(await house.isOpen()).toBe(false);
  });
});

describe.each(engines)("a company that agrees on %s", (engine) => {
  test("is live as soon as the house hears of it: people may join, and the year is collected once", async () => {
    await using house = await openHouse(engine, { debitsBegin: "pending" });
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    // D4: back from the page before the house has heard.
    expect(await house.find()).toMatchObject({ state: "setting-up" });
    expect(await house.isOpen()).toBe(false);
    await house.deliver();
    expect(await house.find()).toMatchObject({
      state: "live",
      liveSince: house.clock(),
      mandateId: expect.stringMatching(/^mdt_demo_/),
      collections: [{ period: 0, amountInPence: 60_000, state: "pending", dueAt: house.clock() }],
    });
    expect(await house.isOpen()).toBe(true);
    const [debit, ...others] = await house.listDebits();
    expect(others).toEqual([]);
    expect(JSON.parse(debit?.body ?? "")).toMatchObject({
      amountInPence: 60_000,
      description: "Dormouse, 12 months, 50 accounts",
    });
    await house.bank.confirmDebit(debit?.id ?? "");
    await house.deliver();
    expect(await house.find()).toMatchObject({ collections: [{ state: "confirmed", gatewayId: debit?.id }] });
    expect(await house.companies.openFlow((await house.find()).id, links)).toEqual({
      ok: false,
      reason: "already-agreed",
    });
  });

  test("is found by upkeep when no notice ever comes (D3, D4)", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "confirmed" }] });
  });

  test("is collected from once, whatever notices come how often and in whatever order (D5, D11)", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    await house.deliver((ids) => [...ids, ...ids.toReversed(), ...ids]);
    await house.deliver((ids) => [...ids, ...ids]);
    expect(await house.listDebits()).toHaveLength(1);
    expect((await house.find()).collections).toHaveLength(1);
  });

  test("is collected from once when notices and upkeep of several processes meet", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    const { billingRequestId = "" } = await house.find();
    await Promise.all(
      Array.from({ length: 4 }, () => [
        house.companies.upkeep(),
        house.companies.handleNotice({ kind: "billing-request", subject: billingRequestId }),
      ]).flat(),
    );
    expect(await house.listDebits()).toHaveLength(1);
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ period: 0, state: "confirmed" }] });
    expect(house.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test.each<Fault>([
    { call: "findBillingRequest", when: "before" },
    { call: "findMandate", when: "after" },
    { call: "collect", when: "before" },
    { call: "collect", when: "after" },
    { call: "findDebit", when: "before" },
  ])("and is cut off at $call, $when: there is one debit in the end (D5)", async (fault) => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    house.line.fault = fault;
    await expect(house.deliver()).rejects.toThrow("No answer");
    await house.companies.upkeep();
    await house.companies.upkeep();
    house.line.fault = undefined;
    await house.companies.upkeep();
    expect(await house.listDebits()).toHaveLength(1);
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "confirmed" }] });
  });

  test("and whose mandate is replaced before the lost answer is asked for again still pays once", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    house.line.fault = { call: "collect", when: "after" };
    await house.companies.upkeep();
    house.line.fault = undefined;
    await house.bank.replaceMandate(mandateOf(await house.find()));
    await house.companies.upkeep();
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("and whose mandate fails at once was never live, and may agree anew", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    const { id, billingRequestId = "" } = await house.find();
    const request = await house.bank.findBillingRequest(billingRequestId);
    await house.bank.failMandate(request?.mandateId ?? "");
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "setting-up", collections: [] });
    await house.agreeAgain(id);
    expect(await house.listRequests()).toHaveLength(2);
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "confirmed" }] });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("is left alone by what is not about it", async () => {
    await using house = await openHouse(engine);
    const { mandateId = "" } = await house.engage();
    for (const kind of ["billing-request", "mandate", "debit", "other", "payout", "__proto__"]) {
      expect(await house.companies.handleNotice({ kind, subject: "xx_1" })).toBe(false);
    }
    expect(await house.companies.handleNotice({ kind: "other", subject: mandateId })).toBe(false);
  });

  test("keeps a notice for later when the gateway cannot be asked", async () => {
    await using house = await openHouse(engine);
    const { mandateId: subject = "" } = await house.engage();
    await house.bank.failMandate(subject);
    house.line.fault = { call: "findMandate", when: "before" };
    await expect(house.companies.handleNotice({ kind: "mandate", subject })).rejects.toThrow("No answer");
    expect(await house.find()).toMatchObject({ state: "live" });
    house.line.fault = undefined;
    expect(await house.companies.handleNotice({ kind: "mandate", subject })).toBe(true);
    expect(await house.find()).toMatchObject({ state: "grace" });
  });
});

describe.each(engines)("a company in trouble on %s", (engine) => {
  const GRACE = 14 * DAY_IN_MS;

  test.each(["failMandate", "suspendMandate", "failDebit", "chargeBack"] as const)(
    "(%s) has fourteen days of grace, once, and then its code stops by the date alone (D6, D9)",
    async (control) => {
      await using house = await openHouse(engine);
      const company = await house.engage();
      const subject = control.endsWith("Mandate") ? mandateOf(company) : debitOf(company);
      await house.bank[control](subject);
      await house.deliver();
      const graceEndsAt = after(house.clock(), GRACE);
      expect(await house.find()).toMatchObject({ state: "grace", graceEndsAt });
      house.clock.advance(GRACE / 2);
      await house.companies.handleNotice({ kind: control.endsWith("Mandate") ? "mandate" : "debit", subject });
      await house.companies.upkeep();
      expect(await house.find()).toMatchObject({ state: "grace", graceEndsAt });
      house.clock.advance(GRACE / 2 - 1);
      expect(await house.isOpen()).toBe(true);
      house.clock.advance(1);
      // No task has run.
      expect(await house.codes.check("ACME-SLEEP")).toMatchObject({ isValid: false, reason: "stopped" });
      expect((await house.companies.list())[0]).toMatchObject({ state: "stopped" });
      await house.companies.upkeep();
      const row = await house.db.selectFrom("companies").select("state").executeTakeFirst();
      expect(row?.state).toBe("stopped");
      expect(await house.listDebits()).toHaveLength(1);
    },
  );

  test("stops by upkeep even while the gateway cannot be asked", async () => {
    await using house = await openHouse(engine);
    await house.bank.failMandate(mandateOf(await house.engage()));
    await house.deliver();
    house.clock.advance(GRACE);
    house.line.fault = { call: "findMandate", when: "before" };
    await house.companies.upkeep();
    const row = await house.db.selectFrom("companies").select("state").executeTakeFirst();
    expect(row?.state).toBe("stopped");
  });

  test("is written to once, as part of what happened", async () => {
    const told: string[] = [];
    let isMailUp = false;
    const tell: CompanyLetters = {
      async onGrace(company, trx) {
        if (!isMailUp) throw new Error("no mail");
        const seen = await trx.selectFrom("companies").select("state").where("id", "=", company.id).executeTakeFirst();
        told.push(`${company.name} ${company.state} ${seen?.state} ${company.graceEndsAt?.toISOString()}`);
      },
    };
    await using house = await openHouse(engine, { tell });
    const company = await house.engage();
    await house.bank.failMandate(mandateOf(company));
    await expect(house.deliver()).rejects.toThrow("no mail");
    expect(await house.find()).toMatchObject({ state: "live", graceEndsAt: undefined });
    isMailUp = true;
    await house.companies.handleNotice({ kind: "mandate", subject: mandateOf(company) });
    await Promise.all([house.companies.upkeep(), house.deliver(), house.companies.upkeep()]);
    const end = after(house.clock(), GRACE).toISOString();
    expect(told).toEqual([`Acme grace grace ${end}`]);
  });

  test("is written to once when two processes hear of it, one slower than the other", async () => {
    const told: (string | undefined)[] = [];
    const tell = { onGrace: async ({ graceEndsAt }: CompanyDetails) => void told.push(graceEndsAt?.toISOString()) };
    await using house = await openHouse(engine, { tell });
    const { db, clock, codes, log, bank } = house;
    const company = await house.engage();
    await bank.suspendMandate(mandateOf(company));
    const notice = { kind: "mandate", subject: mandateOf(company) };
    const quick = createCompanies({ db, clock, gateway: bank, codes, log, tell });
    // It has asked, and before it can write down what it was told the other has done everything and time has gone by.
    const slowGateway: DemoDebit = {
      ...bank,
      async findMandate(id) {
        const mandate = await bank.findMandate(id);
        if (told.length === 0) await quick.handleNotice(notice);
        clock.advance(DAY_IN_MS);
        return mandate;
      },
    };
    const graceEndsAt = after(clock(), GRACE);
    await createCompanies({ db, clock, gateway: slowGateway, codes, log, tell }).handleNotice(notice);
    expect(told).toEqual([graceEndsAt.toISOString()]);
    expect(await house.find()).toMatchObject({ state: "grace", graceEndsAt });
  });

  test("and heard of by a process that was told the opposite a moment before ends in trouble all the same", async () => {
    await using house = await openHouse(engine);
    const { db, clock, codes, log, bank } = house;
    const company = await house.engage();
    const notice = { kind: "mandate", subject: mandateOf(company) };
    await bank.suspendMandate(mandateOf(company));
    await house.deliver();
    await bank.restoreMandate(mandateOf(company));
    let isFirst = true;
    const lateGateway: DemoDebit = {
      ...bank,
      async findMandate(id) {
        const mandate = await bank.findMandate(id);
        if (!isFirst) return mandate;
        isFirst = false;
        await bank.failMandate(id);
        await house.companies.handleNotice(notice);
        return mandate;
      },
    };
    await createCompanies({ db, clock, gateway: lateGateway, codes, log }).handleNotice(notice);
    expect(await house.find()).toMatchObject({ state: "grace" });
  });

  test("is live again as soon as its mandate is, and has its next grace in full", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    house.clock.advance(GRACE - DAY_IN_MS);
    await house.bank.restoreMandate(mandateOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live", graceEndsAt: undefined, liveSince: company.liveSince });
    house.clock.advance(2 * DAY_IN_MS);
    expect(await house.isOpen()).toBe(true);
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "grace", graceEndsAt: after(house.clock(), GRACE) });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("waits for its debit even when its mandate is back", async () => {
    await using house = await openHouse(engine, { debitsBegin: "pending" });
    const company = await house.engage();
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    await house.bank.restoreMandate(mandateOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "grace" });
    expect(await house.companies.openFlow(company.id, links)).toEqual({ ok: false, reason: "already-agreed" });
    await house.bank.confirmDebit(debitOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live" });
  });

  test.each(["failDebit", "chargeBack"] as const)(
    "(%s) is live again when the bank takes that back, in grace or after it, without a second debit (D8, D9)",
    async (control) => {
      await using house = await openHouse(engine);
      const company = await house.engage();
      for (const days of [1, 20]) {
        await house.bank[control](debitOf(company));
        await house.deliver();
        expect(await house.find()).toMatchObject({ state: "grace" });
        house.clock.advance(days * DAY_IN_MS);
        await house.bank.confirmDebit(debitOf(company));
        if (days === 1) await house.deliver();
        else await house.companies.upkeep();
        expect(await house.find()).toMatchObject({ state: "live", graceEndsAt: undefined });
        expect(await house.isOpen()).toBe(true);
      }
      expect(await house.listDebits()).toHaveLength(1);
    },
  );

  test("agrees anew: what was not paid is collected once more, under the new mandate, and makes it live when paid", async () => {
    await using house = await openHouse(engine, { debitsBegin: "pending" });
    const company = await house.engage();
    await house.bank.failDebit(debitOf(company));
    await house.bank.failMandate(mandateOf(company));
    await house.deliver();
    house.clock.advance(DAY_IN_MS);
    await house.agreeAgain(company.id);
    await house.deliver((ids) => [...ids, ...ids]);
    const anew = await house.find();
    expect(anew).toMatchObject({
      state: "grace",
      collections: [{ period: 0, state: "pending", dueAt: company.liveSince }],
    });
    expect(anew.mandateId).not.toBe(company.mandateId);
    expect((await house.listDebits()).map(({ parent }) => parent)).toEqual([company.mandateId, anew.mandateId]);
    // Late news of the first debit changes nothing any more.
    expect(await house.companies.handleNotice({ kind: "debit", subject: debitOf(company) })).toBe(false);
    await house.bank.confirmDebit(debitOf(anew));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live", graceEndsAt: undefined });
    expect(await house.listDebits()).toHaveLength(2);
  });

  test.each<Fault>([
    { call: "createBillingRequest", when: "after" },
    { call: "openFlow", when: "after" },
  ])("that agrees anew and is cut off at $call goes on with the same request", async (fault) => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.failMandate(mandateOf(company));
    await house.deliver();
    house.line.fault = fault;
    await expect(house.companies.openFlow(company.id, links)).rejects.toThrow("No answer");
    await expect(house.companies.openFlow(company.id, links)).rejects.toThrow("No answer");
    house.line.fault = undefined;
    await house.agreeAgain(company.id);
    expect(await house.listRequests()).toHaveLength(2);
    await house.deliver();
    // The year was paid already: nothing is collected for it again.
    expect(await house.find()).toMatchObject({ state: "live" });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test.each<Fault>([
    { call: "collect", when: "before" },
    { call: "collect", when: "after" },
    { call: "findDebit", when: "before" },
  ])("whose second debit is cut off at $call, $when has two in all", async (fault) => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.chargeBack(debitOf(company));
    await house.deliver();
    await house.agreeAgain(company.id);
    house.line.fault = fault;
    await expect(house.deliver()).rejects.toThrow("No answer");
    await house.companies.upkeep();
    house.line.fault = undefined;
    await Promise.all([house.companies.upkeep(), house.companies.upkeep()]);
    expect(await house.listDebits()).toHaveLength(2);
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "confirmed" }] });
  });

  test("whose debit the bank takes up again while it agrees anew pays once", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.failDebit(debitOf(company));
    await house.deliver();
    await house.agreeAgain(company.id);
    house.line.fault = { call: "collect", when: "before" };
    await house.companies.upkeep();
    await house.bank.confirmDebit(debitOf(company));
    house.line.fault = undefined;
    await house.companies.upkeep();
    expect(await house.listDebits()).toHaveLength(1);
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ gatewayId: debitOf(company) }] });
  });

  test("is not asked for the same year again because its bank has replaced the mandate", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    const nextId = await house.bank.replaceMandate(mandateOf(company));
    await house.bank.failDebit(debitOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "grace", mandateId: nextId });
    await house.bank.replaceMandate(nextId);
    await house.deliver();
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "grace", collections: [{ state: "failed" }] });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("that was stopped and pays again has a whole year from then on", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.failDebit(debitOf(company));
    await house.deliver();
    house.clock.advance(100 * DAY_IN_MS);
    await house.agreeAgain(company.id);
    await house.deliver();
    const back = await house.find();
    expect(back).toMatchObject({
      state: "live",
      liveSince: house.clock(),
      collections: [{ period: 0, dueAt: house.clock(), state: "confirmed" }],
    });
    house.clock.advance(364 * DAY_IN_MS);
    await house.companies.upkeep();
    expect(await house.listDebits()).toHaveLength(2);
    house.clock.advance(DAY_IN_MS);
    await house.companies.upkeep();
    expect(await house.listDebits()).toHaveLength(3);
  });

  test("is not asked for a further year, nor charged for the time it was stopped", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    for (let month = 0; month < 30; month += 1) {
      house.clock.advance(30 * DAY_IN_MS);
      await house.companies.upkeep();
    }
    expect(await house.listDebits()).toHaveLength(1);
    await house.bank.restoreMandate(mandateOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({
      state: "live",
      collections: [{ period: 0 }, { period: 1, dueAt: house.clock() }],
    });
    expect(await house.listDebits()).toHaveLength(2);
  });

  test("that fails to pay but keeps its mandate is not collected from while it is stopped", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.failDebit(debitOf(company));
    await house.deliver();
    house.clock.advance(500 * DAY_IN_MS);
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "stopped" });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("keeps its members' seats, and lets new ones in only when it is live again", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage({ accounts: 1 });
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    house.clock.advance(GRACE);
    const check = await house.db
      .transaction()
      .execute((trx) => house.codes.takeSeat({ code: "ACME-SLEEP", memberId: 1 }, trx));
    expect(check).toMatchObject({ isValid: false, reason: "stopped" });
    expect(await house.codes.find("ACME-SLEEP")).toMatchObject({ seatsTaken: 0, fault: "stopped" });
  });
});

describe.each(engines)("the years of a company on %s", (engine) => {
  test("are collected each on its day, once, under the mandate that counts then (D7)", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    house.clock.advance(365 * DAY_IN_MS - 1);
    await house.companies.upkeep();
    expect(await house.listDebits()).toHaveLength(1);
    const nextId = await house.bank.replaceMandate(mandateOf(company));
    house.clock.advance(1);
    await Promise.all([house.companies.upkeep(), house.companies.upkeep(), house.deliver()]);
    await house.companies.upkeep();
    const debits = await house.listDebits();
    expect(debits.map(({ parent }) => parent)).toEqual([company.mandateId, nextId]);
    expect(await house.find()).toMatchObject({
      mandateId: nextId,
      state: "live",
      collections: [{ period: 0 }, { period: 1, dueAt: new Date("2027-11-20T03:00:00.000Z"), state: "confirmed" }],
    });
  });

  test("follow a mandate that was replaced twice, and never go back to the first", async () => {
    await using house = await openHouse(engine);
    const { mandateId: firstId = "", billingRequestId = "" } = await house.engage();
    const secondId = await house.bank.replaceMandate(firstId);
    await house.deliver();
    expect(await house.find()).toMatchObject({ mandateId: secondId, state: "live" });
    const thirdId = await house.bank.replaceMandate(secondId);
    await house.deliver((ids) => ids.toReversed());
    await house.companies.handleNotice({ kind: "billing-request", subject: billingRequestId });
    expect(await house.find()).toMatchObject({ mandateId: thirdId, state: "live" });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("that nobody looked after are made up for, each once", async () => {
    await using house = await openHouse(engine);
    await house.engage();
    house.clock.advance(3 * 366 * DAY_IN_MS);
    await house.companies.upkeep();
    expect((await house.find()).collections.map(({ period, state }) => [period, state])).toEqual([
      [0, "confirmed"],
      [1, "confirmed"],
      [2, "confirmed"],
      [3, "confirmed"],
    ]);
    expect(await house.listDebits()).toHaveLength(4);
  });

  test("end without a debit when the mandate has died unheard", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.db.updateTable("collections").set({ state: "paid-out" }).execute();
    await house.bank.failMandate(mandateOf(company));
    house.clock.advance(366 * DAY_IN_MS);
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "grace", collections: [{ period: 0 }] });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("a debit of an earlier year that is charged back is trouble too", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    house.clock.advance(366 * DAY_IN_MS);
    await house.companies.upkeep();
    await house.db.updateTable("collections").set({ state: "paid-out" }).execute();
    await house.bank.chargeBack(debitOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "grace", collections: [{ state: "charged-back" }, {}] });
  });
});

describe.each(engines)("looking after companies on %s", (engine) => {
  test("one that cannot be looked after does not keep the others from it", async () => {
    await using house = await openHouse(engine);
    const lost = await house.engage({ name: "Lost Ltd", code: "LOST-LTD" });
    await house.db.updateTable("companies").set({ mandate_id: "mdt_elsewhere" }).execute();
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "live" });
    expect(await house.find("Lost Ltd")).toMatchObject({ state: "live", mandateId: "mdt_elsewhere" });
    const errors = house.log.lines.filter(({ level }) => level === "error");
    expect(errors).toHaveLength(1);
    expect(errors[0]?.facts).toMatchObject({ company: lost.id });
    expect(JSON.stringify(house.log.lines)).not.toMatch(/acme|lost/i);
  });

  test("one whose trouble is over is found, although nothing of it is unsettled", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.deliver();
    await house.db.updateTable("collections").set({ state: "paid-out" }).execute();
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    await house.bank.restoreMandate(mandateOf(company));
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "live" });
  });

  test("costs nothing for companies that are settled", async () => {
    await using house = await openHouse(engine);
    await house.engage();
    await house.db.updateTable("collections").set({ state: "paid-out" }).execute();
    house.line.fault = { call: "findMandate", when: "before" };
    house.clock.advance(300 * DAY_IN_MS);
    await house.companies.upkeep();
    expect(house.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("companies are listed by name, and found by name in any case or by number", async () => {
    await using house = await openHouse(engine);
    const zebra = await house.engage({ name: "Zebra & Söhne", code: "ZEBRA" });
    const first = await house.engage({ name: "aardvark", code: "AARD" });
    const seven = await house.engage({ name: `${zebra.id}`, code: "NUMBER" });
    const listed = await house.companies.list();
    expect(listed.map(({ name, code, seatsTaken }) => [name, code, seatsTaken])).toEqual([
      [`${zebra.id}`, "NUMBER", 0],
      ["aardvark", "AARD", 0],
      ["Zebra & Söhne", "ZEBRA", 0],
    ]);
    expect((await house.companies.find(" ZEBRA &  söhne"))?.id).toBe(zebra.id);
    expect((await house.companies.find(String(first.id)))?.id).toBe(first.id);
    expect((await house.companies.find(String(zebra.id)))?.id).toBe(seven.id);
    for (const name of ["nobody", "", "999", "9".repeat(30), "-1", "1; drop table companies"]) {
      expect(await house.companies.find(name)).toBeUndefined();
    }
  });

  test("a code that is given to a company later stands beside its own, and stops with it", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.codes.create({ code: "ACME-EXTRA", seats: 3, companyId: company.id });
    expect(await house.find()).toMatchObject({ code: "ACME-SLEEP" });
    expect(await house.isOpen("ACME-EXTRA")).toBe(true);
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    house.clock.advance(14 * DAY_IN_MS);
    expect(await house.isOpen("ACME-EXTRA")).toBe(false);
  });
});

type House = Awaited<ReturnType<typeof openHouse>>;

/** What may happen to a company, at the bank, on the line, in the house and in the calendar. */
const happening = fc.oneof(
  fc.record({ what: fc.constant("agree" as const) }),
  fc.record({
    what: fc.constant("mandate" as const),
    control: fc.constantFrom("failMandate", "suspendMandate", "restoreMandate", "replaceMandate"),
  }),
  fc.record({
    what: fc.constant("debit" as const),
    control: fc.constantFrom("failDebit", "chargeBack", "confirmDebit"),
    period: fc.nat(2),
  }),
  fc.record({ what: fc.constant("wait" as const), days: fc.constantFrom(0.5, 5, 13, 15, 200, 366) }),
  fc.record({ what: fc.constant("deliver" as const), order: fc.constantFrom("plain", "reversed", "twice", "lost") }),
  fc.record({ what: fc.constant("upkeep" as const) }),
  fc.record({
    what: fc.constant("line" as const),
    fault: fc.option(
      fc.record({
        call: fc.constantFrom<Call[]>(
          "createBillingRequest",
          "openFlow",
          "findBillingRequest",
          "findMandate",
          "collect",
          "findDebit",
        ),
        when: fc.constantFrom<Fault["when"][]>("before", "after"),
      }),
      { nil: undefined },
    ),
  }),
);

type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

const arrangements = {
  plain: (ids: string[]) => ids,
  reversed: (ids: string[]) => ids.toReversed(),
  twice: (ids: string[]) => [...ids, ...ids],
  lost: () => [],
};

type DebitSeen = { id: string; period: string; mandate: string; state: string };

async function listDebitsOf(house: House): Promise<DebitSeen[]> {
  return (await house.listDebits()).map(({ id, idempotency_key: key, parent, body }) => ({
    id,
    period: /:dd:(\d+)/.exec(key ?? "")?.[1] ?? "",
    mandate: parent ?? "",
    state: (JSON.parse(body) as { state: string }).state,
  }));
}

const isLost = ({ state }: { state: string }) => ["failed", "charged-back", "cancelled"].includes(state);

async function happen(house: House, event: Happening): Promise<void> {
  house.clock.advance(1);
  const company = await house.find();
  switch (event.what) {
    case "agree": {
      const flow = await house.companies.openFlow(company.id, links);
      if (flow.ok) await house.agreeOn(flow.authorisationUrl);
      return;
    }
    case "mandate": {
      if (!company.mandateId) return;
      const mandate = await house.bank.findMandate(company.mandateId);
      // What was replaced has no further fate of its own.
      if (mandate?.state !== "replaced") await house.bank[event.control](company.mandateId);
      return;
    }
    case "debit": {
      // One that another has been made for is over, at a bank too.
      const debit = (await listDebitsOf(house)).findLast(({ period }) => period === String(event.period));
      if (debit) await house.bank[event.control](debit.id);
      return;
    }
    case "wait":
      house.clock.advance(event.days * DAY_IN_MS);
      return;
    case "deliver":
      await house.deliver(arrangements[event.order]);
      return;
    case "upkeep":
      await house.companies.upkeep();
      return;
    case "line":
      house.line.fault = event.fault;
  }
}

/** What must hold after everything that happens. */
async function checkMoney(house: House, before: CompanyDetails): Promise<CompanyDetails> {
  const company = await house.find();
  const debits = await listDebitsOf(house);
  for (const period of new Set(debits.map((debit) => debit.period))) {
    const ofPeriod = debits.filter((debit) => debit.period === period);
    // One year is never paid twice, and one mandate never asked twice for it.
    expect(ofPeriod.filter((debit) => !isLost(debit)).length).toBeLessThanOrEqual(1);
    expect(new Set(ofPeriod.map(({ mandate }) => mandate)).size).toBe(ofPeriod.length);
  }
  // Nothing is collected that is not written down, and no year before it has begun.
  expect(new Set(debits.map(({ period }) => period)).size).toBeLessThanOrEqual(company.collections.length);
  for (const { dueAt } of company.collections) expect(dueAt <= house.clock()).toBe(true);

  expect(await house.isOpen()).toBe(company.state === "live" || company.state === "grace");
  if (before.state !== "setting-up") expect(company.state).not.toBe("setting-up");
  if (before.state === "grace" && company.state === "grace") expect(company.graceEndsAt).toEqual(before.graceEndsAt);
  if (before.state === "live") expect(company.state).not.toBe("stopped");
  return company;
}

describe.each(engines)("whatever happens to a company on %s", (engine) => {
  test("no year is paid twice, and in the end the house and the bank agree", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 40, size: "max" }), async (events) => {
        await using house = await openHouse(engine);
        await house.companies.create(acme, links);
        let company = await house.find();
        for (const event of [{ what: "agree" } as const, ...events]) {
          await happen(house, event).catch((error: unknown) => expect(String(error)).toContain("No answer"));
          company = await checkMoney(house, company);
        }

        house.line.fault = undefined;
        await house.companies.upkeep();
        const settled = await checkMoney(house, company);
        const mandate = settled.mandateId && (await house.bank.findMandate(settled.mandateId));
        const isGood = mandate && mandate.state === "active" && !settled.collections.some(isLost);
        if (isGood) expect(settled.state).toBe("live");
        else expect(settled.state).not.toBe("live");
        const debits = await listDebitsOf(house);
        for (const { gatewayId, state } of settled.collections) {
          const seen = debits.find(({ id }) => id === gatewayId) ?? { state: "due" };
          if (state === "again") expect(isLost(seen)).toBe(true);
          else expect(seen.state).toBe(state);
        }
        // And there it rests.
        await house.deliver();
        await house.companies.upkeep();
        expect(await house.find()).toEqual(settled);
      }),
      { numRuns: engine === "sqlite" ? 150 : 8 },
    );
  });
});
