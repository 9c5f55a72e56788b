import { expect, test } from "vitest";

import { act, toOutcome } from "../../../tests/helpers/acts.ts";
import { openApp } from "../../../tests/helpers/app.ts";
import { production } from "../../../tests/helpers/running-app.ts";
import { companies as table } from "../../refusals.ts";

const pillow = {
  name: "Pillow Works",
  email: "boss@pillow.example",
  accounts: "50",
  price: "1500.00",
  code: "pillow-27",
};

/** No line to GoCardless can be opened. */
const cutOff = { GOCARDLESS_ACCESS_TOKEN: "sandbox_a", GOCARDLESS_API_BASE: "http://127.0.0.1:1" };

test("a new company is refused at the field that it cannot have, and nothing is added", async () => {
  await using app = await openApp();
  await act(app, "code create", { fields: { code: "QUILT-27", seats: "1" } });
  const wrong: [keyof typeof pillow, string, string][] = [
    ["name", " ", table["name-invalid"]],
    ["email", "boss", table["email-invalid"]],
    ["accounts", "none", table["accounts-invalid"]],
    ["accounts", "0", table["accounts-invalid"]],
    ["price", "12.5", table["price-invalid"]],
    ["price", "0.00", table["price-invalid"]],
    ["code", "-", table["code-malformed"]],
    ["code", "quilt-27", table["code-taken"]],
  ];
  for (const [field, value, sentence] of wrong) {
    const result = await act(app, "company create", { fields: { ...pillow, [field]: value } });
    expect(result, `${field} ${value}`).toMatchObject({ ok: false, errors: { [field]: [sentence] } });
  }
  expect(await app.services.companies.list()).toEqual([]);
  await act(app, "company create", { fields: pillow });
  const again = await act(app, "company create", { fields: { ...pillow, code: "other-27" } });
  expect(again).toMatchObject({ ok: false, errors: { name: [table["name-taken"]] } });
});

test("a contact is invited once, and one who is none is not removed", async () => {
  await using app = await openApp();
  await act(app, "company create", { fields: pillow });
  const invite = () => act(app, "company invite", { subject: 1, fields: { email: "HR@pillow.example" } });
  expect((await invite()).ok).toBe(true);
  expect(await invite()).toMatchObject({ ok: false, errors: { email: [table["contact-known"]] } });
  const remove = async () =>
    toOutcome(await act(app, "company remove-contact", { subject: 1, item: "nora@x.example" }));
  expect(await remove()).toBe(table["contact-unknown"]);
  expect((await app.services.audit.list(9)).map(({ action }) => action)).toEqual(["company invite", "company create"]);
});

test("while the provider is away a company is added without its page, and a page cannot be sent", async () => {
  await using app = await openApp({ env: cutOff });
  expect(await act(app, "company create", { fields: pillow })).toMatchObject({
    ok: true,
    isBadNews: true,
    message: expect.stringMatching(/^Added, but we couldn't send its Direct Debit page/),
  });
  expect(toOutcome(await act(app, "company link", { subject: 1 }))).toBe(table["gateway-failed"]);
  expect(await app.services.audit.list(9)).toMatchObject([
    { action: "company create", facts: { company: 1, code: "pillow-27", isMailed: false } },
  ]);
  expect((await app.services.outbox.list({ limit: 9 })).map(({ kind }) => kind)).toEqual(["company-invitation"]);
});

test("where no Direct Debit is configured, no company is half made", async () => {
  await using app = await openApp({ env: { DEMO: "false", ...production } });
  expect(toOutcome(await act(app, "company create", { fields: pillow }))).toBe(table["debits-closed"]);
  expect(await app.services.companies.list()).toEqual([]);
});
