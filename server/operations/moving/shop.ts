import { cleanEmail, isEmail, toEmailKey } from "../../platform/email-address.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { type Plan, plans } from "../../money/membership/plans.ts";
import { toCodeKey } from "../../money/companies/labels.ts";
import { giveWay } from "../../platform/turns.ts";
import type { ForeignMember, ForeignTerm } from "./member-line.ts";

/** A shop to import members from: its customers, orders and coupons. */
export type Shop = {
  readCustomers(): AsyncIterable<ShopCustomer>;
  /** Paid orders of one product that were not refunded. */
  readOrders(productId: number): AsyncIterable<ShopOrder>;
  /** Whether the shop renews: its subscriptions then have the paid ends. */
  hasSubscriptions(): Promise<boolean>;
  readSubscriptions(productId: number): AsyncIterable<ShopSubscription>;
  readCoupons(): AsyncIterable<ShopCoupon>;
};

export type ShopAccess = { url: string; key: string; secret: string };

/** For operators, without the keys. `code`: the shop's own error code. */
export class ShopFault extends Error {
  override name = "ShopFault";
  readonly code: string;
  constructor(message: string, { code = "", ...options }: ErrorOptions & { code?: string } = {}) {
    super(message, options);
    this.code = code;
  }
}

export type ShopCustomer = {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  role: string;
  joinedAt: Date | undefined;
};

type Purchase = {
  id: number;
  /** 0 for a guest. */
  customerId: number;
  /** A coupon paid for all of it. */
  isFree: boolean;
  email: string;
  firstName: string;
  lastName: string;
  /** `ids`: of a line's variation and product. */
  lines: { ids: number[]; quantity: number }[];
  codes: string[];
  /** The share of a membership is unclear: a partly refunded order, a subscription of several. */
  isUnclear: boolean;
};

export type ShopOrder = Purchase & { paidAt: Date | undefined };

export type ShopSubscription = Purchase & {
  status: string;
  startsAt: Date | undefined;
  nextPaymentAt: Date | undefined;
  lastPaymentAt: Date | undefined;
  endsAt: Date | undefined;
};

export type ShopCoupon = { code: string; used: number; limit: number | undefined; expiresAt: Date | undefined };

export type ShopReading = {
  productId: number;
  findPlan: (variationId: number) => Plan | undefined;
  /** By key of the address (`toEmailKey`): the shop does not give them. */
  hashes: Map<string, string>;
  /** Includes customers who never had a membership. */
  isEveryone: boolean;
  now: Date;
};

export type ShopHarvest = {
  from: "subscriptions" | "orders";
  customers: number;
  withoutTerm: number;
  /** Purchases without a plan, an address or a day. */
  leftOut: number;
  /** Purchases with an unclear share, read as orders without a refund and as subscriptions of one. */
  unclear: number;
  /** One entry a term, the newest of a member first. */
  members: ForeignMember[];
  /** Coupons by which members joined, with the number of their running terms. */
  coupons: (ShopCoupon & { running: number })[];
};

type Gathered = Pick<ForeignMember, "email" | "firstName" | "lastName" | "joinedAt"> & { terms: GatheredTerm[] };
type GatheredTerm = ForeignTerm & { code: string | undefined };

/** Roles of customers; operators of the shop are no members. */
const buyers = new Set(["customer", "subscriber"]);

/** In memory: some hundred bytes a member. */
export async function readShop(shop: Shop, reading: ShopReading): Promise<ShopHarvest> {
  const customers = new Map<number, ShopCustomer>();
  for await (const customer of shop.readCustomers()) customers.set(customer.id, customer);
  const people = new Map<string, Gathered>();
  const from = (await shop.hasSubscriptions()) ? "subscriptions" : "orders";
  const bought = from === "subscriptions" ? readSubscribed(shop, reading) : readOrdered(shop, reading);
  let [leftOut, unclear] = [0, 0];
  for await (const { purchase, terms } of bought) {
    await giveWay();
    const customer = customers.get(purchase.customerId);
    const person = terms.length > 0 ? findPerson(people, { purchase, customer }) : undefined;
    person?.terms.push(...terms);
    if (!person) leftOut += 1;
    else if (purchase.isUnclear) unclear += 1;
  }
  if (from === "orders") for (const { terms } of people.values()) chainTerms(terms);
  const buyersAlone = [...customers.values()].filter(({ role, email }) => buyers.has(role) && isEmail(email));
  const without = buyersAlone.filter(({ email }) => !people.has(toEmailKey(email)));
  const members = [...people.values()].flatMap((person) => toMembers(person, reading.hashes));
  if (reading.isEveryone) {
    members.push(...without.flatMap((customer) => toMembers({ ...customer, terms: [] }, reading.hashes)));
  }
  const coupons = await countCoupons(shop, { members, now: reading.now });
  // An ended coupon takes no more members; those that it has keep their terms.
  const isOver = new Set(coupons.filter((each) => isExpired(each, reading.now)).map(({ code }) => toCodeKey(code)));
  for (const member of members) {
    if (member.code !== undefined && isOver.has(toCodeKey(member.code))) member.code = undefined;
  }
  return { from, customers: customers.size, withoutTerm: without.length, leftOut, unclear, members, coupons };
}

export function isExpired({ expiresAt }: ShopCoupon, now: Date): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

type Bought = { purchase: Purchase; terms: GatheredTerm[] };

