import { changeObject, putObject, type DemoStore } from "../adapters/demo/store.ts";
import { after, DAY_IN_MS, HOUR_IN_MS } from "../platform/clock.ts";
import type { Queries } from "../platform/database/database.ts";
import { shiftDay } from "../operations/figures/days.ts";
import { createAudit } from "../platform/audit/audit.ts";
import { authors } from "../platform/audit/labels.ts";
import { toDay } from "../platform/format.ts";
import { addMonths, monthBefore, toMonth } from "../platform/london-calendar.ts";
import { type Plan, plans } from "../money/membership/plans.ts";
import { toReceiptNumber } from "../money/payments/orders.ts";
import type { Services } from "../services.ts";
import { DEMO_PASSWORD } from "./demo-data.ts";

/* A demo's past, so that the desk and a company's page have data. Dates depend on the first start; the rest is
   always the same. Written as rows, because no module can act a year ago. */

const COMPANY = { name: "Bramble Foods", contactEmail: "contact@bramble.example", accounts: 60, priceInPence: 180_000 };

export const DEMO_CONTACT = COMPANY.contactEmail;

const payers = {
  disputed: { email: "cora@dormouse.example", firstName: "Cora", lastName: "Hale", plan: plans[3], paidDaysAgo: 40 },
  late: { email: "rafe@dormouse.example", firstName: "Rafe", lastName: "Olsen", plan: plans[2], paidDaysAgo: 20 },
};

type Payer = (typeof payers)[keyof typeof payers];

/**
 * Adds a company with a past year, half a year of figures, a failed email, a late refund, a disputed payment and a
 * closing account; nothing where the company exists.
 */
export async function addDemoHistory(services: Services): Promise<void> {
  const links = { returnUrl: services.site, exitUrl: services.site };
  const made = await services.companies.create(COMPANY, links);
  if (!made.ok) return;
  const { id: companyId } = made.company;
  const members = { disputed: await addPayer(services, "disputed"), late: await addPayer(services, "late") };
  await services.transact(async (trx) => {
    await ageCompany(services, { companyId, trx });
    await addFigures(services, trx);
    await addFailedEmail(services, trx);
    await disputeCharge(services, { ...members.disputed, trx });
    await failRefund(services, { ...members.late, trx });
  });
  await closeAccount(services);
}

type Company = { companyId: number; trx: Queries };

/** Its Direct Debit was collected a year and three weeks ago; each month's people are counted in fives. */
async function ageCompany(services: Services, { companyId, trx }: Company): Promise<void> {
  const { clock, companyPage, site } = services;
  const agreedAt = addMonths(after(clock(), -21 * DAY_IN_MS), -12);
  const createdAt = after(agreedAt, -7 * DAY_IN_MS);
  const store = { db: trx, clock: () => agreedAt };
  const mandateId = await agreeAtGateway(store, companyId);
  const live = { state: "live", mandateId, liveSince: agreedAt, createdAt } as const;
  await trx.updateTable("companies").set(live).where("id", "=", companyId).execute();
  for (const period of [0, 1]) {
    const dueAt = addMonths(agreedAt, 12 * period);
    const amountInPence = COMPANY.priceInPence;
    const paid = { companyId, amountInPence, state: "paid-out" };
    const body = { ...paid, mandateId, description: COMPANY.name };
    const { id: gatewayId } = await putObject({ ...store, clock: () => dueAt }, body, {
      kind: "dd",
      parent: mandateId,
    });
    const collection = { ...paid, period, gatewayId, dueAt, createdAt: dueAt, updatedAt: dueAt };
    await trx.insertInto("collections").values(collection).execute();
  }
  await seatStaff(services, { companyId, agreedAt, trx });
  let month = toMonth(clock());
  for (let ago = 1; ago <= 12; ago += 1) {
    month = monthBefore(month);
    const counted = { companyId, month, joined: ago % 2 === 0 ? 5 : 0, seatsTaken: 5 * Math.ceil((13 - ago) / 2) };
    await trx.insertInto("companyMonths").values(counted).execute();
  }
  await companyPage.invite({ companyId, email: COMPANY.contactEmail, site }, trx);
  // A contact of a year had these emails long ago.
  await trx.deleteFrom("emails").where("recipient", "=", COMPANY.contactEmail).execute();
}

