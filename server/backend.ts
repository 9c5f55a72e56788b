import type { Accounts, OwnAccount } from "./members/accounts/accounts.ts";
import type { Codes } from "./money/companies/codes.ts";
import type { Favourites } from "./members/favourites/favourites.ts";
import { type Counters, createCounters } from "./operations/figures/figures.ts";
import type { Membership } from "./money/membership/membership.ts";
import type { CardCharges, CardRefunds } from "./money/payments/card-gateway.ts";
import type { EndOrder, Fulfil, PaymentEmails } from "./money/payments/context.ts";
import type { Payments } from "./money/payments/payments.ts";
import type { Sessions } from "./members/sessions/sessions.ts";
import type { GiftContext } from "./money/gifts/context.ts";
import { fulfilGift } from "./money/gifts/delivery.ts";
import { endGiftOrder } from "./money/gifts/ending.ts";
import { type CompletionContext, fulfilOrder } from "./money/sign-up/completion.ts";
import { createOwnJoining, type Joining } from "./money/sign-up/joining.ts";
import type { SignedIds } from "./platform/seal.ts";
import { createRenewalLinks, type EndingsContext, sendEndingEmails } from "./money/sign-up/renewal.ts";

/**
 * Everything that depends on where members, subscriptions, favourites and orders are: in this product, or in another
 * back end with the API. A back end is one complete object. Modules get its parts, and none knows which back end it
 * has.
 */
export type Backend = {
  members: MemberModules & { capabilities: Capabilities };
  joining: Joining;
  renewalLinks: SignedIds;
  /** A job: emails members before and at the end of a term. */
  sendEndingEmails: () => Promise<void>;
  cardGateway: CardCharges;
  /** Missing where the back end makes refunds itself. */
  refunds: CardRefunds | undefined;
  fulfil: Fulfil;
  endOrder: EndOrder;
  paymentEmails: PaymentEmails;
  listCounters: (payments: Payments) => Counters;
};

export type MemberModules = OwnAccount & {
  accounts: Accounts;
  sessions: Sessions;
  membership: Membership;
  favourites: Favourites;
  codes: Codes;
};

/** The actions that pages offer. For anything else members write to the contact address. */
export type Capabilities = {
  /** With the old password. A forgotten one can be reset in any case. */
  canChangePassword: boolean;
  canLogInWithoutPassword: boolean;
  canClose: boolean;
  canRenew: boolean;
  /** Within the days in which a buyer may cancel by law. */
  canCancel: boolean;
  /** Members and visitors can buy plans for others. */
  canGive: boolean;
  canGetNewsletter: boolean;
  holdsAll: boolean;
};

type OwnContext = Omit<CompletionContext & EndingsContext, keyof MemberModules | "renewalLinks" | "emails"> & {
  emails: CompletionContext["emails"] & EndingsContext["emails"] & GiftContext["emails"] & PaymentEmails;
  cardGateway: CardCharges;
  refunds: CardRefunds | undefined;
};

export function createOwnBackend(own: OwnContext, modules: MemberModules): Backend {
  const ctx = { ...own, ...modules };
  const renewalLinks = createRenewalLinks(ctx);
  return {
    members: {
      ...modules,
      capabilities: {
        canChangePassword: true,
        canLogInWithoutPassword: true,
        canClose: true,
        canRenew: true,
        canCancel: true,
        canGive: true,
        canGetNewsletter: true,
        holdsAll: true,
      },
    },
    joining: createOwnJoining(modules),
    renewalLinks,
    sendEndingEmails: () => sendEndingEmails({ ...ctx, renewalLinks }),
    cardGateway: own.cardGateway,
    refunds: own.refunds,
    fulfil: (order, trx) => (order.giftId === undefined ? fulfilOrder : fulfilGift)({ ...ctx, db: trx }, order),
    endOrder: (order, why, trx) =>
      order.giftId === undefined
        ? modules.membership.revokeOrder(order.id, trx)
        : endGiftOrder({ ...ctx, db: trx }, order, why),
    paymentEmails: own.emails,
    listCounters: (payments) => createCounters({ ...modules, payments }),
  };
}
