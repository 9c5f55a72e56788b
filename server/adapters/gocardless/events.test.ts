import { describe, expect, test } from "vitest";

import { openBank } from "../../../tests/fakes/gocardless-bank.ts";
import { signWebhook } from "../../../tests/fakes/gocardless-webhooks.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { after } from "../../clock.ts";
import { createGoCardless } from "./gocardless.ts";

describe("what GoCardless tells", () => {
  test("one event of a batch that cannot be read loses none of the others (D10)", async () => {
    await using bank = await openBank();
    const good = Array.from({ length: 249 }, (_, number) => ({
      id: `EV${number}`,
      resource_type: "payments",
      action: "confirmed",
      links: { payment: `PM${number}` },
    }));
    for (const bad of [null, 7, "EV", [], {}, { id: 7 }, { id: "" }, { resource_type: "payments" }]) {
      const events = [...good.slice(0, 100), bad, ...good.slice(100)];
      const { body, headers } = signWebhook(JSON.stringify({ events }), bank.fake.webhookSecret);
      const webhooks = bank.gateway.readEvents(body, headers);
      expect(webhooks).toHaveLength(249);
      expect(webhooks?.[100]).toEqual({ id: "EV100", kind: "debit", subject: "PM100" });
    }
  });

  test("an event that is not for us, or not whole, is kept as one that is about nothing", async () => {
    await using bank = await openBank();
    bank.fake.takeWebhooks();
    bank.fake.tellOfPayout();
    const [told] = bank.fake.takeWebhooks();
    expect(bank.gateway.readEvents(told?.body ?? "", told?.headers ?? new Headers())).toMatchObject([
      { kind: "other" },
    ]);
    const events = [
      { id: "EV1", resource_type: "payments", links: null },
      { id: "EV2", resource_type: "payments", links: { payment: { id: 1 } }, details: 7 },
      { id: "EV3", resource_type: 9, links: { payment: "PM1" } },
      { id: "EV4", resource_type: "mandates", links: { payment: "PM1" } },
      { id: "EV5", resource_type: "__proto__", links: { mandate: "MD1" } },
    ];
    const { body, headers } = signWebhook(JSON.stringify({ events }), bank.fake.webhookSecret);
    expect(bank.gateway.readEvents(body, headers)).toEqual(
      events.map(({ id }) => ({ id, kind: "other", subject: id })),
    );
  });

  test.each(["", "null", "[]", "{", '{"events":{}}', '{"events":null}', "\0"])(
    "signed nonsense (%j) is no batch",
    async (body) => {
      await using bank = await openBank();
      expect(bank.gateway.readEvents(body, signWebhook(body, bank.fake.webhookSecret).headers)).toBeUndefined();
    },
  );

  test("nothing but the right signature over the very body is believed", async () => {
    await using bank = await openBank();
    const { body, headers } = signWebhook('{"events":[]}', bank.fake.webhookSecret);
    const good = headers.get("Webhook-Signature") ?? "";
    const read = (signature: string, text = body) => bank.gateway.readEvents(text, { get: () => signature });
    expect(read(good)).toEqual([]);
    expect(read(good.toUpperCase())).toEqual([]);
    for (const wrong of [
      "",
      "0".repeat(64),
      good.slice(1),
      `${good}zz`,
      `${good}${good}`,
      ` ${good}`,
      "ü".repeat(64),
    ]) {
      expect(read(wrong)).toBeUndefined();
    }
    expect(read(good, '{"events": []}')).toBeUndefined();
    expect(bank.gateway.readEvents(body, signWebhook(body, "another secret").headers)).toBeUndefined();
  });

  test.each([undefined, ""])(
    "without a secret (%j) nothing is believed, not even what was signed with none",
    async (webhookSecret) => {
      const gateway = createGoCardless({ accessToken: "sandbox_x", webhookSecret, clock: createTestClock() });
      const { body, headers } = signWebhook('{"events":[]}', "");
      expect(gateway.readEvents(body, headers)).toBeUndefined();
    },
  );

  test("a list of many pages is walked to its end, and is oldest first", async () => {
    await using bank = await openBank();
    const start = bank.clock();
    bank.clock.advance(1000);
    for (let number = 0; number < 1300; number += 1) {
      bank.clock.advance(10);
      bank.fake.suspendMandate(bank.mandateId);
    }
    const listed = await bank.gateway.listEventsSince(after(start, 500));
    expect(listed.map(({ id }) => id)).toEqual(bank.fake.state.events.slice(-1300).map(({ id }) => id));
    expect(bank.fake.calls.filter(({ path }) => path === "/events")).toHaveLength(6);
  });
});
