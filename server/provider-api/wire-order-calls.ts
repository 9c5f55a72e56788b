import type { Call } from "./wire-call.ts";
import * as orders from "./wire-orders.ts";
import * as people from "./wire-people.ts";

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
    in: orders.productCode,
    out: orders.codeValidity,
    summary: "Whether one may join by a code.",
  },
  checkcouponproducts: {
    method: "POST",
    path: "subscription/checkcouponproducts",
    needs: "key",
    in: orders.productCode,
    out: orders.codeProducts,
    summary: "The products that a code unlocks.",
  },
  sendcombined: {
    method: "POST",
    path: "subscription/sendcombined",
    needs: "member",
    in: orders.order,
    out: orders.placedOrder,
    summary: "Places an order for the member and charges for it, or takes a seat of a code.",
  },
} as const satisfies Record<string, Call>;

export const paymentCalls = {
  createstripecustomer: {
    method: "POST",
    path: "stripe/createstripecustomer",
    needs: "key",
    in: orders.newCustomer,
    out: orders.customer,
    summary: "A reference to a payer.",
  },
  createpaymentintent: {
    method: "POST",
    path: "stripe/createpaymentintent",
    needs: "key",
    in: orders.newIntent,
    out: orders.intent,
    summary: "Prepares a payment, which is made when its order is placed; or says how one stands.",
  },
  createpaymentmethod: {
    method: "POST",
    path: "stripe/createpaymentmethod",
    needs: "key",
    in: orders.newMethod,
    out: orders.method,
    summary: "What a page needs to make a payment method in the browser.",
  },
  createbillingrequest: {
    method: "POST",
    path: "stripe/createbillingrequest",
    needs: "key",
    in: orders.newBillingRequest,
    out: orders.billingRequest,
    summary: "The page on which a company agrees to be collected from.",
  },
} as const satisfies Record<string, Call>;
