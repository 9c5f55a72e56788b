import { redirect, type LoaderFunctionArgs } from "react-router";

import type { Member } from "../../../../server/accounts/accounts.ts";
import type { AccountCapabilities } from "../../../../server/accounts/accounts.ts";
import type { ProfileView } from "../../../../server/accounts/profile.ts";
import { formatDate } from "../../../../server/format.ts";
import type { Services } from "../../../../server/services.ts";
import { visitorContext } from "../../../context.ts";
import { requireServices } from "../../../middleware/guards.ts";
import { pathOf } from "../../../paths.ts";
import { unsentForm } from "../../../unsent-form.ts";
import { linkPath } from "../../login/paths.ts";
import { pathBehind } from "./answers.ts";
import { accountPath, parseAccountPart, type AccountPart } from "./account-path.ts";
import { findMembership, type MembershipView } from "./membership-view.ts";
import { parseTold, type Told } from "./told.ts";

/** My Account as it is shown: what a member may know and change of themselves. */
export type AccountScreen = {
  part: AccountPart;
  told: Told | undefined;
  path: string;
  /** Without My Account. */
  closePath: string;
  memberId: number;
  profile: ProfileView;
  /** False for who has no active subscription: then we change their details for them (design, section 3). */
  canChange: boolean;
  contactEmail: string;
  ways: AccountCapabilities;
  membership: MembershipView;
  devices: Device[];
  /** What was typed into a form before its session was found to be over; the details, if it was theirs. */
  unsent: Record<string, string> | undefined;
};

export type Device = { id: string; name: string; lastUsed: string; isThis: boolean };

/** My Account, where an address asks for it; and whether the browser's memory of an unsent form is used up by that. */
export async function findAccountScreen(
  { request, context, url }: LoaderFunctionArgs,
  { member, isActive }: { member: Member; isActive: boolean },
): Promise<{ account: AccountScreen; headers: Record<string, string> } | undefined> {
  const part = parseAccountPart(url.searchParams);
  if (!part) return undefined;
  const services = requireServices(context);
  const profile = await services.profile.find(member.id);
  if (!profile) return undefined;

  const at = { url, services };
  const kept = unsentForm.read(request, at);
  const isOfThisPage = kept?.path === pathOf(url);
  const closePath = pathBehind(url);
  const account: AccountScreen = {
    part,
    told: parseTold(url.searchParams.get("told")),
    path: accountPath(closePath),
    closePath,
    memberId: member.id,
    profile,
    canChange: isActive,
    contactEmail: services.product.contactEmail,
    ways: services.capabilities,
    membership: await findMembership(services, member),
    devices: await listDevices(services, member.id, context.get(visitorContext).token ?? ""),
    unsent: isOfThisPage ? ownValues(kept.values, profile) : undefined,
  };
  return { account, headers: isOfThisPage ? { "Set-Cookie": unsentForm.clear(at) } : {} };
}

/** A new address is confirmed on a page that needs nobody to be logged in: the email may be opened anywhere. */
export function leadToConfirmation({ searchParams }: URL): void {
  if (searchParams.get("account") === "confirm-email")
    throw redirect(linkPath("confirm", searchParams.get("token") ?? ""));
}

/** Nobody gets to see what another member had typed in the same browser. */
function ownValues(values: Record<string, string>, { email }: ProfileView): Record<string, string> {
  return values.shownEmail === undefined || values.shownEmail === email ? values : {};
}

async function listDevices({ sessions }: Services, memberId: number, token: string): Promise<Device[]> {
  const devices = await sessions.list(memberId, token);
  return devices.map(({ id, device, seenAt, isThis }) => ({
    id,
    name: device,
    lastUsed: formatDate(seenAt),
    isThis,
  }));
}
