import { type LoaderFunctionArgs, redirect } from "react-router";

import type { Member } from "../../../../../server/members/accounts/accounts.ts";
import { displayFullName } from "../../../../../server/members/accounts/profile-fields.ts";
import type { ProfileView } from "../../../../../server/members/accounts/profile.ts";
import { formatDateTime, formatDay, formatPence, toDay } from "../../../../../server/platform/format.ts";
import type { Access, HeldSubscription } from "../../../../../server/money/membership/membership.ts";
import { dayText } from "../../../../../server/content/items/item-facts.ts";
import { CORPORATE_PLAN_LABEL, type Cover, findCover } from "../../../../../server/money/membership/cover.ts";
import type { Receipt } from "../../../../../server/money/payments/records.ts";
import { findPaidState } from "../../../../../server/money/payments/labels.ts";
import type { Services } from "../../../../../server/services.ts";
import { callerContext } from "../../../../frame/context.ts";
import { hasPasskeys } from "../../../../forms/passkey-challenge.ts";
import { requireServices } from "../../../../frame/middleware/guards.ts";
import { toCount } from "../../../../../server/platform/count.ts";
import { toPath } from "../../../../frame/paths.ts";
import { unsentForm } from "../../../../frame/cookies.ts";
import { giftLabels } from "../../../../../server/money/gifts/states.ts";
import { periodLabel, recipientText } from "../../../door/give/gift-texts.ts";
import { givenPath } from "../../../door/give/paths.ts";
import { linkPath } from "../../../door/login/paths.ts";
import { OWN_RENEWAL } from "../../../door/signup/steps.ts";
import type { AccountAnswer } from "./account-answer.ts";
import { parseFlash } from "./flash-messages.ts";
import { type AccountRow, accountPath, parseAccountRow, parseView, viewPath } from "../view.ts";

export type AccountScreen = NonNullable<Awaited<ReturnType<typeof findAccountScreen>>>["account"];

/** `undefined` for other addresses. The header clears the cookie of an unsent form once it is shown. */
export async function findAccountScreen(
  { request, context, url }: LoaderFunctionArgs,
  { member, access }: { member: Member; access: Access },
) {
  const row = parseAccountRow(url.searchParams);
  if (!row) return undefined;
  const services = requireServices(context);
  const found = await services.profile.find(member.id);
  if (!found) return undefined;
  const { pendingUntil, isPasswordOff = false, ...profile } = found;

  const at = { url, services };
  const unsent = unsentForm.read(request, at);
  const isOfThisPage = unsent?.path === toPath(url);
  const closePath = pathBehind(url);
  const account = {
    row,
    flash: parseFlash(url.searchParams.get("flash")),
    path: accountPath(closePath),
    /** The same screen without My Account. */
    closePath,
    memberId: member.id,
    name: displayFullName(member),
    profile,
    /** When a confirmed address takes effect, while the old one may object. */
    pendingUntil: pendingUntil && formatDateTime(pendingUntil),
    /** False without an active subscription: then we change the details for the member (docs/behaviour.md, Access). */
    canChange: access.isActive,
    contactEmail: services.product.contactEmail,
    capabilities: services.capabilities,
    membership: await findMembership(services, { member, access, row }),
    devices: await findDevices(services, member.id, {
      token: context.get(callerContext).token ?? "",
      page: toCount(url.searchParams.get("devices") ?? "") ?? 1,
    }),
    passkeys: await findPasskeys(services, { memberId: member.id, url, token: context.get(callerContext).token ?? "" }),
    isPasswordOff,
    newsletter: services.capabilities.canGetNewsletter ? await services.newsletter.find(member.id) : undefined,
    gifts: services.gifts.isOffered ? await listGifts(services, member.id) : [],
    isRemembering: await services.positions.isOn(member.id),
    /** Typed before the session was found to have ended; empty after another form. */
    unsent: isOfThisPage ? ownValues(unsent.values, profile) : undefined,
  };
  const headers: HeadersInit = isOfThisPage ? { "Set-Cookie": unsentForm.clear(at) } : {};
  return { account, headers };
}

/** Needs no session: the email may be opened on any device. */
export function leadToConfirmation({ searchParams }: URL): void {
  if (searchParams.get("account") === "confirm-email")
    throw redirect(linkPath("confirm", searchParams.get("token") ?? ""));
}

/** Those that the member gave, the newest first. */
async function listGifts({ gifts, plans }: Services, memberId: number) {
  const given = await gifts.listGiven(memberId);
  return given.map((gift) => {
    const plan = plans.find(({ type }) => type === gift.planType);
    return {
      path: givenPath(gift.giverToken),
      title: `${periodLabel(plan)} for ${recipientText(gift).replace(/^The /, "the ")}`,
      state: giftLabels[gift.state],
    };
  });
}

/** Only this member's text, not that of another in the same browser. */
function ownValues(values: Record<string, string>, { email }: ProfileView): Record<string, string> {
  return values.shownEmail === undefined || values.shownEmail === email ? values : {};
}

