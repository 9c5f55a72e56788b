import { useEffect, useState, type ComponentType, type Ref } from "react";

import type { CardFields } from "../../../../server/payments/card-gateway.ts";

/**
 * Fields in which a card is typed, in a browser that runs script. A card goes from them to the gateway and to nobody else: our
 * own form carries the method's id alone. Each gateway has its fields; whatever has them implements `CardFieldsProps`.
 */
export type CardFieldsProps = {
  ref: Ref<CardFieldsHandle>;
  /** What the gateway gave us for its fields. */
  setting: CardFields;
};

export type CardFieldsHandle = {
  /** Gives the card to the gateway. What is wrong with it is shown beside the fields, and `undefined` comes back. */
  prepare(payer: Payer): Promise<{ methodId: string } | undefined>;
};

export type Payer = { name: string; email: string; postcode: string };

/** What a gateway's module is loaded for. */
type CardFieldsModule = { Fields: ComponentType<CardFieldsProps> };

/** Where each gateway's fields are. One without leads every browser to the gateway's own page. */
const sources: Partial<Record<CardFields["kind"], () => Promise<CardFieldsModule>>> = {
  demo: async () => ({ Fields: (await import("./demo-card-fields.tsx")).DemoCardFields }),
};

/** The fields of a gateway, once they are here. Without them, or without script, the gateway's own page takes the card. */
export function useCardFields(kind: CardFields["kind"]): CardFieldsModule | undefined {
  const [fields, setFields] = useState<CardFieldsModule>();
  useEffect(() => {
    const load = sources[kind];
    if (!load) return;
    load().then(setFields, () => {});
  }, [kind]);
  return fields;
}
