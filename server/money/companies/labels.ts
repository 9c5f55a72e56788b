import { tidyCode } from "../../platform/text.ts";
import type { CollectionState } from "./collections.ts";
import type { CompanyState } from "./company.ts";

/** The form of a code, and codes and companies in words. Pure. */

const MAX_LENGTH = 40;
const CODE_PATTERN = /^[A-Z0-9][A-Z0-9-]{2,}[A-Z0-9]$/;

/** In any case; `undefined` when it can be no code. */
export function toCodeKey(code: string): string | undefined {
  if (code.length > 4 * MAX_LENGTH) return undefined;
  const key = tidyCode(code).toUpperCase();
  return key.length <= MAX_LENGTH && CODE_PATTERN.test(key) ? key : undefined;
}

export const companyLabels: Record<CompanyState, string> = {
  "setting-up": "no Direct Debit yet",
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

/** `stopped` and `setting-up` are states of the company. */
export type CodeFault = "not-started" | "ended" | "revoked" | "full" | "stopped" | "setting-up" | "not-sold" | "gift";

export const faultLabels: Record<CodeFault, string> = {
  "not-started": "it hasn't started",
  ended: "it has ended",
  revoked: "an operator ended it",
  full: "no seats are left",
  stopped: "its company has stopped paying",
  "setting-up": "its company hasn't set up its Direct Debit",
  "not-sold": "we don't sell any of its products",
  gift: "it's a gift",
};

/** Whether a code works now, and if not, why. */
export function worksText(fault: CodeFault | undefined): string {
  return fault ? `no, ${faultLabels[fault]}` : "yes";
}