/** `undefined` where no browser can use them: they belong to a host with a name, over https. */
async function findPasskeys(
  { memberPasskeys, capabilities }: Services,
  { memberId, url, token }: { memberId: number; url: URL; token: string },
) {
  if (!capabilities.canLogInWithoutPassword || !hasPasskeys(url)) return undefined;
  const all = await memberPasskeys.list(memberId);
  const shown = all.map(({ id, name, createdAt, usedAt }) => ({
    id,
    name,
    lastUsed: usedAt ? `last used ${formatDay(usedAt)}` : `added ${formatDay(createdAt)}`,
  }));
  return { shown, isFresh: await memberPasskeys.isFresh(token) };
}

async function findDevices({ sessions }: Services, memberId: number, wanted: { token: string; page: number }) {
  const { devices, page, pageCount, total } = await sessions.listPage(memberId, wanted);
  return {
    shown: devices.map(({ id, device: name, seenAt, isThis }) => ({ id, name, lastUsed: formatDay(seenAt), isThis })),
    page,
    pageCount,
    hasOthers: total > 1,
  };
}

export type AccountProps = { account: AccountScreen; answer: AccountAnswer | undefined; avatar: string | undefined };

/** The screen under My Account. */
export function pathBehind(url: URL): string {
  return viewPath(parseView(url.searchParams));
}

/** So many receipts are listed below the plan; a link shows all. */
const NEWEST_RECEIPTS = 2;

type Held = { member: Member; access: Access; row: AccountRow };

async function findMembership(services: Services, { member, access, row }: Held) {
  const { membership, payments, plans, signUp, capabilities } = services;
  const { id, accountType } = member;
  const cover = findCover(await membership.listFor(id), services.clock());
  const running = cover.state === "active" ? cover.terms[0] : undefined;
  const receipts = (await payments.listReceipts(id)).toReversed();
  // The account type changes on renewal while the old term still runs, so its order counts. An operator's term has
  // none.
  const payer = receipts.find(({ orderId }) => orderId === running?.orderId)?.accountType ?? accountType;
  const plan =
    payer === "corporate" ? CORPORATE_PLAN_LABEL : plans.find(({ type }) => type === running?.planType)?.label;
  // Days compare as text.
  const today = toDay(services.clock());
  const shown = row === "membership" ? receipts : receipts.slice(0, NEWEST_RECEIPTS);
  return {
    text: membershipText(access, cover, running && plan),
    refund: refundText(cover, receipts),
    company: payer === "corporate" ? await findCompany(services, id) : undefined,
    /** For Renew, where the member may renew. */
    renewalToken: (await signUp.findOwnRenewal(id)) && OWN_RENEWAL,
    /** Where another back end sells, a member whose term has ended writes to us. */
    isSoldElsewhere: !capabilities.canRenew && !access.isActive,
    /** With the last day for cancelling. */
    cancellable: receipts.flatMap(({ number, paidAt, amountInPence, partsInPence, cancelUntil }) => {
      if (!capabilities.canCancel || cancelUntil === undefined || today > cancelUntil) return [];
      const paid = formatPence(amountInPence);
      const amount = formatPence(amountInPence - partsInPence);
      return [{ number, paid, amount, date: formatDay(paidAt), until: dayText(cancelUntil) }];
    }),
    receiptCount: receipts.length,
    receipts: shown.map((receipt) => ({
      number: receipt.number,
      date: formatDay(receipt.paidAt),
      amount: formatPence(receipt.amountInPence),
      /** Where money was refunded. */
      state: isUntouched(receipt) ? undefined : findPaidState(receipt).title,
    })),
  };
}

/** The purchase and its end, in a sentence. */
function membershipText(access: Access, cover: Cover<HeldSubscription>, plan: string | undefined): string {
  if (access.isActive) {
    if (!access.endsAt) return plan ?? "Active";
    const ending = `until ${formatDay(access.endsAt)}. Doesn't renew.`;
    return plan === undefined ? `Active ${ending}` : `${plan}, ${ending}`;
  }
  if (access.reason === "unavailable")
    return "We can't see your membership just now. Please try again in a few minutes.";
  if (cover.state === "waiting")
    return `Your membership starts on ${formatDay(cover.startsAt)} and ends on ${formatDay(cover.endsAt)}.`;
  if (cover.state === "over" && cover.last.revokedAt)
    return `Your membership ended on ${formatDay(cover.last.revokedAt)}.`;
  if (cover.state === "over")
    return `Your membership has ended. It was paid for until ${formatDay(cover.last.endsAt)}.`;
  return "You have no membership.";
}

/** Of the term that ended last, if it was refunded or disputed. */
function refundText(cover: Cover<HeldSubscription>, receipts: Receipt[]): string | undefined {
  if (cover.state !== "over") return undefined;
  const receipt = receipts.find(({ orderId }) => orderId === cover.last.orderId);
  return receipt && !isUntouched(receipt) ? findPaidState(receipt).sentence : undefined;
}

function isUntouched(receipt: Receipt): boolean {
  return findPaidState(receipt).title === "Paid";
}

/** The company that pays. A closed code still has one. */
async function findCompany({ codes }: Services, memberId: number): Promise<string | undefined> {
  const [seat] = await codes.listSeatsFor(memberId);
  if (!seat) return undefined;
  const check = await codes.check(seat.code, memberId);
  return (check.isValid ? check.code : await codes.find(seat.code))?.company?.name;
}
