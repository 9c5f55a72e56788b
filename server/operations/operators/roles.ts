/** Pure, so that pages may show only what is allowed. */

/** `support` answers members; `owner` also decides about money, codes, addresses and closing. */
export const roles = ["support", "owner"] as const;

export type Role = (typeof roles)[number];

/** In characters. */
export const MAX_NAME_LENGTH = 80;

export function hasRole(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** In characters, for an act. */
export const REASON_MAX_LENGTH = 500;
