import type { Ref } from "react";

import type { CardFields } from "../../../../server/payments/card-gateway.ts";

/**
 * Fields for a card, in a browser that runs script. They give the card to the gateway alone; our own form carries only the id of the
 * payment method. Each gateway has its own fields, a component with these props.
 */
export type CardFieldsProps = {
  /** Nothing until a card can be typed. */
  ref: Ref<CardFieldsHandle | null>;
  /** The gateway's own settings for its fields. */
  setting: CardFields;
  /** Called whenever it changes whether the card is entered on the gateway's own page. */
  onElsewhere: (isElsewhere: boolean) => void;
};

export type CardFieldsHandle = {
  /** Gives the card to the gateway. A wrong one is shown beside the fields and gives `undefined`. Never throws. */
  prepare(payer: Payer): Promise<{ methodId: string } | undefined>;
};

export type Payer = { name: string; email: string; postcode: string };
