import { z } from "zod";

import {
  anything,
  type Call,
  code,
  email,
  flag,
  id,
  name,
  optionalText,
  reference,
  text,
  webAddress,
} from "./wire-fields.ts";
import * as people from "./wire-people.ts";

const productCode = z.object({ productCode: code });
const codeValidity = z.object({ valid: z.boolean(), message: z.string() });
const readCodeValidity = z.object({ valid: z.boolean(), message: optionalText });
const codeProducts = z.object({ product_ids: z.array(z.int()) });
const readCodeProducts = z.object({ product_ids: z.array(id) });

/** A shop's number; some write 0 for "none". */
const number = z.union([z.int().min(0), z.string().regex(/^\d{0,9}$/)]).transform(Number);

/** Amounts in a payload and its claim to be paid are ignored. */
const order = z.object({
  customer_id: id.optional(),
  id: id.optional(),
  email: email.optional(),
  line_items: z
    .array(z.object({ product_id: number.optional(), variation_id: number.nullish(), quantity: number.optional() }))
    .max(10)
    .optional(),
  billing: z.object({ postcode: text(20).nullish() }).nullish(),
  coupon_lines: z.array(z.object({ code })).max(10).nullish(),
  meta_data: z
    .array(z.object({ key: text(200), value: z.unknown() }))
    .max(50)
    .nullish(),
  paymentId: reference.nullish(),
  paymentMethodId: reference.nullish(),
  /** The key's owner vouches that the member reads the address. */
  emailVerified: flag.optional(),
  /** Where a bank or the gateway returns the browser, and where the payer goes by leaving. */
  returnUrl: webAddress.optional(),
  cancelUrl: webAddress.optional(),
});

/** With `requires_action` the payer continues at `payment_url`. */
const orderStatus = z.enum(["completed", "processing", "requires_action"]);
const placedOrder = z.object({
  id: z.int(),
  status: orderStatus,
  order: z.object({ id: z.int(), status: orderStatus, payment_url: z.string().nullable() }),
});
/** Our client interprets the words. */
const readPlacedOrder = z.object({
  id: z.coerce.number().int().optional().catch(undefined),
  status: optionalText,
  order: z.object({ status: optionalText, payment_url: optionalText }).nullish().catch(undefined),
});

const newCustomer = z.object({ email, paymentMethodId: reference.nullish(), name: name.nullish() });
const customer = z.object({ customerId: z.string() });
const readCustomer = z.object({ customerId: z.string().min(1) });

/** `paymentId` alone requests its status. An amount, in pence, must be a plan's. */
const newIntent = z.object({
  email: email.optional(),
  paymentMethodId: reference.nullish(),
  stripeCustomerId: reference.nullish(),
  amount: z
    .union([z.int(), z.string().regex(/^\d{1,9}$/)])
    .transform(Number)
    .optional(),
  planType: z
    .union([z.int(), z.string().regex(/^\d{1,9}$/)])
    .transform(Number)
    .optional(),
  paymentId: reference.nullish(),
});

/** `clientSecret` is always empty: the payment is made here with its order, and not in the browser. */
const intent = z.object({
  clientSecret: z.string(),
  paymentId: z.string(),
  status: z.enum(["requires_payment_method", "requires_confirmation", "requires_action", "processing", "succeeded"]),
  nextActionUrl: z.string().nullable(),
});
const readIntent = z.object({ paymentId: z.string().min(1), status: optionalText, nextActionUrl: optionalText });

/** `card` is for demos, whose gateway takes only its own cards: a browser gives a real card to its gateway. */
const newMethod = z.object({
  paymentMethodId: reference.nullish(),
  card: z.object({ number: text(40), expiry: text(20), cvc: text(10) }).optional(),
});
/** `cardFields`: data for the gateway's card fields; `kind` is `stripe`, `demo` or `none`. */
const method = z.object({
  paymentMethodId: z.string().nullable(),
  cardFields: z.object({ kind: z.string(), publishableKey: z.string().nullable() }),
});
const readMethod = z.object({
  paymentMethodId: optionalText,
  cardFields: z.object({ kind: z.string(), publishableKey: optionalText }).nullish().catch(undefined),
});

/** A company that an operator has added, by name or number. */
const newBillingRequest = z.object({
  company: z.union([text(200), z.int().min(1).transform(String)]),
  returnUrl: webAddress.optional(),
  exitUrl: webAddress.optional(),
});
const billingRequest = z.object({
  authorisation_url: z.string(),
  billing_requests_id: z.string(),
  expires_at: z.string(),
});
const readBillingRequest = z.object({ authorisation_url: z.string() });

export const subscriptionCalls = {
  getsubscriptionstatus: {
    method: "GET",
    path: "subscription/getsubscriptionstatus",
    needs: "member",
    in: people.ownId,
    out: people.subscriptionStatus,
    read: people.readSubscriptionStatus,
    summary: "Whether the member's subscription is active: true or false.",
  },
  managesubscriptionstatus: {
    method: "POST",
    path: "subscription/managesubscriptionstatus",
    needs: "member",
    in: people.newStatus,
    out: people.subscription,
    read: anything,
    summary: "Ends the member's subscription now.",
  },
  activatesubscription: {
    method: "PATCH",
    path: "subscription/activatesubscription",
    needs: "member",
    in: people.ownId,
    out: people.subscription,
    read: anything,
    summary: "Looks for payments of the member that are under way, and finishes what is paid for.",
  },
  checkcouponvalidity: {
    method: "POST",
    path: "subscription/checkcouponvalidity",
    needs: "key",
    in: productCode,
    out: codeValidity,
    read: readCodeValidity,
    summary: "Whether one may join by a code.",
  },
  checkcouponproducts: {
    method: "POST",
    path: "subscription/checkcouponproducts",
    needs: "key",
    in: productCode,
    out: codeProducts,
    read: readCodeProducts,
    summary: "The products that a code unlocks.",
  },
  sendcombined: {
    method: "POST",
    path: "subscription/sendcombined",
    needs: "member",
    in: order,
    out: placedOrder,
    read: readPlacedOrder,
    summary: "Places an order for the member and charges for it, or takes a seat of a code.",
  },
} as const satisfies Record<string, Call>;

export const paymentCalls = {
  createstripecustomer: {
    method: "POST",
    path: "stripe/createstripecustomer",
    needs: "key",
    in: newCustomer,
    out: customer,
    read: readCustomer,
    summary: "A reference to a payer.",
  },
  createpaymentintent: {
    method: "POST",
    path: "stripe/createpaymentintent",
    needs: "key",
    in: newIntent,
    out: intent,
    read: readIntent,
    summary: "Prepares a payment, which is made when its order is placed; or answers the state of one.",
  },
  createpaymentmethod: {
    method: "POST",
    path: "stripe/createpaymentmethod",
    needs: "key",
    in: newMethod,
    out: method,
    read: readMethod,
    summary: "What a page needs to make a payment method in the browser.",
  },
  createbillingrequest: {
    method: "POST",
    path: "stripe/createbillingrequest",
    needs: "key",
    in: newBillingRequest,
    out: billingRequest,
    read: readBillingRequest,
    summary: "The page on which a company agrees to be collected from.",
  },
} as const satisfies Record<string, Call>;
