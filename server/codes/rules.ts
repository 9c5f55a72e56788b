import type { CodeFault } from "./code.ts";
import type { CollectionState } from "./collections.ts";
import type { CompanyState } from "./company.ts";

/** How operators read companies and codes, in commands, at the desk and in files. Pure. */

export const companyLabels: Record<CompanyState, string> = {
  "setting-up": "has not agreed yet",
  live: "live",
  grace: "in grace",
  stopped: "stopped",
};

export const collectionLabels: Record<CollectionState, string> = {
  due: "to be collected",
  again: "to be collected again",
  pending: "on its way",
  confirmed: "collected",
  "paid-out": "paid out",
  failed: "failed",
  "charged-back": "claimed back",
  cancelled: "cancelled",
};

/** Why a code does not work now. */
export const faultLabels: Record<CodeFault, string> = {
  "not-started": "it has not begun",
  ended: "it has ended",
  revoked: "revoked",
  full: "no seat is left",
  stopped: "its company has stopped paying",
  "setting-up": "its company has not agreed yet",
  "not-sold": "none of its products is sold here",
};
