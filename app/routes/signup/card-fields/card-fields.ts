import type { Ref } from "react";

import type { CardFields } from "../../../../server/payments/card-gateway.ts";

/**
 * Fields in which a card is typed, in a browser that runs script. A card goes from them to the gateway and to nobody else: our
 * own form carries the method's id alone. Each gateway has its fields; whatever has them implements `CardFieldsProps`.
 */
export type CardFieldsProps = {
  /** Nothing until a card can be typed. */
  ref: Ref<CardFieldsHandle | null>;
  /** What the gateway gave us for its fields. */
  setting: CardFields;
  /** Told whenever it changes whether the card has to go into the gateway's own page. */
  onElsewhere: (isElsewhere: boolean) => void;
};

export type CardFieldsHandle = {
  /** Gives the card to the gateway. What is wrong with it is shown beside the fields, and `undefined` comes back. Never throws. */
  prepare(payer: Payer): Promise<{ methodId: string } | undefined>;
};

export type Payer = { name: string; email: string; postcode: string };
