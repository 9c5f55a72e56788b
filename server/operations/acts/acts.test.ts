import { expect, test } from "vitest";

import { actionText as otherActionText } from "../../platform/audit/labels.ts";
import type { Act } from "./act.ts";
import { actionText, actNames, acts, describeActs, mayDo } from "./acts.ts";

const withForm = actNames.filter((name) => acts[name].desk !== undefined);

test("an owner may do at the desk all that support may, and support nothing that is an owner's", () => {
  for (const name of actNames) {
    const { desk }: Act = acts[name];
    expect(mayDo("owner", name), name).toBe(desk !== undefined);
    expect(mayDo("support", name), name).toBe(desk?.role === "support");
  }
});

test("an operator is shown the forms of the acts that their role may do, and no other", () => {
  for (const role of ["support", "owner"] as const) {
    const shown = Object.values(describeActs(role, withForm)).flatMap((act) => act?.name ?? []);
    expect(shown).toEqual(actNames.filter((name) => mayDo(role, name)));
  }
});

test("an act of the command line alone has no form to show", () => {
  const others = actNames.filter((name) => !withForm.includes(name));
  expect(others).not.toEqual([]);
  for (const name of others) expect(() => describeActs("owner", [name])).toThrow(`The act ${name} has no form`);
});

test("a form asks for each field that the desk shows, for a password where one is needed, and for a reason", () => {
  const shown = describeActs("owner", withForm);
  expect(shown["member name"]?.fields.map(({ name }) => name)).toEqual(["firstName", "lastName", "reason"]);
  expect(shown["access recovery"]?.fields.map(({ name }) => name)).toEqual(["password"]);
  expect(shown["code create"]?.fields.map(({ name }) => name)).not.toContain("products");
  expect(shown["company link"]?.fields.map(({ name }) => name)).toEqual(["reason"]);
});

test("every act that ends something says what will happen", () => {
  const silent = actNames.filter((name) => {
    const act: Act = acts[name];
    return act.desk?.isEnding && !act.predict;
  });
  expect(silent).toEqual([]);
});

test("every act is a form or a command, and its line in the audit log has words", () => {
  for (const name of actNames) {
    const { audit, command, desk }: Act = acts[name];
    expect(command ?? desk, name).toBeDefined();
    const action = typeof audit === "string" ? name : audit.as;
    expect(actionText(action), name).not.toBe(action);
    // One name has its words in one place.
    if (typeof audit === "string") expect(otherActionText(name), name).toBe(name);
  }
  expect(actionText("an act of long ago")).toBe("an act of long ago");
});
