import { walkFaults } from "./faults.ts";
import { walkGateways, walkSignUpLinks } from "./emails.ts";
import { walkFavourites, walkItems, walkMenus, walkSections } from "./member.ts";
import { walkAccountLinks, walkClosing, walkMyAccount, walkParts } from "./my-account.ts";
import { walkPasswordReset } from "./password.ts";
import { walkSteps, walkThroughPayment, walkToARefund, walkToTheEnd, walkWithCode } from "./sign-up.ts";
import type { Tour } from "./tour.ts";
import { walkLapsed, walkAsVisitor } from "./visitor.ts";

/** Every state that a person can meet: what is not on one of these walks has not been looked at. The payment step with Stripe's own fields is looked at in `stripe.spec.ts`. */
export const tours: Record<string, Tour> = {
  "a visitor": walkAsVisitor,
  "a member whose subscription has ended": walkLapsed,
  "a member in the sections and the search": walkSections,
  "a member with an item open": walkItems,
  "a member among their favourites": walkFavourites,
  "a member in the menus": walkMenus,
  "somebody in trouble": walkFaults,
  "who has forgotten a password": walkPasswordReset,
  "a member in My Account": walkMyAccount,
  "a member in the parts of My Account": walkParts,
  "who follows an email about an account": walkAccountLinks,
  "who closes an account": walkClosing,
  "who signs up": walkSteps,
  "who pays": walkThroughPayment,
  "whose payment is returned": walkToARefund,
  "who has paid": walkToTheEnd,
  "who joins by a code": walkWithCode,
  "who follows an email about a membership": walkSignUpLinks,
  "the payment's other side": walkGateways,
};
