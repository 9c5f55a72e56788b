import { expect, test } from "vitest";

import { refuseNewCompany } from "./new-company.ts";

const acme = { name: "Acme", contactEmail: "people@acme.example", accounts: 50, priceInPence: 60_000 };

test("a company with a name, an address, accounts and a price is taken", () => {
  expect(refuseNewCompany(acme)).toBeUndefined();
  expect(refuseNewCompany({ ...acme, name: "Zoë & Söhne (UK) Ltd.", accounts: 1, priceInPence: 1 })).toBeUndefined();
});

test.each([
  ["name-invalid", { name: "  " }],
  ["name-invalid", { name: "A".repeat(101) }],
  ["name-invalid", { name: "Ac\u0000me" }],
  ["name-invalid", { name: "Acme\nLtd" }],
  ["email-invalid", { contactEmail: "acme" }],
  ["email-invalid", { contactEmail: "a@acme.example\r\nBcc: b@c.example" }],
  ["accounts-invalid", { accounts: 0 }],
  ["accounts-invalid", { accounts: 1.5 }],
  ["accounts-invalid", { accounts: 1_000_000_000 }],
  ["price-invalid", { priceInPence: 0 }],
  ["price-invalid", { priceInPence: 99.5 }],
  ["price-invalid", { priceInPence: Number.NaN }],
  ["price-invalid", { priceInPence: 2_147_483_648 }],
])("%s: a company with %j is refused", (reason, wrong) => {
  expect(refuseNewCompany({ ...acme, ...wrong })).toBe(reason);
});