async function* readOrdered(shop: Shop, { productId, findPlan }: ShopReading): AsyncGenerator<Bought, void, undefined> {
  for await (const order of shop.readOrders(productId)) {
    const { paidAt } = order;
    const toTerm = ({ type, months }: Plan, startsAt: Date) => ({
      planType: type,
      startsAt,
      endsAt: addMonths(startsAt, months),
      code: findCode(order),
    });
    const terms = paidAt ? listBoughtPlans(order, findPlan).map((plan) => toTerm(plan, paidAt)) : [];
    yield { purchase: order, terms };
  }
}

/** The paid end of a subscription, by its state; others never began. */
async function* readSubscribed(
  shop: Shop,
  { productId, findPlan }: ShopReading,
): AsyncGenerator<Bought, void, undefined> {
  for await (const each of shop.readSubscriptions(productId)) {
    const [plan] = listBoughtPlans(each, findPlan);
    const { status, startsAt, nextPaymentAt, lastPaymentAt, endsAt: end } = each;
    const paidUntil =
      plan && (lastPaymentAt ?? startsAt) && addMonths(lastPaymentAt ?? startsAt ?? new Date(0), plan.months);
    const ends: Record<string, Date | undefined> = {
      active: nextPaymentAt ?? end ?? paidUntil,
      "pending-cancel": end ?? nextPaymentAt ?? paidUntil,
      "on-hold": paidUntil,
      cancelled: end ?? paidUntil,
      expired: end ?? paidUntil,
    };
    const endsAt = Object.hasOwn(ends, status) ? ends[status] : undefined;
    const isWhole = plan && startsAt && endsAt && startsAt < endsAt;
    yield {
      purchase: each,
      terms: isWhole ? [{ planType: plan.type, startsAt, endsAt, code: findCode(each) }] : [],
    };
  }
}

/** An order of more terms is not a member's own. */
const MAX_TERMS = 60;

/** One for each piece: two of a month are two months. */
function listBoughtPlans({ lines }: Purchase, findPlan: ShopReading["findPlan"]): Plan[] {
  const bought = lines.flatMap(({ ids, quantity }) => {
    const plan = ids.map(findPlan).find((each) => each !== undefined);
    return plan && quantity > 0 ? Array<Plan>(Math.min(quantity, MAX_TERMS + 1)).fill(plan) : [];
  });
  return bought.length > MAX_TERMS ? [] : bought;
}

/** The coupon that paid for everything: any other was a discount. */
function findCode({ isFree, codes }: Purchase): string | undefined {
  return isFree ? codes[0]?.toUpperCase() : undefined;
}

function findPerson(
  people: Map<string, Gathered>,
  { purchase, customer }: { purchase: Purchase; customer: ShopCustomer | undefined },
): Gathered | undefined {
  const email = cleanEmail(customer?.email || purchase.email);
  if (!isEmail(email)) return undefined;
  const key = toEmailKey(email);
  const known = people.get(key);
  if (known) return known;
  const firstName = customer?.firstName || purchase.firstName;
  const lastName = customer?.lastName || purchase.lastName;
  const person: Gathered = { email, firstName, lastName, joinedAt: customer?.joinedAt, terms: [] };
  people.set(key, person);
  return person;
}

/** A term paid before the end of another begins at that end, as here. */
function chainTerms(terms: GatheredTerm[]): void {
  terms.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  let free = new Date(0);
  for (const term of terms) {
    if (term.startsAt < free) {
      term.startsAt = free;
      term.endsAt = addMonths(free, plans[term.planType].months);
    }
    free = term.endsAt;
  }
}

function toMembers({ terms, ...person }: Gathered, hashes: Map<string, string>): ForeignMember[] {
  const { email, firstName, lastName, joinedAt } = person;
  const passwordHash = hashes.get(toEmailKey(email));
  const base = { email, firstName, lastName, joinedAt, passwordHash, favourites: [] };
  const newestFirst = terms.toSorted((a, b) => b.endsAt.getTime() - a.endsAt.getTime());
  const isCorporate = newestFirst[0]?.code !== undefined;
  const accountType = isCorporate ? ("corporate" as const) : ("individual" as const);
  const toMember = (term: ForeignTerm | undefined, code: string | undefined) => ({ ...base, accountType, term, code });
  if (newestFirst.length === 0) return [toMember(undefined, undefined)];
  return newestFirst.map(({ planType, startsAt, endsAt, code }, place) =>
    toMember({ planType, startsAt, endsAt }, place === 0 ? code : undefined),
  );
}

async function countCoupons(
  shop: Shop,
  { members, now }: { members: ForeignMember[]; now: Date },
): Promise<ShopHarvest["coupons"]> {
  const running = new Map<string, number>();
  for (const { code, term } of members) {
    if (code === undefined) continue;
    const key = toCodeKey(code) ?? code;
    running.set(key, (running.get(key) ?? 0) + (term && term.endsAt > now ? 1 : 0));
  }
  const coupons: ShopHarvest["coupons"] = [];
  if (running.size === 0) return coupons;
  for await (const coupon of shop.readCoupons()) {
    const count = running.get(toCodeKey(coupon.code) ?? coupon.code);
    if (count !== undefined) coupons.push({ ...coupon, code: coupon.code.toUpperCase(), running: count });
  }
  return coupons;
}
