import { describe, expect, test } from "vitest";

import { type About, act, predict, toOutcome } from "../../../tests/helpers/acts.ts";
import { openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { addOperator } from "../../../tests/helpers/desk.ts";
import { operators as table } from "../../refusals.ts";
import type { ActName } from "./acts.ts";

const olive = { email: "olive@desk.example", name: "Olive", role: "owner" } as const;
const newton = { email: "newton@desk.example", name: "Newton", role: "owner" } as const;

async function openWithOwner(engine: (typeof engines)[number] = "sqlite") {
  const app = await openApp({ engine });
  const { operator } = (await addOperator(app, olive)).accepted;
  const self = { operator, tokenHash: "" };
  const listOwners = async () => (await app.services.operators.list()).filter(({ role }) => role === "owner");
  return { ...app, operator, self, listOwners };
}

test("the last owner who has begun is not removed or lowered, whoever else is invited", async () => {
  await using app = await openWithOwner();
  await addOperator(app, { ...newton, role: "support" });
  await app.services.operators.add({ email: "invited@desk.example", name: "Invited", role: "owner" });
  for (const [name, fields] of [
    ["operator role", { role: "support" }],
    ["operator remove", {}],
  ] as const) {
    const about = { item: app.operator.id, fields };
    expect(await predict(app, name, about), name).toEqual([table["last-owner"]]);
    expect(toOutcome(await act(app, name, about)), name).toBe(table["last-owner"]);
  }
  expect(await app.services.operators.find(olive.email)).toMatchObject({ role: "owner" });
});

test("owners read that it is they before they lower or remove themselves, and cannot invite themselves", async () => {
  await using app = await openWithOwner();
  const other = (await addOperator(app, newton)).accepted.operator;
  const own = { item: app.operator.id, self: app.self };
  expect(await predict(app, "operator role", { ...own, fields: { role: "support" } })).toContain(
    "That's you. Only another owner can make you an owner again.",
  );
  const whoseRemoval = "That's you. Only another owner can let you back in.";
  expect(await predict(app, "operator remove", own)).toContain(whoseRemoval);
  expect(await predict(app, "operator remove", { ...own, item: other.id })).not.toContain(whoseRemoval);
  expect(toOutcome(await act(app, "operator invite", own))).toBe(table["not-yourself"]);
  expect(await predict(app, "operator invite", own)).toEqual([table["not-yourself"]]);
  expect(await app.listOwners()).toHaveLength(2);
});

test("an unknown operator, one who is there already and a role that they have are refused, and nothing is noted", async () => {
  await using app = await openWithOwner();
  const outcome = async (name: ActName, about: About) => toOutcome(await act(app, name, about));
  expect(await outcome("operator add", { fields: { ...olive, email: "OLIVE@desk.example" } })).toBe(
    table["operator-known"],
  );
  expect(await outcome("operator role", { item: olive.email, fields: { role: "owner" } })).toBe(table["role-same"]);
  for (const name of ["operator invite", "operator role", "operator remove"] as const) {
    const fields = name === "operator role" ? { role: "support" } : {};
    expect(await outcome(name, { item: 99, fields }), name).toBe(table["no-operator"]);
    expect(await outcome(name, { item: newton.email, fields }), name).toBe(`There is no operator ${newton.email}.`);
  }
  const { email, name, role } = newton;
  expect(await outcome("operator add", { fields: { email: "nobody", name, role } })).toBe(table["email-invalid"]);
  expect(await outcome("operator add", { fields: { email, name: "", role } })).toBe(table["name-invalid"]);
  expect(await outcome("operator add", { fields: { email, name, role: "king" } })).toBe(table["role-missing"]);
  expect(await app.services.operators.list()).toHaveLength(1);
  expect(await app.services.audit.list(9)).toMatchObject([{ action: "desk invitation accepted" }]);
});

describe.each(engines)("two owners on %s", (engine) => {
  test.each(["operator remove", "operator role"] as const)(
    "who act on one another at once (%s) leave one of them",
    async (name) => {
      await using app = await openWithOwner(engine);
      await addOperator(app, newton);
      const fields = name === "operator role" ? { role: "support" } : {};
      await Promise.all([olive, newton].map(({ email }) => act(app, name, { item: email, fields })));
      expect(await app.listOwners()).toHaveLength(1);
    },
  );
});
