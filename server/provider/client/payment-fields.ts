import { after, type Clock, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { CardFields } from "../../money/payments/card-gateway.ts";
import { cards } from "../../refusals.ts";
import type { ProviderClient } from "./client.ts";
import { catchProviderError } from "./answers.ts";

/** How a provider takes cards. */
export type ProviderFields = {
  /** The provider's last answer; before the first one no cards are taken. */
  current(): CardFields;
  /** Asks; where there is no answer what was said last holds. */
  refresh(): Promise<void>;
  /** Hands over a card of a provider that is a demo: no browser gives those to a card provider. */
  makeMethod(
    card: Card,
  ): Promise<{ ok: true; methodId: string } | { ok: false; problems: [{ field: keyof Card; sentence: string }] }>;
};

type Card = { number: string; expiry: string; cvc: string };

/** Describes each gateway by its name in the API. */
export type ToCardFields = (kind: string, publishableKey?: string) => CardFields;

type FieldsSetting = { client: Pick<ProviderClient, "call">; clock: Clock; log: Log; toCardFields: ToCardFields };

const FRESH_FOR_IN_MS = 10 * MINUTE_IN_MS;
/** Before anything was said, or when nothing is. */
const ASK_AGAIN_AFTER_IN_MS = MINUTE_IN_MS / 4;

export function createProviderFields({ client, clock, log, toCardFields }: FieldsSetting): ProviderFields {
  let fields: CardFields = { kind: "none" };
  let dueAt = clock();

  async function refresh(): Promise<void> {
    dueAt = after(clock(), ASK_AGAIN_AFTER_IN_MS);
    const outcome = await catchProviderError(client.call("createpaymentmethod", {}), () => undefined);
    if (!outcome) return;
    if (!outcome.ok) return log.warn({ status: outcome.status }, "the provider's card fields could not be read");
    fields = toFields(outcome.answer.cardFields, toCardFields);
    if (fields.kind !== "none") dueAt = after(clock(), FRESH_FOR_IN_MS);
  }

  async function makeMethod(card: Card): ReturnType<ProviderFields["makeMethod"]> {
    const made = await client.call("createpaymentmethod", { card });
    const methodId = made.ok ? made.answer.paymentMethodId : undefined;
    if (methodId) return { ok: true, methodId };
    if (made.ok) return { ok: false, problems: [{ field: "number", sentence: cards.unread }] };
    return { ok: false, problems: [{ field: findField(made.code), sentence: made.message }] };
  }

  return {
    current() {
      // The answer comes at once; what is new is there for the next page.
      if (clock() >= dueAt) void refresh().catch((error: unknown) => log.error({ error }, "card fields"));
      return fields;
    },
    refresh,
    makeMethod,
  };
}

type GivenFields = { kind: string; publishableKey?: string | null | undefined } | null | undefined;

/** A gateway with a script of its own is of use with a key alone. */
function toFields(given: GivenFields, toCardFields: ToCardFields): CardFields {
  const key = given?.publishableKey;
  const fields = toCardFields(given?.kind ?? "none", key && /^pk_\w+$/.test(key) ? key : undefined);
  return fields.script && fields.publishableKey === undefined ? { kind: "none" } : fields;
}

/** The field that a demo's refusal is about. */
function findField(code: string | undefined): keyof Card {
  if (code === "card-expiry") return "expiry";
  return code === "card-cvc" ? "cvc" : "number";
}
