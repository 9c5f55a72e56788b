import { expect, test } from "vitest";

import { openOffice } from "./helpers/office.ts";

test("an operator is added, listed, given another role, invited again and removed", async () => {
  await using office = await openOffice();
  const olive = ["operator", "add", "olive@example.org", "--name", "Olive", "--role", "owner"];
  const added = await office.ask<{ url: string }>(...olive);
  expect(added).toMatchObject({ email: "olive@example.org", name: "Olive", role: "owner" });
  expect(added.url).toMatch(/\/desk\?invitation=[\w-]{32}$/);
  expect(await office.ask("operator", "role", "olive@example.org", "support")).toMatchObject({ role: "support" });
  const again = await office.ask<{ url: string }>("operator", "invite", "olive@example.org");
  expect(again.url).not.toBe(added.url);
  const table = await office.run("operator", "list");
  expect(table.stdout).toMatch(/^E-MAIL +NAME +ROLE +SET UP +SINCE\nolive@example\.org +Olive +support +not yet /);
  expect(await office.ask("operator", "remove", "olive@example.org")).toEqual({ email: "olive@example.org" });
  const actions = (await office.services.audit.list(9)).map(({ action, facts }) => [action, facts]);
  expect(actions).toEqual([
    ["operator remove", { operator: 1 }],
    ["operator invite", { operator: 1 }],
    ["operator role", { operator: 1, role: "support" }],
    ["operator add", { operator: 1 }],
  ]);
});
