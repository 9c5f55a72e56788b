import type { GiftPoint, SagaPoint } from "../../server/context.ts";
import { DAY_IN_MS, HOUR_IN_MS } from "../../server/platform/clock.ts";
import type { Services } from "../../server/services.ts";
import { giftDetails, payForGift } from "../helpers/gifts.ts";

/** The steps of a gift's life, each with the points at which a process can die in it. */
export const giftSteps = {
  buy: [
    "order-opening",
    "order-opened",
    "customer-created",
    "customer-noted",
    "payment-requested",
    "payment-noted",
    "order-paid",
    "gift-buying",
    "gift-sending",
    "order-completing",
    "order-completed",
  ],
  deliver: ["gift-sending", "gift-sent"],
  move: ["gift-moving"],
  "take up": ["gift-claiming", "gift-taking", "gift-taken"],
  join: ["gift-claiming", "gift-taking", "gift-taken"],
  cancel: ["gift-cancelling", "refund-decided", "refund-requested", "refund-noted"],
  expire: ["gift-expiring"],
  end: ["gift-ending", "refund-decided", "refund-requested", "gift-ended"],
} satisfies Record<string, (GiftPoint | SagaPoint)[]>;

export type GiftStep = keyof typeof giftSteps;

/** `token`: of the giver's browser, or of the visitor who joins. */
export type GiftStepInput = { step: GiftStep; token: string; giftId: number; code: string; memberId: number };

/** How long after the gift was bought a step is taken. */
export const stepsAfterInMs: Partial<Record<GiftStep, number>> = {
  deliver: 6 * HOUR_IN_MS,
  expire: 370 * DAY_IN_MS,
};

export async function takeGiftStep(services: Services, input: GiftStepInput): Promise<unknown> {
  const { step, token, giftId, code, memberId } = input;
  const { gifts, signUp } = services;
  const { address, site } = giftDetails;
  switch (step) {
    case "buy":
      return payForGift({ services }, token);
    case "deliver":
    case "expire":
      return gifts.lookAfter();
    case "move":
      return gifts.changeRecipient({ giftId, recipientName: "Bea", recipientEmail: "bea@here.example" });
    case "take up":
      return gifts.takeUp({ code, memberId, address });
    case "join":
      return signUp.takeGift(token, { address, site });
    case "cancel":
      return gifts.cancel(giftId);
    case "end":
      return gifts.end({ giftId, by: { operator: "olive", reason: "They asked" } });
  }
}
