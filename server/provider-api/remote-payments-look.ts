import type { Log } from "../log.ts";
import type { GatewayPayment } from "../payments/card-gateway.ts";
import type { ProviderClient } from "./provider-client.ts";
import { ProviderError } from "./provider-client-refusal.ts";
import type { PreparedPayment } from "./remote-payments-rows.ts";
import { findStanding, toGatewayPayment, type Standing } from "./remote-payments-standing.ts";
import type { Admissions } from "./remote-sign-up-rows.ts";

/** How payments stand at the provider, and what follows from it there. */
export type Look = {
  /** @throws {ProviderError} when the provider does not say. */
  findStanding(payment: PreparedPayment): Promise<Standing>;
  /** The same as the payments room knows it. */
  look(payment: PreparedPayment): Promise<GatewayPayment>;
  /** Takes in a standing that was told otherwise. */
  note(payment: PreparedPayment, standing: Standing): Promise<GatewayPayment>;
};

type LookSetting = {
  client: Pick<ProviderClient, "call">;
  admissions: Pick<Admissions, "findToken">;
  log: Log;
};

export function createLook({ client, admissions, log }: LookSetting): Look {
  const find = (payment: PreparedPayment) => findStanding(client, payment);
  return { findStanding: find, note, look: async (payment) => note(payment, await find(payment)) };

  /** A provider may wait for a word before it makes active what is paid for. Ours does not, so this one may fail. */
  async function note(payment: PreparedPayment, standing: Standing): Promise<GatewayPayment> {
    const { memberId, orderId } = payment;
    const token = standing.state === "succeeded" ? await admissions.findToken(memberId) : undefined;
    if (token !== undefined) {
      await client.call("activatesubscription", { id: memberId }, { token }).catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error;
        log.warn({ error, order: orderId }, "a subscription could not be asked for");
      });
    }
    return toGatewayPayment(payment, standing);
  }
}
