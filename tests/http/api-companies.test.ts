import { expect, test } from "vitest";

import { openApi } from "../helpers/api-client.ts";

test("a company is sent to the page on which it agrees", async () => {
  await using client = await openApi();
  const page = { returnUrl: "http://dormouse.test/", exitUrl: "http://dormouse.test/" };
  const company = { name: "Bramble Ltd", contactEmail: "pay@bramble.example", accounts: 5, priceInPence: 30_000 };
  expect(await client.site.services.companies.create(company, page)).toMatchObject({ ok: true });
  const { status, json } = await client.call("createbillingrequest", { company: "Bramble Ltd", scheme: "bacs" });
  expect(status).toBe(200);
  expect(json.authorisation_url).toMatch(/demo-gateway\/debit\//);
  expect(json.billing_requests_id).toMatch(/^\w+/);
  expect((await client.call("createbillingrequest", { company: "Nobody" })).status).toBe(404);
  expect((await client.call("createbillingrequest", { company: 999 })).status).toBe(404);
  expect((await client.call("createbillingrequest", {})).status).toBe(400);
});
