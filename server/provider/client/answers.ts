import { z } from "zod";

import { readSubscriptionStatus, readUser } from "../wire-people.ts";
import type { CallName } from "../wire.ts";

/**
 * What is read of a provider's answers: no more than section 7 of the spec names, so that any provider will do, and what our own
 * API tells beyond it where it is told. Fields that are not known are let go.
 */

/** Printable, so that it can stand in a header: signed tokens have a thousand emails and more. */
const token = z.string().regex(/^[\x21-\x7e]{1,4096}$/);

const jwtToken = z.union([
  z.looseObject({ jwt_token: token }).transform(({ jwt_token }) => jwt_token),
  z.looseObject({ data: z.looseObject({ jwt_token: token }) }).transform(({ data }) => data.jwt_token),
]);

const told = z.string().nullish().catch(undefined);
const anything = z.unknown();

const profile = z
  .object({
    first_name: told,
    last_name: told,
    email: told,
    /** Ours: a new address that waits for its proof. */
    pending_email: told,
  })
  .refine(({ first_name, email }) => typeof first_name === "string" || typeof email === "string");

/** A word or two that says how it went; what it has to mean is ours to say. */
const orderStatus = told;

const placedOrder = z.object({
  id: z.coerce.number().int().optional().catch(undefined),
  status: orderStatus,
  order: z.object({ status: orderStatus, payment_url: told }).nullish().catch(undefined),
});

const intent = z.object({ clientSecret: told, paymentId: z.string().min(1), status: told, nextActionUrl: told });

const method = z.object({
  paymentMethodId: told,
  cardFields: z
    .object({ kind: z.enum(["demo", "none", "stripe"]), publishableKey: told })
    .nullish()
    .catch(undefined),
});

const billingRequest = z.object({ authorisation_url: z.string(), billing_requests_id: told, expires_at: told });

const id = z.union([
  z.int().min(1),
  z
    .string()
    .regex(/^[1-9]\d{0,9}$/)
    .transform(Number),
]);
const ids = z.array(id).catch([]);

const keptItem = z
  .object({ id: id.optional().catch(undefined), saved_at: told })
  .catch({ id: undefined, saved_at: undefined });

/** A map by number, or a list where a language makes no difference. */
const kept = z
  .union([
    z.record(z.string(), keptItem).transform((map) => Object.entries(map)),
    z.array(keptItem).transform((list) => list.map((item) => ["", item] as const)),
  ])
  .transform((items) =>
    items.flatMap(([key, item]) => {
      const number = item.id ?? id.safeParse(key).data;
      return number === undefined ? [] : [{ id: number, savedAt: toInstant(item.saved_at) }];
    }),
  );
const none = { videos: [], post: [], tutorials: [] };

const faves = z.object({
  videos: kept.default([]),
  post: kept.default([]),
  tutorials: kept.default([]),
  /** Ours: what was kept and is no longer there. */
  withdrawn: z.object({ videos: ids, post: ids, tutorials: ids }).default(none).catch(none),
});

/** A member as a list of one has them. */
const person = z.object({
  first_name: told,
  last_name: told,
  email: told,
  avatar_url: told,
  subscription_ends_at: told,
});

export const answers = {
  fetchCustomers: z.array(z.looseObject({ username: z.string() })),
  createUser: readUser,
  usersignup: readUser,
  grabuserid: readUser,
  grabtoken: jwtToken,
  login: readUser,
  getcurrentuser: z.tuple([person]).rest(z.unknown()),
  patchuser: profile,
  sendemail: anything,
  getsubscriptionstatus: readSubscriptionStatus,
  managesubscriptionstatus: anything,
  activatesubscription: anything,
  checkcouponvalidity: z.object({ valid: z.boolean(), message: told }),
  checkcouponproducts: z.object({ product_ids: z.array(id) }),
  sendcombined: placedOrder,
  createstripecustomer: z.object({ customerId: z.string().min(1) }),
  createpaymentintent: intent,
  createpaymentmethod: method,
  createbillingrequest: billingRequest,
  getwatches: z.array(z.unknown()),
  getreads: z.array(z.unknown()),
  getlearns: z.array(z.unknown()),
  getallfaves: faves,
  postfave: anything,
  resetPassword: anything,
  validateCode: anything,
  setPassword: anything,
} as const satisfies Record<CallName, z.ZodType>;

/** What a call answers, as a client reads it. */
export type ProviderAnswer<Name extends CallName> = z.output<(typeof answers)[Name]>;

/** `undefined` for what says no instant, or nothing. */
export function toInstant(text: string | null | undefined): Date | undefined {
  const instant = new Date(text ?? "");
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}
