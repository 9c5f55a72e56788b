import type { Codes } from "../codes/codes.ts";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { CardGateway } from "../payments/card-gateway.ts";
import type { Fulfil, PaymentEmails } from "../payments/context.ts";
import { findOrder } from "../payments/orders.ts";
import type { Payments } from "../payments/payments.ts";
import { createSeal } from "../seal.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Admission } from "../sign-up/admission.ts";
import type { RenewalLinks } from "../sign-up/context.ts";
import type { EndingEmails } from "../sign-up/renewal.ts";
import { createRemoteCodes, createRemoteSeats } from "./client/codes.ts";
import { createPreparedPayments } from "./client/payment-rows.ts";
import { createRemoteCards } from "./client/payments.ts";
import { createAdmissions } from "./client/sign-up-rows.ts";
import { createRemoteAdmission, createRemoteCompletion } from "./client/sign-up.ts";
import type { Provider } from "./provider.ts";

/** What a provider sells for us, as the services that sell ask it. */
export type RemoteShop = {
  cards: CardGateway;
  admission: Admission;
  fulfil: Fulfil;
  takeCodes(own: Codes): Codes;
  /** With seats that are taken at the provider. */
  takePayments(own: Payments): Payments;
  /** Receipts and refunds, the end of a term and the link that renews it: all of it is the provider's to write. */
  paymentEmails: PaymentEmails;
  endingEmails: EndingEmails;
  renewalLinks: RenewalLinks;
};

type ShopContext = Context & { sessions: Sessions };
type Setting = { config: Config; provider: Provider };

export function createRemoteShop(ground: ShopContext, { config, provider }: Setting): RemoteShop {
  const { client, fields } = provider;
  const sealFor = (purpose: string) => createSeal(config.sessionSecret, purpose);
  const admissions = createAdmissions({ ...ground, hash: ground.keyedHash("admission"), seal: sealFor("admission") });
  const prepared = createPreparedPayments(ground);

  return {
    cards: createRemoteCards({
      ...ground,
      client,
      admissions,
      prepared,
      findOrder: (orderId) => findOrder(ground, orderId),
      fields: () => fields.current(),
    }),
    admission: createRemoteAdmission({
      ...ground,
      ...provider,
      admissions,
      seal: sealFor("draft-password"),
    }),
    fulfil: createRemoteCompletion({ ...ground, admissions, prepared }),
    takeCodes: (own) => createRemoteCodes(own, { ...ground, client }),
    takePayments: (own) => ({
      ...own,
      get cardFields() {
        return fields.current();
      },
      completeFree: createRemoteSeats({
        ...ground,
        client,
        admissions,
        completeFree: (order) => own.completeFree(order),
      }),
    }),
    paymentEmails: { receipt: noEmail, refund: noEmail },
    endingEmails: { remind: async () => 0, tellEnded: async () => 0 },
    renewalLinks: { make: noLink, read: () => undefined },
  };
}

async function noEmail(): Promise<void> {
  // The provider writes to whoever it has charged.
}

function noLink(): never {
  throw new Error("Links that renew are made by the provider");
}
