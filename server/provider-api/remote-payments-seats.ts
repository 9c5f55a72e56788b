import type { Log } from "../log.ts";
import type { NewOrder } from "../payments/orders.ts";
import type { Payments } from "../payments/payments.ts";
import type { ProviderClient } from "./provider-client.ts";
import { ProviderError } from "./provider-client-refusal.ts";
import { toSeatOrder } from "./remote-payments-order.ts";
import { isAway, toError } from "./provider-errors.ts";
import type { Admissions } from "./remote-sign-up-rows.ts";

type CompleteFree = Payments["completeFree"];

type SeatRooms = {
  client: Pick<ProviderClient, "call">;
  admissions: Pick<Admissions, "find" | "forgetTokens">;
  /** Writes down what the provider has done. */
  completeFree: CompleteFree;
  log: Log;
};

/**
 * Orders that a company pays for, placed at the provider: the seat is taken there, and then written down here. Sent again, the same
 * code takes no second seat; where an answer is lost, whoever joined is asked for.
 */
export function createRemoteSeats({ client, admissions, completeFree, log }: SeatRooms): CompleteFree {
  return async (order) => {
    const admitted = await admissions.find({ id: order.draftId, email: order.email });
    const { memberId, token } = admitted ?? {};
    // Another press has just ended the draft, or found the token to be over.
    if (memberId === undefined || token === undefined) return { ok: false, reason: "unreachable" };
    const seat = await takeSeat(order, { memberId, token }).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      log.warn({ error, draft: order.draftId }, "a seat could not be taken");
      return { ok: false, reason: "unreachable" } as const;
    });
    return seat.ok ? completeFree(order) : seat;
  };

  async function takeSeat(order: NewOrder, { memberId, token }: { memberId: number; token: string }) {
    const placed = await placeOrLook({ ...order, code: order.code ?? "" }, { memberId, token });
    if (placed === "completed") return { ok: true } as const;
    if (placed.status === 401) await admissions.forgetTokens(memberId);
    if (placed.status === 401 || isAway(placed)) throw toError(placed);
    return { ok: false, reason: "code-refused", message: placed.message } as const;
  }

  async function placeOrLook(
    order: NewOrder & { code: string },
    { memberId, token }: { memberId: number; token: string },
  ) {
    try {
      const placed = await client.call("sendcombined", toSeatOrder(memberId, order), { token });
      if (!placed.ok) return placed;
      const { status, order: details } = placed.answer;
      if ((details?.status ?? status) === "completed") return "completed";
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
    }
    // Who joins by a code is active once its seat is taken, and not before.
    const status = await client.call("getsubscriptionstatus", { id: memberId }, { token });
    if (status.ok && status.answer) return "completed";
    throw toError(status.ok ? { ok: false, status: 503, message: "it is not known whether a seat was taken" } : status);
  }
}
