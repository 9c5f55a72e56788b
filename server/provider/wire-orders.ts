import { z } from "zod";

import { type Call, code, email, flag, id, name, reference, text, webAddress } from "./wire-fields.ts";
import * as people from "./wire-people.ts";

/** The shapes of the calls about codes, orders and payments. */

const productCode = z.object({ productCode: code });
const codeValidity = z.object({ valid: z.boolean(), message: z.string() });
const codeProducts = z.object({ product_ids: z.array(z.int()) });

/** What shops number; nought is how some say "none". */
const number = z.union([z.int().min(0), z.string().regex(/^\d{0,9}$/)]).transform(Number);

/** Whatever a payload says of amounts and of having been paid is not read. */
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
  /** Where a bank's or the gateway's page sends the browser back to, and where it goes when the payer leaves that page. */
  returnUrl: webAddress.optional(),
  cancelUrl: webAddress.optional(),
});

/** Where paying stands; for `requires_action` the payer goes on at `payment_url`. */
const orderStatus = z.enum(["completed", "processing", "requires_action"]);
const placedOrder = z.object({
  id: z.int(),
  status: orderStatus,
  order: z.object({ id: z.int(), status: orderStatus, payment_url: z.string().nullable() }),
});

const newCustomer = z.object({ email, paymentMethodId: reference.nullish(), name: name.nullish() });
const customer = z.object({ customerId: z.string() });

/** With `paymentId` alone: how that payment stands. An amount, in pence, must be a plan's. */
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

/** `clientSecret` is always empty: the payment is made here, when its order is placed, and not in the browser. */
const intent = z.object({
  clientSecret: z.string(),
  paymentId: z.string(),
  status: z.enum(["requires_payment_method", "requires_confirmation", "requires_action", "processing", "succeeded"]),
  nextActionUrl: z.string().nullable(),
});

/** `card` is for demos, whose gateway takes its own cards only: a real card is given to its gateway, in the browser. */
const newMethod = z.object({
  paymentMethodId: reference.nullish(),
  card: z.object({ number: text(40), expiry: text(20), cvc: text(10) }).optional(),
});
/** `cardFields`: what a page needs to show the gateway's card fields. */
const method = z.object({
  paymentMethodId: z.string().nullable(),
  cardFields: z.object({ kind: z.enum(["demo", "none", "stripe"]), publishableKey: z.string().nullable() }),
});

/** A company that an operator has added, by its name or number. */
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

export const subscriptionCalls = {
  getsubscriptionstatus: {
    method: "GET",
    path: "subscription/getsubscriptionstatus",
    needs: "member",
    in: people.ownId,
    out: people.subscriptionStatus,
    summary: "Whether the member's subscription is active: true or false.",
  },
  managesubscriptionstatus: {
    method: "POST",
    path: "subscription/managesubscriptionstatus",
    needs: "member",
    in: people.newStatus,
    out: people.subscription,
    summary: "Ends the member's subscription now.",
  },
  activatesubscription: {
    method: "PATCH",
    path: "subscription/activatesubscription",
    needs: "member",
    in: people.ownId,
    out: people.subscription,
    summary: "Looks for payments of the member that are under way, and finishes what is paid for.",
  },
  checkcouponvalidity: {
    method: "POST",
    path: "subscription/checkcouponvalidity",
    needs: "key",
    in: productCode,
    out: codeValidity,
    summary: "Whether one may join by a code.",
  },
  checkcouponproducts: {
    method: "POST",
    path: "subscription/checkcouponproducts",
    needs: "key",
    in: productCode,
    out: codeProducts,
    summary: "The products that a code unlocks.",
  },
  sendcombined: {
    method: "POST",
    path: "subscription/sendcombined",
    needs: "member",
    in: order,
    out: placedOrder,
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
    summary: "A reference to a payer.",
  },
  createpaymentintent: {
    method: "POST",
    path: "stripe/createpaymentintent",
    needs: "key",
    in: newIntent,
    out: intent,
    summary: "Prepares a payment, which is made when its order is placed; or says how one stands.",
  },
  createpaymentmethod: {
    method: "POST",
    path: "stripe/createpaymentmethod",
    needs: "key",
    in: newMethod,
    out: method,
    summary: "What a page needs to make a payment method in the browser.",
  },
  createbillingrequest: {
    method: "POST",
    path: "stripe/createbillingrequest",
    needs: "key",
    in: newBillingRequest,
    out: billingRequest,
    summary: "The page on which a company agrees to be collected from.",
  },
} as const satisfies Record<string, Call>;
