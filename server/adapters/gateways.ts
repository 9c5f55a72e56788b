import type { z } from "zod";

import type { Clock } from "../platform/clock.ts";
import type { CardCharges, CardFields, CardGateway } from "../money/payments/card-gateway.ts";
import type { DebitGateway } from "../money/payments/debit-gateway.ts";
import { goCardless } from "./gocardless/settings.ts";
import { stripe } from "./stripe/settings.ts";

/** A gateway as every process knows it. Only the gateway reads its settings, so these types leave them out. */
type GatewayChoice<Gateway> = {
  kind: string;
  settings: Record<string, z.ZodType>;
  /** Keys travel to these addresses. */
  addresses: string[];
  chosenBy: string;
  /** A sentence for each mistake between settings, beginning with a setting's name. */
  findMistakes(set: { DEMO: boolean }): string[];
  readConfig(set: { DEMO: boolean }): GatewayConfig | undefined;
  /** Imports its client only here, so that it does not delay other starts. */
  open(config: GatewayConfig, clock: Clock): Promise<Gateway>;
};

/** `fields`: its card fields for the payment page, which have its `kind`. */
type CardGatewayChoice = GatewayChoice<CardCharges | CardGateway> & { fields(publishableKey?: string): CardFields };

/** Only the chosen gateway knows their shape. */
export type GatewayConfig = { kind: string };

/** One line a gateway. The one that is set takes the payments; a second is a mistake. */
export const cardGateways: CardGatewayChoice[] = [stripe];

export const debitGateways: GatewayChoice<DebitGateway>[] = [goCardless];
