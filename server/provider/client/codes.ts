import type { Clock } from "../../clock.ts";
import type { CodeCheck } from "../../codes/code-checks.ts";
import type { Codes } from "../../codes/codes.ts";
import type { Log } from "../../log.ts";
import { isAnySold } from "../../membership/plans.ts";
import type { NewOrder } from "../../payments/orders.ts";
import type { Payments } from "../../payments/payments.ts";
import { codes as words } from "../../refusals.ts";
import type { ProviderClient } from "./client.ts";
import { isAway, toError } from "./errors.ts";
import { ProviderError } from "./line.ts";
import { toSeatOrder } from "./payment-rows.ts";
import type { Admissions } from "./sign-up-rows.ts";

type CodesSetting = { client: Pick<ProviderClient, "call">; clock: Clock };

/**
 * Codes that a provider keeps: it says which are good, and seats are taken there, by its orders.
 * @throws {ProviderError} from `check` where it does not say.
 */
export function createRemoteCodes(own: Codes, { client, clock }: CodesSetting): Codes {
  return {
    ...own,

    async check(code) {
      const productCode = code.trim();
      if (productCode === "") return { isValid: false, reason: "unknown", message: words.ours.empty };
      const checked = await client.call("checkcouponvalidity", { productCode });
      if (!checked.ok) {
        if (isAway(checked) || checked.status === 401) throw toError(checked);
        return { isValid: false, reason: "unknown", message: checked.message };
      }
      const { valid, message } = checked.answer;
      if (!valid) return { isValid: false, reason: "unknown", message: message?.trim() || words.ours["not-valid"] };
      return checkProducts(productCode);
    },

    takeSeat: async ({ code }) => ({ isValid: true, code: toView(code, []) }),
    releaseSeat: async () => undefined,
    endSeat: async () => undefined,
    releaseEnded: async () => 0,
    create: refuseToKeep,
    revoke: refuseToKeep,
  };

  /** A good code of a shop may be for something that is not sold here. */
  async function checkProducts(productCode: string): Promise<CodeCheck> {
    const unlocked = await client.call("checkcouponproducts", { productCode });
    if (!unlocked.ok) throw toError(unlocked);
    const { product_ids: products } = unlocked.answer;
    return isAnySold(products)
      ? { isValid: true, code: toView(productCode, products) }
      : { isValid: false, reason: "unknown", message: words.ours["not-sold"] };
  }

  /** What is known of a code whose seats others count. */
  function toView(code: string, products: number[]) {
    const unknown = { endsAt: undefined, revokedAt: undefined, company: undefined, fault: undefined };
    return { code, products, seats: 0, seatsTaken: 0, startsAt: clock(), createdAt: clock(), ...unknown };
  }
}

function refuseToKeep(): Promise<never> {
  return Promise.reject(new Error("Codes are kept by the provider at API_URL: make and end them there"));
}

type CompleteFree = Payments["completeFree"];

type SeatServices = {
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
export function createRemoteSeats({ client, admissions, completeFree, log }: SeatServices): CompleteFree {
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
