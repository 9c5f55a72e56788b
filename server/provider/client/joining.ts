import { isSamePassword } from "../../members/accounts/passwords.ts";
import type { CodeCheck } from "../../money/companies/code.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { isAnySold, plans } from "../../money/membership/plans.ts";
import type { Fulfilment } from "../../money/payments/context.ts";
import { type NewOrder, type Order, toReceiptNumber } from "../../money/payments/orders.ts";
import { codes as messages } from "../../refusals.ts";
import type { Browser, Claim, StartedSession } from "../../members/sessions/sessions.ts";
import { claimDraft, type DraftRow, noteMember } from "../../money/sign-up/drafts.ts";
import type { AccountOpening, AddressInput, SeatTaken } from "../../money/sign-up/joining.ts";
import { forgetAccess } from "./access.ts";
import {
  catchProviderError,
  isUnrelated,
  type ProviderRefusal,
  requireAnswer,
  toError,
  unavailable,
} from "./answers.ts";
import {
  type RequestedAccount,
  findRequest,
  findJoiningToken,
  findProviderOrder,
  forgetJoiningTokens,
  noteRequest,
  noteOpened,
} from "./requests.ts";
import type { ProviderContext } from "./context.ts";
import { enter } from "./members.ts";
import { isActive, toPlacedOrder } from "./payments.ts";
import { keepToken } from "./tokens.ts";
import { cleanText, toPasswordText } from "../../platform/text.ts";

/** By the provider. @throws {ProviderError} where it does not answer. */
export async function checkCode(ctx: ProviderContext, code: string): Promise<CodeCheck> {
  const productCode = cleanText(code);
  if (productCode === "") return { isValid: false, reason: "unknown", message: messages.empty };
  const checked = await ctx.client.call("checkcouponvalidity", { productCode });
  if (!checked.ok) {
    if (isUnrelated(checked)) throw toError(checked);
    return { isValid: false, reason: "unknown", message: checked.message };
  }
  const { valid, message } = checked.answer;
  if (!valid) return { isValid: false, reason: "unknown", message: message?.trim() || messages["not-valid"] };
  return checkProducts(ctx, productCode);
}

/** A shop's valid code may be for something that is not sold here. */
async function checkProducts({ client, clock }: ProviderContext, code: string): Promise<CodeCheck> {
  const unlocked = requireAnswer(await client.call("checkcouponproducts", { productCode: code }));
  const products = unlocked.product_ids;
  if (!isAnySold(products)) return { isValid: false, reason: "unknown", message: messages["not-sold"] };
  // The provider counts its seats.
  const unknown = { endsAt: undefined, revokedAt: undefined, company: undefined, fault: undefined };
  const seats = { seats: 0, seatsTaken: 0, startsAt: clock(), createdAt: clock() };
  return { isValid: true, code: { code, products, ...seats, ...unknown } };
}

/** An account that was opened for the draft itself does not count. */
export async function isAddressTaken(
  ctx: ProviderContext,
  { email, password, before }: AddressInput,
): Promise<boolean> {
  const own = before && (await findRequest(ctx, { id: before.id, email }));
  const sealed = before?.protectedPassword;
  // The account has the password that it was opened with, which cannot be changed from here.
  const opened = sealed === undefined ? undefined : ctx.seals.password.open(sealed);
  const isOwn = own !== undefined && opened !== undefined && isSamePassword(opened, password);
  if (own?.memberId !== undefined) return !isOwn;
  const isTaken = await catchProviderError(isRegistered(ctx, email), (error) => {
    // It is asked again before anything is charged.
    ctx.log.warn({ error }, "an address could not be looked up");
    return false;
  });
  return isTaken && !isOwn;
}

async function isRegistered({ client }: ProviderContext, email: string): Promise<boolean> {
  const found = await client.call("grabuserid", { email });
  if (!found.ok && found.status !== 404) throw toError(found);
  return found.ok;
}

const REGISTERED = { ok: false, reason: "email-registered" } as const;
const UNAVAILABLE = { ok: false, reason: "unavailable" } as const;

/**
 * Opens a draft's account just before its first payment, with the password of step 1, which the draft stores sealed.
 * The request is recorded first: after a lost answer, the password logs in to the account.
 */
export async function openAccount(ctx: ProviderContext, draft: DraftRow, address: string): Promise<AccountOpening> {
  const own = await findRequest(ctx, draft);
  if (own?.memberId !== undefined && own.token !== undefined) return { ok: true };
  return catchProviderError(askForAccount(ctx, draft, { address, own }), (error) => {
    ctx.log.warn({ error, draft: draft.id }, "an account could not be opened");
    return UNAVAILABLE;
  });
}

async function askForAccount(
  ctx: ProviderContext,
  draft: DraftRow,
  { address, own }: { address: string; own: RequestedAccount | undefined },
): Promise<AccountOpening> {
  const { email } = draft;
  if (!own && (await isRegistered(ctx, email))) return REGISTERED;
  await noteRequest(ctx, draft);
  const password = openPassword(ctx, draft);
  const refusal = own?.memberId === undefined ? await signUp(ctx, draft, password) : undefined;
  // Perhaps made by another click, or by a request without an answer: then this password opens it.
  if (refusal && refusal.status !== 409 && !own) return toOpeningRefusal(refusal);
  const entered = await enter(ctx, { email, password, address });
  if (!entered.ok && entered.reason === "too-many-attempts") return UNAVAILABLE;
  if (!entered.ok) return refusal ? toOpeningRefusal(refusal) : REGISTERED;
  await noteOpened(ctx, draft, { memberId: entered.member.id, token: entered.token });
  return { ok: true };
}

