import type { z } from "zod";

import type { Clock } from "../platform/clock.ts";
import type { CardCharges, CardFields, CardGateway } from "../money/payments/card-gateway.ts";
import type { DebitGateway } from "../money/payments/debit-gateway.ts";
import { goCardless } from "./gocardless/settings.ts";
import { stripe } from "./stripe/settings.ts";

/**
 * A gateway as every process knows it: its settings, and how it is opened. Only the gateway reads its settings, so the types here leave
 * them out.
 */
type GatewayChoice<Gateway> = {
  /** Its name in `Config`. */
  kind: string;
  /** A check for each of its settings. */
  settings: Record<string, z.ZodType>;
  /** Its settings that are addresses to which keys travel. */
  addresses: string[];
  /** The setting that chooses it. */
  chosenBy: string;
  /** A sentence for each mistake that lies between settings, beginning with the name of one. */
  findMistakes(set: { DEMO: boolean }): string[];
  /** `undefined` when it is not set. */
  readConfig(set: { DEMO: boolean }): GatewayConfig | undefined;
  /** Imports its client only here, so that the others delay no start. */
  open(config: GatewayConfig, clock: Clock): Promise<Gateway>;
};

/** `fields`: its card fields for the payment page, which have its `kind`. */
type CardGatewayChoice = GatewayChoice<CardCharges | CardGateway> & { fields(publishableKey?: string): CardFields };

/** The settings of the chosen gateway, of a shape that it alone reads. */
export type GatewayConfig = { kind: string };

/** The card gateways, one line each. The one that is set takes the payments; a second is a mistake. */
export const cardGateways: CardGatewayChoice[] = [stripe];

/** The gateways for Direct Debits, likewise. */
export const debitGateways: GatewayChoice<DebitGateway>[] = [goCardless];
