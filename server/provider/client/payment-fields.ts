import { after, type Clock, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { CardFields } from "../../money/payments/card-gateway.ts";
import { cardDetails } from "../../refusals.ts";
import type { ProviderClient } from "./client.ts";
import { catchProviderError } from "./answers.ts";

type Card = { number: string; expiry: string; cvc: string };
type MadeMethod = { ok: true; methodId: string } | { ok: false; problems: [{ field: keyof Card; sentence: string }] };

/** By the gateway's name in the API. */
export type ToCardFields = (kind: string, publishableKey?: string) => CardFields;

type FieldsSetting = { client: Pick<ProviderClient, "call">; clock: Clock; log: Log; toCardFields: ToCardFields };

const FRESH_FOR_IN_MS = 10 * MINUTE_IN_MS;
const ASK_AGAIN_AFTER_IN_MS = MINUTE_IN_MS / 4;

export type ProviderFields = ReturnType<typeof createProviderFields>;

export function createProviderFields({ client, clock, log, toCardFields }: FieldsSetting) {
  let fields: CardFields = { kind: "none" };
  let dueAt = clock();

  /** Without an answer the last one stays. */
  async function refresh(): Promise<void> {
    dueAt = after(clock(), ASK_AGAIN_AFTER_IN_MS);
    const outcome = await catchProviderError(client.call("createpaymentmethod", {}), () => undefined);
    if (!outcome) return;
    if (!outcome.ok) return log.warn({ status: outcome.status }, "the provider's card fields could not be read");
    fields = toFields(outcome.answer.cardFields, toCardFields);
    if (fields.kind !== "none") dueAt = after(clock(), FRESH_FOR_IN_MS);
  }

  /** For a demo provider, whose cards no browser sends to a card gateway. */
  async function makeMethod(card: Card): Promise<MadeMethod> {
    const made = await client.call("createpaymentmethod", { card });
    const methodId = made.ok ? made.answer.paymentMethodId : undefined;
    if (methodId) return { ok: true, methodId };
    if (made.ok) return { ok: false, problems: [{ field: "number", sentence: cardDetails.unread }] };
    return { ok: false, problems: [{ field: findField(made.code), sentence: made.message }] };
  }

  return {
    /** The provider's last answer; `none` before the first one. */
    current(): CardFields {
      // Answers at once; a new answer serves the next page.
      if (clock() >= dueAt) void refresh().catch((error: unknown) => log.error({ error }, "card fields"));
      return fields;
    },
    refresh,
    makeMethod,
  };
}

type GivenFields = { kind: string; publishableKey?: string | null | undefined } | null | undefined;

/** A gateway with its own script needs a key. */
function toFields(given: GivenFields, toCardFields: ToCardFields): CardFields {
  const key = given?.publishableKey;
  const fields = toCardFields(given?.kind ?? "none", key && /^pk_\w+$/.test(key) ? key : undefined);
  return fields.script && fields.publishableKey === undefined ? { kind: "none" } : fields;
}

function findField(code: string | undefined): keyof Card {
  if (code === "card-expiry") return "expiry";
  return code === "card-cvc" ? "cvc" : "number";
}
