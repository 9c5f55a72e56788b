import type { GatewayPayment } from "../payments/card-gateway.ts";
import type { ProviderClient, ProviderOutcome } from "./provider-client.ts";
import type { PreparedPayment } from "./remote-payments-rows.ts";
import { toError } from "./provider-errors.ts";

/** How a payment stands at the provider; `not-placed`: nothing is being charged for it, whatever was tried before. */
export type Standing =
  | { state: "succeeded" | "processing" | "cancelled" | "not-placed" }
  | { state: "requires-action"; actionUrl: string };

const ADDRESS_MAX_LENGTH = 2000;

/**
 * Asks for a payment that was prepared.
 * @throws {ProviderError} when the provider does not say.
 */
export async function findStanding(
  client: Pick<ProviderClient, "call">,
  { paymentId }: PreparedPayment,
): Promise<Standing> {
  const found = await client.call("createpaymentintent", { paymentId });
  if (!found.ok) throw toError(found);
  const { status, nextActionUrl } = found.answer;
  if (status === "requires_payment_method" || status === "requires_confirmation") return { state: "not-placed" };
  const standing = readStanding(status, nextActionUrl);
  if (!standing) throw toError({ ok: false, status: 200, message: "a payment stands in a way that is not known" });
  return standing;
}

type Placed = Extract<ProviderOutcome<"sendcombined">, { ok: true }>["answer"];

/** What was answered to an order; `undefined` when it does not say how paying stands. */
export function readPlaced({ status, order }: Placed): Standing | undefined {
  return readStanding(order?.status ?? status, order?.payment_url);
}

/** In the words of our own API, of the card provider, and of shops. */
function readStanding(status: string | null | undefined, url: string | null | undefined): Standing | undefined {
  switch (status ?? "") {
    case "succeeded":
    case "completed":
      return { state: "succeeded" };
    case "canceled":
    case "cancelled":
      return { state: "cancelled" };
    case "requires_action":
      return isWebAddress(url) ? { state: "requires-action", actionUrl: url } : { state: "processing" };
    case "processing":
      return { state: "processing" };
    default:
      return undefined;
  }
}

/** A browser is sent there: nothing but a page may stand behind it. */
function isWebAddress(address: string | null | undefined): address is string {
  const protocol = address && address.length <= ADDRESS_MAX_LENGTH ? URL.parse(address)?.protocol : undefined;
  return protocol === "https:" || protocol === "http:";
}

/** A payment as the payments room knows it. Its customer is the member, and its sum the one that was asked for. */
export function toGatewayPayment(payment: PreparedPayment, standing: Standing): GatewayPayment {
  const { paymentId, memberId, orderId, attempt, amountInPence } = payment;
  const { state } = standing;
  return {
    id: paymentId,
    // What was placed and is no more was ended there: by the payer, their bank, or time.
    state: state === "not-placed" ? "cancelled" : state,
    amountInPence,
    currency: "GBP",
    customerId: String(memberId),
    orderId,
    attempt,
    actionUrl: standing.state === "requires-action" ? standing.actionUrl : undefined,
    decline: undefined,
  };
}
