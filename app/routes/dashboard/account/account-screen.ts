import { type LoaderFunctionArgs, redirect } from "react-router";

import type { AccountCapabilities, Member } from "../../../../server/accounts/accounts.ts";
import type { ProfileView } from "../../../../server/accounts/profile.ts";
import { formatDate, formatPence } from "../../../../server/format.ts";
import type { Access } from "../../../../server/membership/membership.ts";
import { CORPORATE_PLAN_LABEL } from "../../../../server/membership/rules.ts";
import type { Services } from "../../../../server/services.ts";
import { visitorContext } from "../../../context.ts";
import { requireServices } from "../../../middleware/guards.ts";
import { pathOf } from "../../../paths.ts";
import { unsentForm } from "../../../cookies.ts";
import { linkPath } from "../../login/paths.ts";
import type { AccountAnswer } from "./account-answer.ts";
import { parseFlash, type Flash } from "./flash-messages.ts";
import { type AccountPart, accountPath, parseAccountPart, parseView, viewPath } from "../view.ts";

/** My Account as it is shown. */
export type AccountScreen = {
  part: AccountPart;
  flash: Flash | undefined;
  path: string;
  /** The same screen without My Account. */
  closePath: string;
  memberId: number;
  profile: ProfileView;
  /** False without an active subscription: then we change the details for the member (design, section 3). */
  canChange: boolean;
  contactEmail: string;
  capabilities: AccountCapabilities;
  membership: MembershipView;
  devices: Device[];
  /** What was typed into the details before the session was found to have ended; empty after another form. */
  unsent: Record<string, string> | undefined;
};

export type Device = { id: string; name: string; lastUsed: string; isThis: boolean };

/** My Account, where an address asks for it, with the header that clears the cookie of an unsent form once it is shown. */
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
    flash: parseFlash(url.searchParams.get("flash")),
    path: accountPath(closePath),
    closePath,
    memberId: member.id,
    profile,
    canChange: isActive,
    contactEmail: services.product.contactEmail,
    capabilities: services.capabilities,
    membership: await findMembership(services, member),
    devices: await listDevices(services, member.id, context.get(visitorContext).token ?? ""),
    unsent: isOfThisPage ? ownValues(kept.values, profile) : undefined,
  };
  return { account, headers: isOfThisPage ? { "Set-Cookie": unsentForm.clear(at) } : {} };
}

/** Confirming a new address needs no session, as the email may be opened on any device. */
export function leadToConfirmation({ searchParams }: URL): void {
  if (searchParams.get("account") === "confirm-email")
    throw redirect(linkPath("confirm", searchParams.get("token") ?? ""));
}

/** Only what this member typed, not another member in the same browser. */
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

export type AccountProps = { account: AccountScreen; answer: AccountAnswer | undefined; avatar: string | undefined };

/** The screen that My Account lies over. */
export function pathBehind(url: URL): string {
  return viewPath(parseView(url.searchParams));
}

/** What a member or their company has paid for, in words. */
export type MembershipView = {
  plan: string | undefined;
  /** When it ends or ended. */
  ending: string;
  company: string | undefined;
  receipts: { number: string; date: string; amount: string }[];
};

async function findMembership(services: Services, { id, accountType }: Member): Promise<MembershipView> {
  const { membership, payments, plans } = services;
  const access = await membership.findAccess(id);
  const held = await membership.listFor(id);
  const accessEndsAt = access.isActive ? access.endsAt?.getTime() : undefined;
  const running = held.find(({ endsAt, revokedAt }) => !revokedAt && endsAt.getTime() === accessEndsAt);
  const plan = plans.find(({ type }) => type === running?.planType)?.label;
  const receipts = await payments.listReceipts(id);
  // The account type changes on renewal while the old term still runs, so its order counts. A subscription given by an operator has none.
  const payer = receipts.find(({ orderId }) => orderId === running?.orderId)?.accountType ?? accountType;
  return {
    plan: running && (payer === "corporate" ? CORPORATE_PLAN_LABEL : plan),
    ending: sayEnding(access, {
      coverEnd: access.isActive ? await membership.findCoverEnd(id) : undefined,
      lastEnd: held[0]?.endsAt,
    }),
    company: payer === "corporate" ? await findCompany(services, id) : undefined,
    receipts: receipts.map(({ number, paidAt, amountInPence }) => ({
      number,
      date: formatDate(paidAt),
      amount: formatPence(amountInPence),
    })),
  };
}

type Ends = { coverEnd: Date | undefined; lastEnd: Date | undefined };

function sayEnding(access: Access, { coverEnd, lastEnd }: Ends): string {
  if (coverEnd) return `Ends on ${formatDate(coverEnd)}, nothing more is taken.`;
  if (access.isActive) return "It is active.";
  if (access.isUnknown) return "We cannot see it just now. Please come back in a few minutes.";
  return lastEnd ? `It has ended. It was paid for until ${formatDate(lastEnd)}.` : "There is none.";
}

/** The company that pays. A closed code still has one. */
async function findCompany({ codes }: Services, memberId: number): Promise<string | undefined> {
  const [seat] = await codes.listSeatsFor(memberId);
  if (!seat) return undefined;
  const check = await codes.check(seat.code, memberId);
  return (check.isValid ? check.code : await codes.find(seat.code))?.company?.name;
}