async function agreeAtGateway(store: DemoStore, companyId: number): Promise<string> {
  const company = store.db.selectFrom("companies").select("billingRequestId").where("id", "=", companyId);
  const { billingRequestId: key } = await company.executeTakeFirstOrThrow();
  if (key === null) throw new Error(`Company ${companyId} has no billing request`);
  const mandate = { state: "active", accountEnding: "11" };
  const { id: mandateId } = await putObject(store, mandate, { kind: "mdt", key, parent: key });
  await changeObject(store, { kind: "brq", id: key }, () => ({ state: "fulfilled", mandateId }));
  return mandateId;
}

/** At the desk; the company sees thirty. */
const SEATS_TAKEN = 31;
const firstNames = ["Amir", "Beth", "Callum", "Dina", "Ewan", "Farah", "George", "Hana"];
const lastNames = ["Ashdown", "Birch", "Carver", "Doyle"];

/** Five people every second month, and one yesterday. */
async function seatStaff(
  { accounts, clock, membership }: Services,
  { companyId, agreedAt, trx }: Company & { agreedAt: Date },
): Promise<void> {
  const code = { startsAt: agreedAt, createdAt: agreedAt, seatsTaken: SEATS_TAKEN };
  const { id: codeId } = await trx
    .updateTable("codes")
    .set(code)
    .where("companyId", "=", companyId)
    .returning("id")
    .executeTakeFirstOrThrow();
  // A hash takes a tenth of a second, and all have the same password.
  const passwordHash = (await accounts.holdByEmail(payers.late.email, trx))?.passwordHash ?? "";
  for (let index = 0; index < SEATS_TAKEN; index += 1) {
    const firstName = firstNames[index % firstNames.length] ?? "";
    const lastName = lastNames[Math.floor(index / firstNames.length)] ?? "";
    const email = `${firstName}.${lastName}@bramble.example`.toLowerCase();
    const monthsAgo = 12 - 2 * Math.floor(index / 5);
    const takenAt = monthsAgo > 0 ? addMonths(clock(), -monthsAgo) : after(clock(), -DAY_IN_MS);
    const person = { email, firstName, lastName, accountType: "corporate", passwordHash, createdAt: takenAt } as const;
    const member = await accounts.admit(person, trx);
    if (!member) throw new Error(`${email} is registered already`);
    const memberId = member.id;
    await trx.insertInto("seats").values({ memberId, codeId, takenAt }).execute();
    await membership.grant({ memberId, planType: 3, startsAt: takenAt, endsAt: addMonths(agreedAt, 24) }, trx);
  }
}

/** Each span but the months has as many days before it, to compare with. */
const DAYS = 182;
const ROWS_AT_ONCE = 500;

/** Weekends are quieter, and each month has a few more. */
async function addFigures({ clock }: Services, trx: Queries): Promise<void> {
  const today = toDay(clock());
  const rows = Array.from({ length: DAYS }, (_, index) => listCounts(today, index + 1)).flat();
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await trx
      .insertInto("dailyCounts")
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
  }
}

function listCounts(today: string, ago: number) {
  const day = shiftDay(today, -ago);
  const weekday = new Date(day).getUTCDay();
  const busy =
    (weekday === 0 || weekday === 6 ? 1 : 2) + Math.floor((DAYS - ago) / 40) + ((ago * ago) % 7 === 2 ? 1 : 0);
  const values: Record<string, number> = {
    "sign-ups": busy,
    members: 90 + 2 * (DAYS - ago) - ((ago * ago) % 11),
    income: busy * plans[2].chargeInPence,
    refunds: ago % 19 === 0 ? plans[2].chargeInPence : 0,
    gifts: ago % 9 === 0 ? 1 : 0,
    "plays-watch": 9 * busy + (ago % 5),
    "plays-listen": 14 * busy + ((ago * 3) % 17),
    "plays-read": 21 * busy - (ago % 13),
    "plays-learn": 3 * busy + (ago % 3),
    searches: busy + (ago % 5),
  };
  return Object.entries(values).map(([measure, value]) => ({ day, measure, value }));
}

async function addFailedEmail({ outbox, clock }: Services, trx: Queries): Promise<void> {
  const key = "demo failed email";
  const mail = { subject: "Your membership ends soon", text: "Hello.\n", html: "<p>Hello.</p>" };
  await outbox.add({ key, kind: "renewal-reminder", to: "nobody@full.example", mail }, trx);
  const lastError = "452 4.2.2 The mailbox is full";
  const failed = { dueAt: null, attempts: 12, failedAt: after(clock(), -5 * HOUR_IN_MS), lastError };
  await trx.updateTable("emails").set(failed).where("key", "=", key).execute();
}

