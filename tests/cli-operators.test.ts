import { expect, test } from "vitest";

import { openOffice } from "./helpers/office.ts";

test("operators are listed, with whether they have begun", async () => {
  await using office = await openOffice();
  await office.services.operators.add({ email: "olive@example.org", name: "Olive", role: "support" });
  const table = await office.run("operator", "list");
  expect(table.stdout).toMatch(/^E-MAIL +NAME +ROLE +SET UP +SINCE\nolive@example\.org +Olive +support +not yet /);
});
