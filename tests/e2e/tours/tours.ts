import { walkCompany, walkCompanyDoor, walkDesk, walkDeskDoor, walkDeskStates, walkRestOfDesk } from "./desk.ts";
import { walkFaults } from "./faults.ts";
import { walkGifts } from "./gifts.ts";
import { walkGateways, walkSignUpLinks } from "./emails.ts";
import { walkAsVisitor, walkFavourites, walkItems, walkLapsed, walkMenus, walkSections, walkTimer } from "./member.ts";
import { walkAccountLinks, walkClosing, walkMyAccount, walkParts, walkPasswordReset } from "./my-account.ts";
import { walkSteps, walkThroughPayment, walkToARefund, walkToTheEnd, walkWithCode } from "./sign-up.ts";
import type { Tour } from "./tour.ts";

/**
 * Every state that a person can meet; no other state is checked. `stripe.spec.ts` checks the payment step with Stripe's
 * own fields.
 */
export const tours: Record<string, Tour> = {
  "a visitor": walkAsVisitor,
  "a member whose subscription has ended": walkLapsed,
  "a member in the sections and the search": walkSections,
  "a member with an item open": walkItems,
  "a member with a sleep timer": walkTimer,
  "a member among their favourites": walkFavourites,
  "a member in the menus": walkMenus,
  "a member whose line or app fails": walkFaults,
  "a member with a forgotten password": walkPasswordReset,
  "a member in My Account": walkMyAccount,
  "a member in the parts of My Account": walkParts,
  "a member with an email about their account": walkAccountLinks,
  "a member who closes their account": walkClosing,
  "a new member at steps 1 to 3": walkSteps,
  "a new member at the payment": walkThroughPayment,
  "a payment that is returned": walkToARefund,
  "a new member who has paid": walkToTheEnd,
  "a new member with a code": walkWithCode,
  "a member with an email about a membership": walkSignUpLinks,
  "those who give and get a gift": walkGifts,
  "the pages of the gateways": walkGateways,
  "an operator at the door of the desk": walkDeskDoor,
  "an operator at the desk": walkDesk,
  "an operator at the rest of the desk": walkRestOfDesk,
  "an operator with something found, chosen or missing": walkDeskStates,
  "a company's contact at the door": walkCompanyDoor,
  "a company's contact": walkCompany,
};
