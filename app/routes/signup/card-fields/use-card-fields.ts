import { useEffect, useState, type ComponentType } from "react";

import type { CardFields } from "../../../../server/payments/card-gateway.ts";
import type { CardFieldsProps } from "./card-fields.ts";

/** What a gateway's module is loaded for. */
type CardFieldsModule = { Fields: ComponentType<CardFieldsProps> };

/** Where each gateway's fields are. One without leads every browser to the gateway's own page. */
const sources: Partial<Record<CardFields["kind"], () => Promise<CardFieldsModule>>> = {
  demo: async () => ({ Fields: (await import("./demo-card-fields.tsx")).DemoCardFields }),
  stripe: async () => ({ Fields: (await import("./stripe-card-fields.tsx")).StripeCardFields }),
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