type Paid = { memberId: number; orderId: number; paymentId: number; amountInPence: number };

/** Paid by card, in our books and in those of the demo's gateway. */
async function addPayer(services: Services, name: keyof typeof payers): Promise<Paid> {
  const { accounts, clock, membership, site, transact } = services;
  const payer: Payer = payers[name];
  const { email, firstName, lastName, plan, paidDaysAgo } = payer;
  const person = { email, firstName, lastName };
  const member = await accounts.register({ ...person, accountType: "individual", password: DEMO_PASSWORD });
  if (!member) throw new Error(`${email} is registered already`);
  const { id: memberId } = member;
  const at = after(clock(), -paidDaysAgo * DAY_IN_MS);
  const endsAt = addMonths(at, plan.months);
  const times = { startsAt: at, endsAt, createdAt: at, updatedAt: at, paidAt: at, completedAt: at };
  const bought = { planType: plan.type, amountInPence: plan.chargeInPence, currency: "GBP", state: "completed" };
  return transact(async (trx) => {
    const { id: orderId } = await trx
      .insertInto("orders")
      .values({
        memberId,
        accountType: "individual",
        ...bought,
        ...person,
        postcode: "EX1 1AA",
        country: "GB",
        site,
        ...times,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await trx.updateTable("members").set({ createdAt: at }).where("id", "=", memberId).execute();
    const receiptNumber = toReceiptNumber(orderId, at);
    await trx.updateTable("orders").set({ receiptNumber }).where("id", "=", orderId).execute();
    await membership.grant({ memberId, planType: plan.type, startsAt: at, endsAt, orderId }, trx);
    const gatewayId = await chargeAtGateway({ trx, orderId, plan, site, at });
    const charge = { orderId, attempt: 1, page: "fields", gatewayId, amountInPence: plan.chargeInPence } as const;
    const { id: paymentId } = await trx
      .insertInto("payments")
      .values({ ...charge, state: "succeeded", cardLast4: "4242", createdAt: at, updatedAt: at })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { memberId, orderId, paymentId, amountInPence: plan.chargeInPence };
  });
}

type Charge = { trx: Queries; orderId: number; plan: Plan; site: string; at: Date };

async function chargeAtGateway({ trx, orderId, plan, site, at }: Charge): Promise<string> {
  const facts = { currency: "GBP", customerId: `cus_demo_${orderId}`, orderId, attempt: 1, description: plan.label };
  const body = { ...facts, state: "succeeded", amountInPence: plan.chargeInPence, page: "card", refundedInPence: 0 };
  const store = { db: trx, clock: () => at };
  const made = await putObject(
    store,
    { ...body, returnUrl: site, last4: "4242" },
    { kind: "pay", parent: String(orderId) },
  );
  return made.id;
}

type Written = Paid & { trx: Queries };

async function disputeCharge({ clock }: Services, { trx, ...paid }: Written): Promise<void> {
  const { memberId, orderId, paymentId, amountInPence } = paid;
  const at = after(clock(), -2 * DAY_IN_MS);
  const dispute = { gatewayId: "dp_demo_1", orderId, paymentId, state: "open", createdAt: at, updatedAt: at };
  await trx.insertInto("disputes").values(dispute).execute();
  const facts = { order: orderId, dispute: dispute.gatewayId, amountInPence, isEnded: false };
  const audit = createAudit({ db: trx, clock: () => at });
  await audit.record({ operator: authors.gateway, action: "dispute open", memberId, facts });
}

/** An operator refunded it, and the card's bank sent the money back. */
async function failRefund({ clock, membership }: Services, { trx, orderId, paymentId }: Written): Promise<void> {
  const failed = { state: "refund-failed", updatedAt: after(clock(), -2 * HOUR_IN_MS) };
  await trx.updateTable("orders").set(failed).where("id", "=", orderId).execute();
  await trx.updateTable("payments").set(failed).where("id", "=", paymentId).execute();
  await membership.revokeOrder(orderId, trx);
}

/** Its owner closed it, so it is erased in two weeks. */
async function closeAccount({ accounts, closure, site, transact }: Services): Promise<void> {
  const person = { email: "nell@dormouse.example", firstName: "Nell", lastName: "Bray" };
  const member = await accounts.register({ ...person, accountType: "individual", password: DEMO_PASSWORD });
  if (!member) return;
  await closure.close({ memberId: member.id, password: DEMO_PASSWORD, address: "127.0.0.1", site });
  await transact((trx) => trx.deleteFrom("emails").where("recipient", "=", person.email).execute());
}
