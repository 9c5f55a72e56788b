import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type { CardCharges, CardFields, CardGateway } from "../payments/card-gateway.ts";
import { stripe } from "./stripe/settings.ts";

/**
 * A card gateway as every process knows it: its settings, and how it is opened. Only the gateway reads its settings, so the types here
 * leave them out.
 */
type CardGatewayChoice = {
  /** Its name in `Config`, and of its card fields. */
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
  readConfig(set: { DEMO: boolean }): CardConfig | undefined;
  /** Its card fields, for the payment page. */
  fields(publishableKey?: string): CardFields;
  /** Imports its client only here, so that the others delay no start. */
  open(config: CardConfig, clock: Clock): Promise<CardCharges | CardGateway>;
};

/** The settings of the chosen gateway, of a shape that it alone reads. */
export type CardConfig = { kind: string };

/** The card gateways, one line each. The first that is set takes the payments. */
export const cardGateways: CardGatewayChoice[] = [stripe];
