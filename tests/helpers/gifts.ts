import type { GiftDetails, GiftPaymentInput } from "../../server/money/gifts/giving.ts";
import type { App } from "./app.ts";
import { type CardName, makeMethod } from "../saga/visitor.ts";

const from = { address: "198.51.100.7", site: "http://dormouse.test/" };

/** Tom gives Wren a year: before eight in the morning of its day, by email. */
export const giftDetails: GiftDetails = {
  ...from,
  token: undefined,
  memberId: undefined,
  planType: 3,
  giverName: "Tom",
  giverEmail: "tom@giver.example",
  recipientName: "Wren",
  isSheet: false,
  recipientEmail: "wren@here.example",
  message: "Sleep well, Wren.",
  day: "2026-11-20",
};

export const giftPayment: GiftPaymentInput = {
  address: from.address,
  postcode: "EX1 1AA",
  methodId: undefined,
  shownPlanType: 3,
  returnUrl: `${from.site}give?step=3`,
  cancelUrl: `${from.site}give?step=2`,
};

type Services = Pick<App, "services">;

export async function startGift({ services }: Services, details: Partial<GiftDetails> = {}): Promise<string> {
  const saved = await services.gifts.save({ ...giftDetails, ...details });
  if (!saved.ok) throw new Error(JSON.stringify(saved));
  return saved.token;
}

/** `hosted` uses the gateway's own page. */
export async function payForGift(
  app: Services,
  token: string,
  { card = "paid", ...input }: Partial<GiftPaymentInput> & { card?: CardName | "hosted" } = {},
) {
  const methodId = card === "hosted" ? undefined : await makeMethod(app, card);
  const draft = await app.services.gifts.findDraft(token);
  return app.services.gifts.pay(token, { ...giftPayment, shownPlanType: draft?.planType, methodId, ...input });
}

export type Given = { token: string; giverToken: string; id: number };

/** Paid, and waiting for its day, or a sheet. */
export async function giveGift(app: Services, details: Partial<GiftDetails> = {}): Promise<Given> {
  const token = await startGift(app, details);
  const paid = await payForGift(app, token);
  const draft = await app.services.gifts.findDraft(token);
  if (!paid.ok || draft?.payment.state !== "completed") throw new Error(JSON.stringify({ paid, draft }));
  const { giverToken } = draft.payment;
  return { token, giverToken, id: (await app.services.gifts.findGiven(giverToken))?.id ?? 0 };
}

/** The present code, as its email or sheet shows it. */
export async function findGiftCode({ services }: Services, giftId: number): Promise<string> {
  return (await services.gifts.find(giftId))?.code ?? "";
}
