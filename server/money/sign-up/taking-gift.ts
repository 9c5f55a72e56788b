import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import type { GiftCheck, GiftOffer } from "../gifts/taking-up.ts";
import type { SignUpContext } from "./context.ts";
import { claimDraft, type DraftRow, findDraft, findDraftById, noteMember } from "./drafts.ts";
import { countPayment } from "./verification.ts";

/** A draft that a gift pays for has the gift's code, and an individual account. */
function findGiftCode({ purpose, accountType, code }: DraftRow): string | undefined {
  return purpose === "join" && accountType === "individual" ? code : undefined;
}

/** `refusal`: the gift was taken up or has ended since the details were typed. */
export type DraftGift = { code: string; offer?: GiftOffer; refusal?: string; isTakenUp: boolean };

export async function findDraftGift(ctx: SignUpContext, draft: DraftRow): Promise<DraftGift | undefined> {
  const code = findGiftCode(draft);
  if (code === undefined) return undefined;
  if (draft.state === "completed") return { code, isTakenUp: true };
  const check: GiftCheck = await ctx.gifts.findOffer(code);
  return { code, isTakenUp: false, ...(check.ok ? { offer: check.gift } : { refusal: check.message }) };
}

export type TakeGiftResult =
  /** The browser may be logged in now (`claimSession`). */
  | { ok: true }
  | { ok: false; reason: "no-draft" | "no-gift" | "unverified" | "email-registered" }
  | { ok: false; reason: "gift-refused"; message: string }
  | TooMany;

/** In place of the payment: makes the account, and takes the gift up for it. A repeat answers as the first did. */
export async function takeGiftForDraft(ctx: SignUpContext, token: string, address: string): Promise<TakeGiftResult> {
  const draft = await findDraft(ctx, token);
  const code = draft && findGiftCode(draft);
  if (!draft) return { ok: false, reason: "no-draft" };
  if (code === undefined) return { ok: false, reason: "no-gift" };
  if (draft.state === "completed") return { ok: true };
  const tooMany = await countPayment(ctx, { address, draftId: draft.id });
  if (tooMany) return tooMany;
  if (!draft.isVerified) return { ok: false, reason: "unverified" };
  try {
    const memberId = await ctx.db.transaction().execute((trx) => take({ ...ctx, db: trx }, { draft, code }));
    if (memberId !== undefined) ctx.log.info({ member: memberId }, "a member joined");
  } catch (error) {
    if (error instanceof Refused) return error.result;
    throw error;
  }
  ctx.reach("gift-taken");
  return { ok: true };
}

/** Returns the new member's id, or `undefined` when another click was faster. */
async function take(
  ctx: SignUpContext,
  { draft, code }: { draft: DraftRow; code: string },
): Promise<number | undefined> {
  const { db: trx, accounts, gifts, emails } = ctx;
  const claimed = await claimDraft(ctx, draft.id);
  if (!claimed) {
    // A second click, or a payment in another tab.
    if ((await findDraftById(ctx, draft.id))?.state === "completed") return undefined;
    throw new Refused({ ok: false, reason: "no-draft" });
  }
  const { email, firstName, lastName, accountType, protectedPassword: passwordHash, site } = claimed;
  const member = passwordHash
    ? await accounts.admit({ email, firstName, lastName, accountType, passwordHash }, trx)
    : undefined;
  if (!member) throw new Refused({ ok: false, reason: "email-registered" });
  const taken = await gifts.take({ code, memberId: member.id }, trx);
  if (!taken.ok) throw new Refused({ ok: false, reason: "gift-refused", message: taken.message });
  await noteMember(ctx, { id: draft.id, memberId: member.id, email: member.email });
  await emails.welcome({ member, endsAt: taken.endsAt, site }, trx);
  return member.id;
}

/** Ends the transaction without a fault. */
class Refused extends Error {
  readonly result: TakeGiftResult;

  constructor(result: TakeGiftResult) {
    super("A gift could not be taken up");
    this.result = result;
  }
}
