import { toCodeKey } from "./code-text.ts";

/** Without `startsAt` it works at once, without `endsAt` for good, without `products` for what members buy. */
export type NewCode = {
  /** Made up when none is given. */
  code?: string | undefined;
  /** None is a code that lets nobody in. */
  seats: number;
  startsAt?: Date | undefined;
  endsAt?: Date | undefined;
  products?: number[] | undefined;
  companyId?: number | undefined;
};

export type NewCodeRefusal =
  | "code-malformed"
  | "code-taken"
  | "seats-invalid"
  | "dates-invalid"
  | "products-invalid"
  | "company-unknown";

const MAX_SEATS = 1_000_000;
const MAX_PRODUCTS = 50;

/** What can be refused of a new code without asking anybody. */
export function refuseNewCode(
  { code, seats, startsAt, endsAt, products }: NewCode,
  now: Date,
): NewCodeRefusal | undefined {
  if (code !== undefined && toCodeKey(code) === undefined) return "code-malformed";
  if (!Number.isInteger(seats) || seats < 0 || seats > MAX_SEATS) return "seats-invalid";
  if (!areInOrder(startsAt ?? now, endsAt)) return "dates-invalid";
  return products && !areProducts(products) ? "products-invalid" : undefined;
}

function areInOrder(startsAt: Date, endsAt: Date | undefined): boolean {
  if (Number.isNaN(startsAt.getTime())) return false;
  return endsAt === undefined || startsAt < endsAt;
}

function areProducts(products: number[]): boolean {
  const isListed = products.length > 0 && products.length <= MAX_PRODUCTS && new Set(products).size === products.length;
  return isListed && products.every((product) => Number.isSafeInteger(product) && product > 0);
}
