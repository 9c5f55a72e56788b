import type { OrderResult, Standing } from "../../../server/provider-api/api-orders.ts";
import type { CallAnswer } from "../../../server/provider-api/wire.ts";
import { api as words, declines, emailCodes, payment } from "../../../server/refusals.ts";
import { waitText } from "../../forms/wait-text.ts";
import { answer, NOT_YOURS, refuse, refuseWait, type ApiRefusal } from "./answers.ts";
import { readOrder } from "./read-order.ts";
import type { Asked, Handler } from "./visit.ts";

/** Places an order by the saga of every other one: `set_paid` and amounts of the caller's mean nothing. */
export const sendcombined: Handler<"sendcombined"> = async (asked) => {
  const { input, member, api, address, site } = asked;
  const read = readOrder(asked);
  if (!read.ok) return read;
  const result = await api.orders.place({
    member,
    what: read.what,
    isEmailVerified: input.emailVerified ?? false,
    address,
    site,
    toReturnUrls: (draftId) => toReturnUrls(asked, draftId),
  });
  return result.ok ? answer(toWire(result)) : refuseOrder(result);
};

/** By way of a page of ours, which looks how the payment has ended and then goes on to the front's. */
function toReturnUrls({ api, input, site }: Asked<"sendcombined">, draftId: number) {
  const page = (to: string | undefined) => `${site}payment-return?to=${api.returns.write({ draftId, to })}`;
  return { returnUrl: page(input.returnUrl), cancelUrl: page(input.cancelUrl ?? input.returnUrl) };
}

const statuses = { completed: "completed", checking: "processing", continue: "requires_action" } as const;

function toWire({ orderId: id, state, url }: Standing): CallAnswer<"sendcombined"> {
  const status = statuses[state];
  return { id, status, order: { id, status, payment_url: url ?? null } };
}

function refuseOrder(refusal: Extract<OrderResult, { ok: false }>): ApiRefusal {
  switch (refusal.reason) {
    case "declined":
      return refuse(402, declines.ours[refusal.decline]);
    case "code-refused":
      return refuse(400, refusal.message);
    case "unverified":
      return refuse(403, emailCodes.spec.unverified);
    case "postcode-missing":
      return refuse(400, payment.ours["postcode-missing"]);
    case "refunded":
      return refuse(409, words.ours.refunded);
    case "member-gone":
      return refuse(403, NOT_YOURS);
    case "too-many-attempts":
      return refuseWait(refusal, payment.ours["too-many-attempts"](waitText(refusal.waitInMs)));
  }
}
