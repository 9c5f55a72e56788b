import { expect, test } from "vitest";

import { listPlans, PRODUCT_ID } from "../../server/money/membership/plans.ts";
import { API_KEY, openApi } from "../helpers/api-client.ts";

const ada = "member@dormouse.example";
const password = "sleep-well-tonight";
const nora = { first_name: "Nora", last_name: "Penn", email: "nora@example.org", password: "moss-lantern-42" };

test("usernames come in pages, without other data", async () => {
  await using client = await openApi();
  const first = await client.call("fetchCustomers", { page: "1", per_page: "2" });
  expect(first.json).toHaveLength(2);
  expect([first.headers.get("X-Total"), first.headers.get("X-TotalPages")]).toEqual(["3", "2"]);
  const second = await client.call("fetchCustomers", { page: "2", per_page: "2" });
  expect(second.json).toEqual([{ username: ada }]);
  expect((await client.call("fetchCustomers", { per_page: "5000" })).json).toHaveLength(3);
  expect((await client.call("fetchCustomers", { page: "0" })).status).toBe(400);
});

test("finds a member's number by address, and none for an unknown address", async () => {
  await using client = await openApi();
  const { json } = await client.call("grabuserid", { email: ada.toUpperCase() });
  expect(json).toEqual({ id: await client.findId(ada) });
  const unknown = await client.call("grabuserid", { email: "nobody@example.org" });
  expect([unknown.status, unknown.json.data.message]).toEqual([404, "No member has this email."]);
});

test.each(["usersignup", "createUser"] as const)(
  "%s adds a member who may log in and sees no content",
  async (name) => {
    await using client = await openApi({}, {});
    const { status, json } = await client.call(name, nora);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: json.id,
      email: nora.email,
      first_name: "Nora",
      last_name: "Penn",
      userType: "individual",
    });
    const token = await client.grabToken(nora.email, nora.password);
    expect((await client.call("getsubscriptionstatus", { id: json.id }, { token })).json).toBe(false);
    for (const call of ["getwatches", "getreads", "getlearns"] as const) {
      const refused = await client.call(call, {}, { token });
      expect([refused.status, refused.json.message]).toEqual([403, "You need an active subscription for this."]);
    }
  },
);

test("a sign-up reports all its mistakes, with the sentences of our own page", async () => {
  await using client = await openApi();
  const bad = { first_name: " ", last_name: "Surname", email: "nora", password: "short", userType: "corporate" };
  const { status, json } = await client.call("usersignup", bad);
  expect(status).toBe(400);
  expect(json.errors).toEqual([
    "You need to enter a first name.",
    "You need to enter a surname.",
    "You must use a valid email address",
    "Password must be 8 characters or more.",
    "Enter the code from your employer, or choose Individual.",
  ]);
  const taken = await client.call("usersignup", { ...nora, email: ada });
  expect([taken.status, taken.json.data.message]).toEqual([409, "This email is already registered."]);
  const old = await client.call("usersignup", { ...nora, dormouseCode: "DORMOUSE-OLD" });
  expect([old.status, old.json.message]).toEqual([400, expect.stringContaining("This code ended")]);
  const two = await Promise.all([client.call("usersignup", nora), client.call("usersignup", nora)]);
  expect(two.map((each) => each.status)).toEqual(expect.arrayContaining([200, 409]));
});

test("a token is given only for the right password, under either name, and appears in both places", async () => {
  await using client = await openApi();
  const { json } = await client.call("grabtoken", { username: ada, password });
  expect(json.jwt_token).toMatch(/^[\w-]{43}$/);
  expect(json.data.jwt_token).toBe(json.jwt_token);
  const wrong = await client.call("grabtoken", { email: ada, password: "wrong" });
  const unknown = await client.call("grabtoken", { email: "nobody@example.org", password: "wrong" });
  expect([wrong.status, unknown.status, wrong.text]).toEqual([401, 401, unknown.text]);
  expect((await client.call("grabtoken", { password })).status).toBe(400);
});

test("password guesses lock out their own network only", async () => {
  await using client = await openApi();
  const from = (address: string, word: string) =>
    client.call("grabtoken", { email: ada, password: word }, { headers: { "X-Client-Address": address } });
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await from("203.0.113.5", "wrong")).status).toBe(401);
  const blocked = await from("203.0.113.5", password);
  expect(blocked.status).toBe(429);
  expect(Number(blocked.headers.get("Retry-After"))).toBeGreaterThan(60);
  expect((await from("203.0.113.6", password)).status).toBe(200);
  expect((await from("no address", "wrong")).status).toBe(401);
});

test("a log-in that waits too long is told to try again, and not that its password is wrong", async () => {
  await using client = await openApi();
  const token = await client.grabToken(ada);
  client.site.services.logIn = async () => ({ ok: false, reason: "unavailable" });
  for (const call of ["grabtoken", "login"] as const) {
    const late = await client.call(call, { email: ada, password }, { token });
    expect([late.status, late.json.data.message]).toEqual([
      503,
      "We can't log you in right now. Please try again in a few minutes.",
    ]);
  }
});

