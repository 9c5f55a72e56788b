import type { Accounts } from "../accounts/accounts.ts";
import type { Codes } from "../codes/codes.ts";
import type { Queries } from "../database/database.ts";
import type { Membership } from "../membership/membership.ts";
import type { Payments } from "../payments/payments.ts";
import type { Drafts } from "./drafts.ts";
import type { RenewalLinks } from "./renewal-links.ts";
import type { SignUp } from "./sign-up.ts";

type RenewalRooms = {
  db: Queries;
  accounts: Accounts;
  membership: Membership;
  codes: Codes;
  payments: Payments;
  drafts: Drafts;
  links: RenewalLinks;
};

/** A mailed link starts a draft for an account that exists; its address is proved by the mail. */
export function createRenewal(rooms: RenewalRooms): Pick<SignUp, "findRenewal" | "startRenewal"> {
  const { db, accounts, membership, codes, payments, drafts, links } = rooms;

  async function findMember(linkToken: string) {
    const memberId = links.read(linkToken);
    return memberId === undefined ? undefined : accounts.findMember(memberId);
  }

  return {
    async findRenewal(linkToken) {
      const member = await findMember(linkToken);
      return member && { firstName: member.firstName, endsAt: await membership.findCoverEnd(member.id) };
    },

    async startRenewal(linkToken, { site }) {
      const member = await findMember(linkToken);
      if (!member) return undefined;
      const { email, firstName, lastName } = member;
      const code = member.accountType === "corporate" ? await findGoodCode(member.id) : undefined;
      return drafts.add(
        {
          purpose: "renew",
          memberId: member.id,
          email,
          firstName,
          lastName,
          accountType: code ? "corporate" : "individual",
          code,
          keptPassword: undefined,
          isVerified: true,
          site,
        },
        db,
      );
    },
  };

  /** The company's code while the company still pays; without one the member may renew as an individual. */
  async function findGoodCode(memberId: number): Promise<string | undefined> {
    const code = await payments.findLastCode(memberId);
    const check = code === undefined ? undefined : await codes.check(code, memberId);
    return check?.isValid ? code : undefined;
  }
}
