import { expect, test } from "vitest";

import { DAY_IN_MS } from "../../server/platform/clock.ts";
import { openApi, type ApiClient } from "../helpers/api-client.ts";
import { engines } from "../helpers/databases.ts";
import { paymentCards, anyCard, listCharges, payOnPage, readCharges } from "../helpers/newcomer.ts";
import { withoutContent } from "../helpers/site.ts";

const nora = { first_name: "Nora", last_name: "Penn", email: "nora@example.org", password: "moss-lantern-42" };
const billing = { first_name: "Nora", last_name: "Penn", postcode: "EX1 1AA", country: "GB", email: nora.email };
const yearly = [{ product_id: 117, variation_id: 120, quantity: 1 }];

/** A front's visitor, up to the order, by the calls of existing clients. */
async function prepare(client: ApiClient, card: keyof typeof paymentCards = "paid") {
  const { json: made } = await client.call("createpaymentmethod", { card: { number: paymentCards[card], ...anyCard } });
  const paymentMethodId = made.paymentMethodId as string;
  const payer = { email: nora.email, paymentMethodId, name: "Nora Penn" };
  const { json: customer } = await client.call("createstripecustomer", payer);
  const charge = { paymentMethodId, stripeCustomerId: customer.customerId, amount: 6000 };
  const { json: intent } = await client.call("createpaymentintent", charge);
  const { json: member } = await client.call("usersignup", nora);
  const token = await client.grabToken(nora.email, nora.password);
  const order = {
    payment_method: "stripe",
    payment_method_title: "Credit Card (Stripe)",
    customer_id: member.id as number,
    set_paid: true,
    email: nora.email,
    line_items: yearly,
    billing,
    emailVerified: true,
    meta_data: [
      { key: "_stripe_customer_id", value: customer.customerId as string },
      { key: "_stripe_source_id", value: paymentMethodId },
    ],
  };
  return { id: member.id as number, token, order, paymentMethodId, paymentId: intent.paymentId as string, intent };
}

test("the whole flow of existing clients makes one active order, charged once at our own price", async () => {
  await using client = await openApi();
  const { id, token, order, intent, paymentId } = await prepare(client);
  expect(intent).toEqual({ clientSecret: "", paymentId, status: "requires_confirmation", nextActionUrl: null });
  expect(await listCharges(client.site)).toEqual([]);

  const { status, json } = await client.call("sendcombined", order, { token });
  expect([status, json]).toEqual([
    200,
    { id: json.id, status: "completed", order: { id: json.id, status: "completed", payment_url: null } },
  ]);
  expect((await client.call("getsubscriptionstatus", { id }, { token })).json).toBe(true);
  expect((await client.call("createpaymentintent", { paymentId })).json.status).toBe("succeeded");
  expect(await readCharges(client.site)).toMatchObject([{ amountInPence: 6000 }]);

  const again = await Promise.all([1, 2, 3].map(() => client.call("sendcombined", order, { token })));
  expect(again.map((each) => each.json.id)).toEqual([json.id, json.id, json.id]);
  expect(await readCharges(client.site)).toHaveLength(1);
});

test.each(engines)("the same order sent five times at once is charged once, on %s", async (engine) => {
  await using client = await openApi({}, { ...withoutContent, engine });
  const { token, order, id } = await prepare(client);
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => client.call("sendcombined", order, { token })));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(new Set(answers.map(({ json }) => json.id as number)).size).toBe(1);
  expect(await readCharges(client.site)).toHaveLength(1);
  expect(await client.site.services.membership.listFor(id)).toHaveLength(1);
});

test("an order claimed as paid is not: without a method the payer goes to the gateway's page and back to their front", async () => {
  await using client = await openApi();
  const { id, token, order } = await prepare(client);
  const returnUrl = "https://front.example/signup?step=4";
  const hosted = { ...order, meta_data: [], returnUrl };
  const { json } = await client.call("sendcombined", hosted, { token });
  expect(json.status).toBe("requires_action");
  expect((await client.call("getsubscriptionstatus", { id }, { token })).json).toBe(false);

  const browser = client.site.openBrowser();
  const paid = await payOnPage(browser, json.order.payment_url as string);
  // No redirect: after a form of the demo's page Chromium follows none to another host.
  const home = await browser.get(paid.location ?? "");
  expect([home.status, home.headers.get("Refresh")]).toEqual([200, `0;url=${returnUrl}`]);
  expect(home.text).toContain(`href="${returnUrl}"`);
  expect((await client.call("getsubscriptionstatus", { id }, { token })).json).toBe(true);
  expect(await readCharges(client.site)).toMatchObject([{ amountInPence: 6000 }]);
});

