/** The acts of operators at the desk. Pure, so that pages may show only what is allowed. */

/** `support` answers members; `owner` also decides about money, codes, addresses and closing. */
export const roles = ["support", "owner"] as const;

export type Role = (typeof roles)[number];

/** Every act of the desk, by the `intent` of its form, and the least role that it needs. */
export const acts = {
  "member-verification": "support",
  "member-reset": "support",
  "member-name": "support",
  "member-sessions": "support",
  "member-term": "support",
  "member-address": "owner",
  "member-restore": "owner",
  "member-end": "owner",
  "member-refund": "owner",
  "member-close": "owner",
  "sign-up-verification": "support",
  "access-recovery": "support",
  "access-passkey-remove": "support",
  "access-sessions": "support",
  "email-resend": "support",
  "email-acknowledge": "support",
  "emails-resend": "support",
  "emails-acknowledge": "support",
  "webhook-retry": "support",
  "catalogue-refresh": "support",
  "company-add": "owner",
  "company-page-send": "support",
  "contact-invite": "support",
  "contact-remove": "support",
  "code-make": "owner",
  "code-extend": "owner",
  "code-end": "support",
  "seat-free": "support",
} satisfies Record<string, Role>;

export type Act = keyof typeof acts;

export function mayDo(role: Role, act: Act): boolean {
  return roles.indexOf(role) >= roles.indexOf(acts[act]);
}

/** In characters, of the reason that an operator gives for an act. */
export const REASON_MAX_LENGTH = 500;