function openPassword({ seals }: ProviderContext, { protectedPassword = "" }: DraftRow): string {
  const password = seals.password.open(protectedPassword);
  if (password === undefined) throw new Error("The password of a draft cannot be read: was it sealed elsewhere?");
  return password;
}

async function signUp(
  { client }: ProviderContext,
  draft: DraftRow,
  typed: string,
): Promise<ProviderRefusal | undefined> {
  const { firstName: first_name, lastName: last_name, email, accountType: userType, code } = draft;
  const password = toPasswordText(typed);
  const codes = code === undefined ? {} : { dormouseCode: code, productCode: code };
  const made = await client.call("usersignup", { first_name, last_name, email, password, userType, ...codes });
  return made.ok ? undefined : made;
}

function toOpeningRefusal(refusal: ProviderRefusal): AccountOpening {
  if (isUnrelated(refusal)) return UNAVAILABLE;
  return refusal.status === 409 ? REGISTERED : { ok: false, reason: "account-refused", message: refusal.message };
}

/** With the token of their sign-up. */
export async function startSession(
  ctx: ProviderContext,
  { memberId, browser, claim }: { memberId: number; browser: Browser | undefined; claim: Claim },
): Promise<StartedSession> {
  const inTransaction = { ...ctx, db: claim.trx };
  const session = await ctx.sessions.start(memberId, browser, claim);
  const token = await findJoiningToken(inTransaction, memberId);
  if (token !== undefined) await keepToken(inTransaction, session.token, { memberId, token });
  await forgetJoiningTokens(inTransaction, memberId);
  forgetAccess(ctx, memberId);
  return session;
}

/**
 * Takes the seat of a company's order by an order at the provider. A repeat takes no second seat; after a lost answer,
 * we ask whether the member has joined.
 */
export async function takeSeat(ctx: ProviderContext, order: NewOrder): Promise<SeatTaken> {
  const { draftId: id, email } = order;
  const { memberId, token } = (id !== undefined && (await findRequest(ctx, { id, email }))) || {};
  // Another click has just ended the draft, or found that the token has expired.
  if (memberId === undefined || token === undefined) return UNAVAILABLE;
  return catchProviderError(askForSeat(ctx, order, { memberId, token }), (error) => {
    ctx.log.warn({ error, draft: order.draftId }, "a seat could not be taken");
    return UNAVAILABLE;
  });
}

async function askForSeat(
  ctx: ProviderContext,
  order: NewOrder,
  member: { memberId: number; token: string },
): Promise<SeatTaken> {
  const { memberId, token } = member;
  const seat = { ...toPlacedOrder(memberId, order), coupon_lines: [{ code: order.code ?? "" }] };
  const placed = await catchProviderError(ctx.client.call("sendcombined", seat, { token }), () => undefined);
  if (placed && !placed.ok) {
    if (placed.status === 401) await forgetJoiningTokens(ctx, memberId);
    if (isUnrelated(placed)) throw toError(placed);
    return { ok: false, reason: "code-refused", message: placed.message };
  }
  const status = placed?.answer.order?.status ?? placed?.answer.status;
  // Joining by a code makes a member active once its seat is taken, and not before.
  if (status === "completed" || (await isActive(ctx, member))) return { ok: true };
  throw unavailable("it is not known whether a seat was taken");
}

/**
 * Records an order that the provider has completed: account, seat, subscription and emails are made there. Money taken
 * there is never refunded from here, whatever happened to the draft: the payer has what they paid for. Call it in a
 * transaction.
 */
export async function fulfilOrder(ctx: ProviderContext, order: Order): Promise<Fulfilment> {
  const { draftId, email, planType } = order;
  const draft = draftId === undefined ? undefined : await claimDraft(ctx, draftId);
  const isFree = order.accountType === "corporate";
  // A second click: the first has recorded everything.
  if (!draft && isFree) return { ok: false, reason: draftId === undefined ? "sign-up-gone" : "already-completed" };
  // The gateway knows the payer by their number.
  const requested = draftId === undefined ? undefined : await findRequest(ctx, { id: draftId, email });
  const memberId = order.customerId === undefined ? requested?.memberId : Number(order.customerId);
  if (memberId === undefined) throw new Error("A provider's order was completed without a member");
  if (draft) await noteMember(ctx, { id: draft.id, memberId, email });
  const startsAt = ctx.clock();
  const number = await findProviderOrder(ctx, order.id);
  return {
    ok: true,
    memberId,
    hasJoined: draft !== undefined,
    startsAt,
    endsAt: addMonths(startsAt, plans[planType].months),
    // The provider's email has its own number; if we do not know it, ours must not look like it.
    receiptNumber: number === undefined ? `F${toReceiptNumber(order.id, startsAt)}` : toReceiptNumber(number, startsAt),
  };
}