test("a bank's authentication leads on, and its outcome can be asked for", async () => {
  await using client = await openApi();
  const { id, token, order, paymentId } = await prepare(client, "authentication");
  const { json } = await client.call("sendcombined", { ...order, returnUrl: "https://front.example/" }, { token });
  const answer = await client.call("createpaymentintent", { paymentId });
  expect(answer.json).toMatchObject({ status: "requires_action", nextActionUrl: json.order.payment_url });
  const browser = client.site.openBrowser();
  const answered = await browser.post(json.order.payment_url as string, { intent: "complete" });
  expect(answered.status).toBe(303);
  // The browser never returns.
  const activated = await client.call("activatesubscription", { id }, { token });
  expect(activated.json).toMatchObject({ id, status: "active", hasActiveSubscription: true });
  expect((await client.call("createpaymentintent", { paymentId })).json.status).toBe("succeeded");
});

test("a declined card is a 402 with a sentence, nothing is active, and another card pays", async () => {
  await using client = await openApi();
  const { id, token, order } = await prepare(client, "poor");
  const refused = await client.call("sendcombined", order, { token });
  expect([refused.status, refused.json.data.message]).toEqual([402, expect.stringContaining("enough money")]);
  expect((await client.call("getsubscriptionstatus", { id }, { token })).json).toBe(false);
  const { json } = await client.call("createpaymentmethod", { card: { number: paymentCards.paid, ...anyCard } });
  const other = { ...order, meta_data: [], paymentMethodId: json.paymentMethodId };
  expect((await client.call("sendcombined", other, { token })).json.status).toBe("completed");
  expect(await readCharges(client.site)).toHaveLength(1);
});

test("an order needs a verified address; a member verified once needs no new code", async () => {
  await using client = await openApi();
  const { token, order } = await prepare(client);
  for (const emailVerified of [false, "false", undefined]) {
    const refused = await client.call("sendcombined", { ...order, emailVerified }, { token });
    expect([refused.status, refused.json.data.message]).toEqual([403, "Please verify your email"]);
  }
  const ada = await client.grabToken("member@dormouse.example");
  const coupon = { coupon_lines: [{ code: "DORMOUSE-DEMO", discount: "1" }] };
  expect((await client.call("sendcombined", coupon, { token: ada })).status).toBe(200);
  expect(await listCharges(client.site)).toEqual([]);
});

test("a code takes one seat and gives one year, however often it is sent", async () => {
  await using client = await openApi();
  const { id, token, order } = await prepare(client);
  const coupon = { ...order, coupon_lines: [{ code: "dormouse-one", discount: "1" }] };
  const answers = await Promise.all([1, 2, 3].map(() => client.call("sendcombined", coupon, { token })));
  expect(answers.map(({ json }) => json.status as string)).toEqual(["completed", "completed", "completed"]);
  expect((await client.call("sendcombined", coupon, { token })).json.id).toBe(answers[0]?.json.id);
  expect(await client.site.services.membership.listFor(id)).toMatchObject([{ planType: 3 }]);
  expect(await client.site.services.codes.find("DORMOUSE-ONE")).toMatchObject({ seatsTaken: 1 });
  expect(await listCharges(client.site)).toEqual([]);

  const lena = await client.grabToken("lapsed@dormouse.example");
  const full = await client.call("sendcombined", { coupon_lines: [{ code: "DORMOUSE-ONE" }] }, { token: lena });
  expect([full.status, full.json.data.message]).toEqual([400, expect.stringContaining("All the places on this code")]);
});

test("a member whose year was ended frees their seat, and rejoins only if one is free", async () => {
  await using client = await openApi();
  const { audit, codes, membership } = client.site.services;
  const { id, token, order } = await prepare(client);
  const coupon = { ...order, coupon_lines: [{ code: "DORMOUSE-ONE", discount: "1" }] };
  const { json: first } = await client.call("sendcombined", coupon, { token });
  const end = () => client.call("managesubscriptionstatus", { id, newStatus: "cancelled" }, { token });
  await end();
  expect(await codes.find("DORMOUSE-ONE")).toMatchObject({ seatsTaken: 0 });
  const ending = { action: "subscription end", facts: { newStatus: "cancelled", seat: "DORMOUSE-ONE" } };
  expect((await audit.listFor(id))[0]).toMatchObject(ending);

  const { json: second } = await client.call("sendcombined", coupon, { token });
  expect(second).toMatchObject({ status: "completed" });
  expect(second.id).not.toBe(first.id);
  expect((await membership.findAccess(id)).isActive).toBe(true);
  expect(await codes.find("DORMOUSE-ONE")).toMatchObject({ seatsTaken: 1 });
  expect((await client.call("sendcombined", coupon, { token })).json.id).toBe(second.id);

  await end();
  const lena = await client.grabToken("lapsed@dormouse.example");
  const taken = await client.call("sendcombined", { coupon_lines: [{ code: "DORMOUSE-ONE" }] }, { token: lena });
  expect(taken.status).toBe(200);
  const refused = await client.call("sendcombined", coupon, { token });
  expect([refused.status, refused.json.data.message]).toEqual([
    400,
    expect.stringContaining("All the places on this code"),
  ]);
  expect((await membership.findAccess(id)).isActive).toBe(false);
});