test("logging in answers with the member in both shapes, and keeps one session", async () => {
  await using client = await openApi();
  const token = await client.grabToken(ada);
  const id = await client.findId(ada);
  const { json } = await client.call("login", { username: ada, password, token });
  expect(json).toMatchObject({
    id,
    data: { user: { ID: id } },
    token,
    first_name: "Ada",
    last_name: "Lovell",
    email: ada,
    avatar_url: null,
    userType: "individual",
    hasActiveSubscription: true,
  });
  expect(await client.site.services.sessions.list(id)).toHaveLength(1);
  expect((await client.call("login", { email: ada, password: "wrong" }, { token })).status).toBe(401);
  const other = { email: "team@dormouse.example", password };
  expect((await client.call("login", other, { token })).status).toBe(403);
});

test("the member is a list of one, with a picture that the token can read", async () => {
  await using client = await openApi();
  const token = await client.grabToken(ada);
  const id = await client.findId(ada);
  const bytes = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  );
  const saved = await client.site.services.avatars.save(id, bytes);
  expect(saved.ok).toBe(true);
  const { json } = await client.call("getcurrentuser", { id }, { token });
  expect(json).toHaveLength(1);
  const address = json[0].avatar_url as string;
  const headers = { "X-Api-Key": API_KEY, Authorization: token };
  const picture = await client.request(address, { headers });
  expect([picture.status, picture.headers.get("Content-Type")]).toEqual([200, "image/webp"]);
  expect((await client.request(address, { headers: { "X-Api-Key": API_KEY } })).status).toBe(401);
  const tom = await client.grabToken("team@dormouse.example");
  expect((await client.request(address, { headers: { ...headers, Authorization: tom } })).status).toBe(404);
});

test("names change at once, an address with the password and after verification", async () => {
  await using client = await openApi();
  const token = await client.grabToken(ada);
  const id = await client.findId(ada);
  const named = await client.call("patchuser", { id, token, first_name: "Adelaide" });
  expect(named.json).toEqual({ first_name: "Adelaide", last_name: "Lovell", email: ada, pending_email: null });
  const without = await client.call("patchuser", { id, email: "ada@example.org" }, { token });
  expect([without.status, without.json.message]).toEqual([400, expect.stringContaining("current password")]);
  const answer = await client.call("patchuser", { id, email: "ada@example.org", password }, { token });
  expect(answer.json).toMatchObject({ email: ada, pending_email: "ada@example.org" });
  expect((await client.call("patchuser", { id, first_name: " " }, { token })).status).toBe(400);
  const lapsed = await client.grabToken("lapsed@dormouse.example");
  const lena = await client.findId("lapsed@dormouse.example");
  expect((await client.call("patchuser", { id: lena, first_name: "L" }, { token: lapsed })).status).toBe(403);
});

test("a subscription can be ended by its status and started by none", async () => {
  await using client = await openApi();
  const token = await client.grabToken(ada);
  const id = await client.findId(ada);
  const status = async () => (await client.call("getsubscriptionstatus", { id: String(id) }, { token })).json;
  expect(await status()).toBe(true);
  expect((await client.call("managesubscriptionstatus", { id, newStatus: "active" }, { token })).status).toBe(200);
  const ended = await client.call("managesubscriptionstatus", { id, newStatus: "cancelled" }, { token });
  expect(ended.json).toEqual({ id, status: "inactive", hasActiveSubscription: false, subscription_ends_at: null });
  expect(await status()).toBe(false);
  for (const call of ["managesubscriptionstatus", "activatesubscription"] as const) {
    await client.call(call, { id, newStatus: "active" }, { token });
    expect(await status(), call).toBe(false);
  }
  expect(await client.site.services.audit.listFor(id)).toMatchObject([{ operator: "api", action: "subscription end" }]);
  expect((await client.call("managesubscriptionstatus", { id, newStatus: "gold" }, { token })).status).toBe(400);
});

test("a code's answer says whether it is valid and what it unlocks", async () => {
  await using client = await openApi();
  const good = { productCode: "dormouse-demo" };
  expect((await client.call("checkcouponvalidity", good)).json).toEqual({ valid: true, message: "" });
  expect((await client.call("checkcouponproducts", good)).json).toEqual({
    product_ids: [PRODUCT_ID, ...listPlans().map(({ variationId }) => variationId)],
  });
  for (const productCode of ["DORMOUSE-OLD", "DORMOUSE-FULL", "nothing", ""]) {
    const check = await client.call("checkcouponvalidity", { productCode });
    expect(check.json.valid).toBe(false);
    const products = await client.call("checkcouponproducts", { productCode });
    expect([products.status, products.json.data.message]).toEqual([400, check.json.message]);
  }
});
