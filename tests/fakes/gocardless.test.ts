import { GoCardlessClient, Environments } from "gocardless-nodejs";
import { parse } from "gocardless-nodejs/webhooks";
import { describe, expect, test } from "vitest";

import { createTestClock } from "../helpers/test-clock.ts";
import { startGoCardlessFake, visitFlow, type GoCardlessFake } from "./gocardless.ts";

/** GoCardless's own client knows only two hosts; a private field leads it to the fake. */
function createOfficialClient({ accessToken, apiBase }: GoCardlessFake): GoCardlessClient {
  const client = new GoCardlessClient(accessToken, Environments.Sandbox);
  (client as unknown as { _api: { _baseUrl: string } })._api._baseUrl = apiBase;
  return client;
}

const wanted = { mandate_request: { scheme: "bacs", currency: "GBP" }, metadata: { company_id: "7" } };

async function agree(client: GoCardlessClient): Promise<string> {
  const { id } = await client.billingRequests.create(wanted, "request");
  const flow = await client.billingRequestFlows.create({
    redirect_uri: "https://dormouse.example/agreed",
    exit_uri: "https://dormouse.example/left",
    links: { billing_request: id ?? "" },
  });
  await visitFlow(flow.authorisation_url ?? "", "agree");
  return (await client.billingRequests.find(id ?? "")).links?.mandate_request_mandate ?? "";
}

const dues = { amount: 60_000, currency: "GBP" as const, metadata: { company_id: "7" } };

describe("the fake of GoCardless, to GoCardless's own client", () => {
  test("makes a mandate when the payer agrees, and payments under it", async () => {
    await using fake = await startGoCardlessFake();
    const client = createOfficialClient(fake);
    const mandate = await agree(client);
    expect(await client.mandates.find(mandate)).toMatchObject({ status: "pending_submission", scheme: "bacs" });
    const payment = await client.payments.create({ ...dues, links: { mandate } }, "payment");
    fake.confirm(payment.id ?? "");
    expect(await client.payments.find(payment.id ?? "")).toMatchObject({ status: "confirmed", amount: 60_000 });
  });

  test("answers a repeat with a conflict that the client resolves by itself", async () => {
    await using fake = await startGoCardlessFake();
    const client = createOfficialClient(fake);
    const [first, second] = [
      await client.billingRequests.create(wanted, "one key"),
      await client.billingRequests.create(wanted, "one key"),
    ];
    expect(second.id).toBe(first.id);
    expect(fake.calls.map(({ method }) => method)).toEqual(["POST", "POST", "GET"]);
  });

  test("refuses as GoCardless does, in errors that the client knows", async () => {
    await using fake = await startGoCardlessFake();
    const client = createOfficialClient(fake);
    const mandate = await agree(client);
    fake.cancelMandate(mandate);
    await expect(client.payments.create({ ...dues, links: { mandate } })).rejects.toMatchObject({
      code: 422,
      errorType: "invalid_state",
      errors: [{ reason: "mandate_is_inactive" }],
    });
    await expect(client.mandates.find("MD0")).rejects.toMatchObject({
      code: 404,
      errors: [{ reason: "resource_not_found" }],
    });
    const stranger = createOfficialClient({ ...fake, accessToken: "sandbox_wrong" });
    await expect(stranger.creditors.list({})).rejects.toMatchObject({ code: 401 });
  });

  test("lists events newest first, and leads from page to page", async () => {
    const clock = createTestClock();
    await using fake = await startGoCardlessFake({ clock });
    const client = createOfficialClient(fake);
    const mandate = await agree(client);
    const since = clock().toISOString();
    for (let number = 0; number < 7; number += 1) {
      clock.advance(1000);
      fake.suspendMandate(mandate);
    }
    const listed: string[] = [];
    for await (const event of client.events.all({ created_at: { gte: since }, limit: "3" } as never)) {
      listed.push(event.id ?? "");
    }
    expect(listed).toEqual(fake.state.events.map(({ id }) => id).toReversed());
  });

  test("signs webhooks as the client checks them", async () => {
    await using fake = await startGoCardlessFake();
    await agree(createOfficialClient(fake));
    const [webhook] = fake.takeWebhooks();
    const signature = webhook?.headers.get("Webhook-Signature") ?? "";
    const events = parse(webhook?.body ?? "", fake.webhookSecret, signature);
    expect(events.map(({ resource_type, action }) => `${resource_type} ${action}`)).toEqual([
      "mandates created",
      "billing_requests fulfilled",
    ]);
    expect(() => parse(webhook?.body ?? "", "another secret", signature)).toThrow();
  });
});

describe("the fake of GoCardless", () => {
  test("does not let a call or an answer pass that GoCardless's description does not have", async () => {
    const fake = await startGoCardlessFake();
    const headers = { Authorization: `Bearer ${fake.accessToken}`, "GoCardless-Version": "2015-07-06" };
    const body = JSON.stringify({ billing_requests: { ...wanted, colour: "red" } });
    await fetch(`${fake.apiBase}/billing_requests`, { method: "POST", headers, body });
    await expect(fake[Symbol.asyncDispose]()).rejects.toThrow(/contract was broken[^]*colour/);
  });
});