test("a seat that is freed after its year is over is recorded, too", async () => {
  await using client = await openApi();
  const { audit, codes } = client.site.services;
  const { id, token, order } = await prepare(client);
  await client.call("sendcombined", { ...order, coupon_lines: [{ code: "DORMOUSE-ONE" }] }, { token });
  client.site.clock.advance(366 * DAY_IN_MS);
  const late = await client.grabToken(nora.email, nora.password);
  const ended = await client.call("managesubscriptionstatus", { id, newStatus: "cancelled" }, { token: late });
  expect(ended.status).toBe(200);
  expect(await codes.find("DORMOUSE-ONE")).toMatchObject({ seatsTaken: 0 });
  expect((await audit.listFor(id))[0]).toMatchObject({ action: "subscription end", facts: { seat: "DORMOUSE-ONE" } });
});

test("a price sent by the caller is ignored", async () => {
  await using client = await openApi();
  const { token, order, paymentMethodId } = await prepare(client);
  const payment = { email: nora.email, paymentMethodId };
  for (const amount of [1, 0, 15, 1499, 600_000]) {
    const { status, json } = await client.call("createpaymentintent", { ...payment, amount });
    expect([status, json.data.message]).toEqual([400, "Error creating payment intent No plan costs this amount."]);
  }
  const cheap = (await client.call("createpaymentintent", { ...payment, amount: 1500 })).json.paymentId as string;
  expect((await client.call("sendcombined", { ...order, paymentId: cheap }, { token })).status).toBe(409);
  for (const line_items of [
    [{ product_id: 117, variation_id: 999 }],
    [{ product_id: 5, variation_id: 120 }],
    [{ product_id: 117, variation_id: 120, quantity: 2 }],
    [...yearly, ...yearly],
  ]) {
    expect((await client.call("sendcombined", { ...order, line_items }, { token })).status).toBe(400);
  }
  expect((await client.call("sendcombined", { ...order, line_items: [] }, { token })).status).toBe(400);
  expect((await client.call("sendcombined", { ...order, billing: {} }, { token })).status).toBe(400);
  expect(await listCharges(client.site)).toEqual([]);
});

test("a payment that was prepared for another member is refused", async () => {
  await using client = await openApi();
  const { token, order, paymentId } = await prepare(client);
  const ada = await client.grabToken("member@dormouse.example");
  const theirs = { line_items: yearly, billing, paymentId };
  expect((await client.call("sendcombined", theirs, { token: ada })).status).toBe(403);
  expect((await client.call("sendcombined", { ...order, email: "member@dormouse.example" }, { token })).status).toBe(
    403,
  );
  for (const forged of ["pi_123", `${paymentId}x`, paymentId.replace("pi_", "cus_")]) {
    expect((await client.call("createpaymentintent", { paymentId: forged })).status).toBe(400);
    expect((await client.call("sendcombined", { ...order, paymentId: forged }, { token })).status).toBe(400);
  }
  const { json } = await client.call("createstripecustomer", { email: "eve@example.org" });
  const mixed = { email: nora.email, stripeCustomerId: json.customerId };
  expect((await client.call("createpaymentintent", mixed)).status).toBe(400);
  expect((await client.call("createpaymentintent", { stripeCustomerId: "cus_made_up" })).status).toBe(400);
  expect((await client.call("createpaymentintent", {})).status).toBe(400);
  expect((await client.call("createpaymentintent", { email: nora.email })).json.status).toBe("requires_payment_method");
  expect((await client.call("createstripecustomer", { email: "eve" })).status).toBe(400);
});

test("the page that a bank leads back to redirects only to sealed addresses", async () => {
  await using client = await openApi();
  const browser = client.site.openBrowser();
  for (const to of ["https://evil.example", "", "x".repeat(500)]) {
    const { status, location } = await browser.get(`/payment-return?to=${encodeURIComponent(to)}`);
    expect([status, location]).toEqual([303, "/"]);
  }
  expect((await client.request("/payment-return")).headers.get("Location")).toBe("/");
});

test("a demo takes only its own cards, and describes its card fields", async () => {
  await using client = await openApi();
  const { json } = await client.call("createpaymentmethod", { type: "card" });
  expect(json).toEqual({ paymentMethodId: null, cardFields: { kind: "demo", publishableKey: null } });
  const real = { card: { number: "4111 1111 1111 1111", ...anyCard } };
  expect((await client.call("createpaymentmethod", real)).status).toBe(400);
  const own = await client.call("createpaymentmethod", { paymentMethodId: "pm_1" });
  expect(own.json.paymentMethodId).toBe("pm_1");
});
