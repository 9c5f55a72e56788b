import type { Member } from "../../../server/accounts/accounts.ts";
import type { CallAnswer } from "../../../server/provider-api/wire.ts";
import type { Visit } from "./visit.ts";

/** A member as clients of the API read one. */
export async function toUser({ rooms, site }: Visit, member: Member): Promise<CallAnswer<"getcurrentuser">[number]> {
  const access = await rooms.membership.findAccess(member.id);
  const picture = await rooms.avatars.findHash(member.id);
  return {
    id: member.id,
    first_name: member.firstName,
    last_name: member.lastName,
    email: member.email,
    avatar_url: picture === undefined ? null : `${site}api/users/avatars/${picture}`,
    userType: member.accountType,
    hasActiveSubscription: access.isActive,
    subscription_ends_at: (access.isActive && access.endsAt?.toISOString()) || null,
  };
}
