import { expect, test } from "vitest";

import { SECOND_IN_MS } from "../../server/clock.ts";
import type { WebhookEvent } from "../../server/payments/card-gateway.ts";
import type { CardDesk } from "./card-desk.ts";

/** What every card gateway promises of what it tells by itself. */
export function describeCardWebhooks(openDesk: () => Promise<CardDesk>): void {
  test("tells of what happens, signed, so that each webhook event leads to its payment or refund", async () => {
    await using desk = await openDesk();
    const { gateway } = desk;
    const waiting = await desk.start("authentication");
    await desk.authenticate(waiting, true);
    const page = await desk.startHosted({ key: "order-7-attempt-2", attempt: 2 });
    await desk.payOnPage(page, "paid");
    const refund = await gateway.refund({ key: "refund", paymentId: page.id, amountInPence: 6000 });
    const webhooks = await desk.readWebhooks();
    const told = await Promise.all(
      webhooks.filter(({ kind }) => kind === "payment").map(({ subject }) => gateway.findPayment(subject)),
    );
    expect(new Set(told.map((payment) => payment?.id))).toEqual(new Set([waiting.id, page.id]));
    expect(webhooks).toContainEqual({ id: expect.any(String), kind: "refund", subject: refund.id });
    expect(new Set(webhooks.map(({ id }) => id)).size).toBe(webhooks.length);
  });

  test("believes no webhook that somebody has altered or made up", async () => {
    await using desk = await openDesk();
    await desk.start();
    const webhooks = await desk.takeWebhooks();
    expect(webhooks.length).toBeGreaterThan(0);
    for (const { body, headers } of webhooks) {
      expect(desk.gateway.readEvents(body, headers)).toHaveLength(1);
      expect(desk.gateway.readEvents(body.replace("id", "Id"), headers)).toBeUndefined();
      expect(desk.gateway.readEvents(`${body} `, headers)).toBeUndefined();
      expect(desk.gateway.readEvents(body, new Headers())).toBeUndefined();
    }
  });

  test("tells again of everything since a moment, oldest first, delivered or not", async () => {
    await using desk = await openDesk();
    const { gateway, clock } = desk;
    const since = clock();
    const first = await desk.start();
    clock.advance(10 * SECOND_IN_MS);
    const later = clock();
    const refund = await gateway.refund({ key: "refund", paymentId: first.id, amountInPence: 6000 });
    const delivered = await desk.readWebhooks();
    const listed = await gateway.listEventsSince(since);
    const ours = (webhooks: WebhookEvent[]) => webhooks.filter(({ kind }) => kind !== "other");
    expect(listed.map(({ subject }) => subject)).toEqual([...new Set([first.id, refund.id])]);
    expect(ours(delivered)).toEqual(expect.arrayContaining(listed));
    expect(await gateway.listEventsSince(later)).toEqual([
      { id: expect.any(String), kind: "refund", subject: refund.id },
    ]);
    clock.advance(10 * SECOND_IN_MS);
    expect(await gateway.listEventsSince(clock())).toEqual([]);
  });
}
