import { type ActionFunctionArgs, data, redirect, redirectDocument } from "react-router";
import { z } from "zod";

import { declines, forms, gifts as table, payment } from "../../../../server/refusals.ts";
import type { GiftDetailsRefusal } from "../../../../server/money/gifts/giving.ts";
import { waitText } from "../../../../server/platform/format.ts";
import type { Services } from "../../../../server/services.ts";
import { callerContext, requestSource } from "../../../frame/context.ts";
import { giftCookie, readGiftToken } from "../../../frame/cookies.ts";
import { type Refusal, refuse } from "../../../forms/answer.ts";
import { type FieldMessage, refuseTooMany, toFieldErrors, tooSoon } from "../../../forms/messages.ts";
import { parseForm } from "../../../forms/parse-form.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { cardPayment, leadOn, leaveCardScript } from "../signup/pay.ts";
import { giveCheckingPath, giveExpiredPath, givePath } from "./paths.ts";

/** 404 where another back end sells. */
export function requireOffered({ gifts }: Services): void {
  if (!gifts.isOffered) throw data(table["not-offered"], { status: 404 });
}

const text = z.string({ error: forms["text-unreadable"] }).default("");

const details = z.object({
  planType: text,
  giverName: text,
  giverEmail: text,
  recipientName: text,
  by: z.enum(["email", "sheet"]).default("email").catch("email"),
  recipientEmail: text,
  message: text,
  day: text,
});

export type GiveFields = z.infer<typeof details>;

export type GiveAnswer = Refusal<"give" | "pay">;

const messages: Record<GiftDetailsRefusal, FieldMessage<keyof GiveFields>> = {
  "plan-missing": ["planType", table["plan-missing"]],
  "giver-name-missing": ["giverName", table["giver-name-missing"]],
  "giver-name-long": ["giverName", table["giver-name-long"]],
  "giver-email-invalid": ["giverEmail", table["giver-email-invalid"]],
  "recipient-name-missing": ["recipientName", table["recipient-name-missing"]],
  "recipient-name-long": ["recipientName", table["recipient-name-long"]],
  "recipient-email-invalid": ["recipientEmail", table["recipient-email-invalid"]],
  "message-long": ["message", table["message-long"]],
  "day-invalid": ["day", table["day-invalid"]],
};

/** Leads to the payment, or back to the form with every error. */
export async function saveGift(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const services = requireServices(context);
  requireOffered(services);
  const submission = parseForm(form, details, []);
  if (!submission.ok) return refuse("give", submission.reply());
  const { by, ...value } = submission.value;
  const result = await services.gifts.save({
    ...value,
    ...requestSource(context, url),
    isSheet: by === "sheet",
    memberId: context.get(callerContext).member?.id,
    token: readGiftToken(request, url),
  });
  if (result.ok) {
    // As a document where the payment has a gateway's script: a client-side navigation would load it twice.
    const lead = services.cardFields.script ? redirectDocument : redirect;
    return lead(givePath(3), { status: 303, headers: { "Set-Cookie": giftCookie(url, result.token) } });
  }
  switch (result.reason) {
    case "refused":
      return refuse(
        "give",
        submission.reply({ fieldErrors: toFieldErrors(result.refusals.map((each) => messages[each])) }),
      );
    case "paying":
      return redirect(givePath(3), 303);
    case "not-offered":
      return requireOffered(services);
    case "too-many-attempts":
      return refuseTooMany("give", result, submission.reply);
  }
}

/** Pays, leads to the payer's bank, or returns to the form with the reason. */
export async function payForGift(form: FormData, args: ActionFunctionArgs) {
  return leaveCardScript(await payOrRefuse(form, args), args);
}

async function payOrRefuse(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const { gifts, plans } = requireServices(context);
  const submission = parseForm(form, cardPayment(plans), ["methodId", "isCardWrong"]);
  if (!submission.ok) return refuse("pay", submission.reply());
  const token = readGiftToken(request, url);
  if (!token) return redirect(giveExpiredPath, 303);
  const { plan: shownPlanType, postcode, methodId, isCardWrong } = submission.value;
  const { address, site } = requestSource(context, url);
  const result = await gifts.pay(token, {
    shownPlanType,
    postcode,
    methodId,
    isCardWrong: isCardWrong !== undefined,
    address,
    returnUrl: site + givePath(4).slice(1),
    cancelUrl: site + givePath(3).slice(1),
  });
  if (result.ok && result.next === "continue") return leadOn(result.url, { request, url, step: givePath(3) });
  if (result.ok) return redirect(result.next === "checking" ? giveCheckingPath : givePath(4), 303);
  const { reply } = submission;
  switch (result.reason) {
    case "no-gift":
      return redirect(giveExpiredPath, 303);
    case "declined":
      return refuse("pay", reply({ formErrors: [declines[result.decline]] }));
    case "plan-changed":
      return refuse("pay", reply({ formErrors: [payment["plan-changed"]] }));
    case "incomplete": {
      // The page itself names faults of the card.
      const isMissing = result.missing.includes("postcode-missing");
      return refuse("pay", reply({ fieldErrors: isMissing ? { postcode: [payment["postcode-missing"]] } : {} }));
    }
    case "too-many-attempts": {
      const sentence = payment["too-many-attempts"](waitText(result.waitInMs));
      return refuse("pay", reply({ formErrors: [sentence] }), tooSoon(result.waitInMs));
    }
  }
}
