import { expect, test } from "vitest";

import { createProviderClient } from "../../server/provider/client/client.ts";
import { API_KEY } from "../helpers/api-client.ts";
import { openProvider } from "../helpers/provider.ts";
import { withoutContent } from "../helpers/site.ts";

/** Our own client and API, for calls that no page of a front needs. */
async function openLine(key = API_KEY) {
  const provider = await openProvider(withoutContent);
  const { clock, log } = provider.site;
  const client = createProviderClient({ url: provider.url, key, clock, log });
  return { client, provider, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
}

const MEMBER = { email: "member@dormouse.example", password: "sleep-well-tonight" };
const zoe = { first_name: "Zoë", last_name: "Hale", email: "zoe@app.example", password: "sleep-well-tonight" };

test("an account that is created can be logged in to", async () => {
  await using line = await openLine();
  const made = await line.client.call("createUser", zoe);
  expect(made).toMatchObject({ ok: true, answer: { firstName: "Zoë", accountType: "individual" } });
  const again = await line.client.call("createUser", zoe);
  expect(again).toEqual({ ok: false, status: 409, message: "This email is already registered." });
  expect(await line.client.call("grabtoken", zoe)).toMatchObject({ ok: true });
});

test("a subscription is ended for the member whose token it is", async () => {
  await using line = await openLine();
  const given = await line.client.call("grabtoken", MEMBER);
  const token = given.ok ? given.answer : "";
  const found = await line.client.call("login", MEMBER, { token });
  const id = found.ok ? found.answer.id : 0;
  expect(await line.client.call("getsubscriptionstatus", { id }, { token })).toEqual({ ok: true, answer: true });
  const input = { id, newStatus: "cancelled" } as const;
  expect(await line.client.call("managesubscriptionstatus", input, { token })).toMatchObject({ ok: true });
  expect(await line.client.call("getsubscriptionstatus", { id }, { token })).toEqual({ ok: true, answer: false });
  expect(await line.client.call("managesubscriptionstatus", { ...input, id: id + 1 }, { token })).toMatchObject({
    ok: false,
    status: 403,
  });
});

test("usernames come by pages, with the key only", async () => {
  await using line = await openLine();
  expect(await line.client.call("fetchCustomers", { per_page: 2, page: 1 })).toMatchObject({
    ok: true,
    answer: [{ username: expect.any(String) }, { username: expect.any(String) }],
  });
  await using stranger = await openLine("another key");
  expect(await stranger.client.call("fetchCustomers", {})).toMatchObject({ ok: false, status: 401 });
});

test("a company that an operator has added is led to the page on which it agrees", async () => {
  await using line = await openLine();
  const page = { returnUrl: "http://dormouse.test/", exitUrl: "http://dormouse.test/" };
  const company = { name: "Bramble Ltd", contactEmail: "pay@bramble.example", accounts: 5, priceInPence: 30_000 };
  expect(await line.provider.site.services.companies.create(company, page)).toMatchObject({ ok: true });
  expect(await line.client.call("createbillingrequest", { company: "Bramble Ltd" })).toMatchObject({
    ok: true,
    answer: { authorisation_url: expect.stringContaining("/demo-gateway/debit/") },
  });
  expect(await line.client.call("createbillingrequest", { company: "Nobody" })).toMatchObject({
    ok: false,
    status: 404,
  });
});
