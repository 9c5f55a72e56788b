import { expect, test } from "vitest";

import { act, predict, toOutcome } from "../../../tests/helpers/acts.ts";
import { openApp } from "../../../tests/helpers/app.ts";
import { companies as table } from "../../refusals.ts";

const pillow = { name: "Pillow Works", email: "hr@pillow.example", accounts: "50", price: "1500.00" };

async function openWithCompanies() {
  const app = await openApp();
  await act(app, "company create", { fields: pillow });
  await act(app, "company create", { fields: { ...pillow, name: "Quilt Works" } });
  return {
    ...app,
    change: (fields: Record<string, string>) => act(app, "company contract", { subject: 1, fields }),
    correct: async (fields: Record<string, string>) =>
      toOutcome(await act(app, "company details", { subject: 1, fields })),
  };
}

test("a change of a contract is predicted in pounds, done once, and told to the contact", async () => {
  await using app = await openWithCompanies();
  const fields = { accounts: "60", price: "1800" };
  const sentences = [
    "From the first collection: £1,800.00 a year instead of £1,500.00.",
    "From now on: 60 accounts instead of 50.",
  ];
  expect(await predict(app, "company contract", { subject: 1, fields })).toEqual([
    ...sentences,
    "We email hr@pillow.example.",
  ]);
  expect(await app.change(fields)).toMatchObject({
    ok: true,
    message: `${sentences.join(" ")} We've emailed hr@pillow.example.`,
  });
  await app.services.outbox.deliver();
  const told = app.emails.filter(({ subject }) => subject === "The contract of Pillow Works changes");
  expect(told.map(({ to }) => to)).toEqual(["hr@pillow.example"]);
  for (const sentence of sentences) expect(told[0]?.text).toContain(sentence);
  expect(await predict(app, "company contract", { subject: 1, fields })).toEqual([table["contract-same"]]);
  expect(toOutcome(await app.change(fields))).toBe(table["contract-same"]);
  expect(toOutcome(await app.change({}))).toBe(table["contract-same"]);
  const [line] = await app.services.audit.list(1);
  expect(line?.facts).toEqual({
    company: 1,
    accounts: 60,
    priceInPence: 180_000,
    from: "first",
    before: { accounts: 50, priceInPence: 150_000 },
  });
});

test("people who have joined are named when fewer accounts are wanted", async () => {
  await using app = await openWithCompanies();
  const company = await app.services.companies.findById(1);
  await app.db
    .updateTable("codes")
    .set({ seatsTaken: 45 })
    .where("code", "=", company?.code ?? "")
    .execute();
  expect(await predict(app, "company contract", { subject: 1, fields: { accounts: "40" } })).toEqual([
    "The price stays £1,500.00 a year.",
    "From now on: 40 accounts instead of 50.",
    "45 people have a seat and keep it. No one else can join until fewer than 40 seats are taken.",
    "We email hr@pillow.example.",
  ]);
});

test.each([
  [{ accounts: "0" }, table["accounts-invalid"]],
  [{ accounts: "100001" }, table["accounts-invalid"]],
  [{ accounts: "many" }, table["accounts-invalid"]],
  [{ price: "0" }, table["price-invalid"]],
  [{ price: "1000000.01" }, table["price-invalid"]],
  [{ price: "12.345" }, table["price-invalid"]],
])("a contract of %j is refused, and nothing is changed", async (fields, sentence) => {
  await using app = await openWithCompanies();
  expect(toOutcome(await app.change(fields))).toBe(sentence);
  expect(await app.services.companies.findById(1)).toMatchObject({ accounts: 50, priceInPence: 150_000 });
});

test("a name and a contact are corrected, each alone or both, and another company's name is refused", async () => {
  await using app = await openWithCompanies();
  expect(await app.correct({ name: "Pillow Works Ltd" })).toEqual({
    name: "Pillow Works Ltd",
    contactEmail: "hr@pillow.example",
  });
  expect(await app.correct({ email: "office@pillow.example" })).toEqual({
    name: "Pillow Works Ltd",
    contactEmail: "office@pillow.example",
  });
  // Another way to write the same name.
  expect(await app.correct({ name: "PILLOW WORKS LTD" })).toMatchObject({ name: "PILLOW WORKS LTD" });
  expect(await app.correct({ name: "quilt  works" })).toBe(table["name-taken"]);
  expect(await app.correct({ name: "A".repeat(101) })).toBe(table["name-invalid"]);
  expect(await app.correct({ name: "Two\nlines" })).toBe(table["name-invalid"]);
  expect(await app.correct({ email: "nobody" })).toBe(table["email-invalid"]);
  expect(await app.correct({})).toBe(table["details-same"]);
  expect(await app.services.companies.findById(1)).toMatchObject({
    name: "PILLOW WORKS LTD",
    contactEmail: "office@pillow.example",
  });
});
