import { displayName } from "../../../server/accounts/rules.ts";
import { formatDate } from "../../../server/format.ts";
import type { Services } from "../../../server/services.ts";

/** What a link of an email opens. Loading it changes nothing: mail scanners follow links (design, section 3). */
export type LinkScreen =
  | { name: "verify-link"; token: string; email: string }
  | { name: "verified" }
  /** `endsOn`: of what is paid for and runs still. */
  | { name: "renewal"; token: string; firstName: string; endsOn: string | undefined }
  | { name: "bad-link"; kind: "verify" | "renew" }
  /** Where a company comes back to from the page on which it agrees to its Direct Debit. */
  | { name: "company"; hasAgreed: boolean };

/** The screen of an email's link; `undefined` when the address is none. */
export async function findLinkScreen({ signUp }: Services, params: URLSearchParams): Promise<LinkScreen | undefined> {
  const verifying = params.get("verify");
  if (verifying !== null) {
    const found = await signUp.findVerification(verifying);
    return found ? { name: "verify-link", token: verifying, email: found.email } : { name: "bad-link", kind: "verify" };
  }
  const renewing = params.get("renew");
  if (renewing !== null) {
    const found = await signUp.findRenewal(renewing);
    if (!found) return { name: "bad-link", kind: "renew" };
    const endsOn = found.endsAt && formatDate(found.endsAt);
    return { name: "renewal", token: renewing, firstName: displayName(found.firstName), endsOn };
  }
  const company = params.get("company");
  if (company !== null) return { name: "company", hasAgreed: company === "agreed" };
  return params.has("verified") ? { name: "verified" } : undefined;
}
