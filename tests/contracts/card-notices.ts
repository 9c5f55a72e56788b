import { expect, test } from "vitest";

import { SECOND_IN_MS } from "../../server/clock.ts";
import type { GatewayNotice } from "../../server/payments/card-gateway.ts";
import type { CardDesk } from "./card-desk.ts";

/** What every card gateway promises of what it tells by itself. */
export function describeCardNotices(openDesk: () => Promise<CardDesk>): void {
  test("tells of what happens, signed, so that each notice leads to its payment or refund", async () => {
    await using desk = await openDesk();
    const { gateway } = desk;
    const waiting = await desk.start("authentication");
    await desk.authenticate(waiting, true);
    const page = await desk.startHosted({ key: "order-7-attempt-2", attempt: 2 });
    await desk.payOnPage(page, "paid");
    const refund = await gateway.refund({ key: "refund", paymentId: page.id, amountInPence: 6000 });
    const notices = await desk.readWebhooks();
    const told = await Promise.all(
      notices.filter(({ kind }) => kind === "payment").map(({ subject }) => gateway.findPayment(subject)),
    );
    expect(new Set(told.map((payment) => payment?.id))).toEqual(new Set([waiting.id, page.id]));
    expect(notices).toContainEqual({ id: expect.any(String), kind: "refund", subject: refund.id });
    expect(new Set(notices.map(({ id }) => id)).size).toBe(notices.length);
  });

  test("believes no webhook that somebody has altered or made up", async () => {
    await using desk = await openDesk();
    await desk.start();
    const webhooks = await desk.takeWebhooks();
    expect(webhooks.length).toBeGreaterThan(0);
    for (const { body, headers } of webhooks) {
      expect(desk.gateway.readNotices(body, headers)).toHaveLength(1);
      expect(desk.gateway.readNotices(body.replace("id", "Id"), headers)).toBeUndefined();
      expect(desk.gateway.readNotices(`${body} `, headers)).toBeUndefined();
      expect(desk.gateway.readNotices(body, new Headers())).toBeUndefined();
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
    const listed = await gateway.listNoticesSince(since);
    const ours = (notices: GatewayNotice[]) => notices.filter(({ kind }) => kind !== "other");
    expect(listed.map(({ subject }) => subject)).toEqual([...new Set([first.id, refund.id])]);
    expect(ours(delivered)).toEqual(expect.arrayContaining(listed));
    expect(await gateway.listNoticesSince(later)).toEqual([
      { id: expect.any(String), kind: "refund", subject: refund.id },
    ]);
    clock.advance(10 * SECOND_IN_MS);
    expect(await gateway.listNoticesSince(clock())).toEqual([]);
  });
}
