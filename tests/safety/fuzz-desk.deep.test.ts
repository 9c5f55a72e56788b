import * as fc from "fast-check";
import { expect, test } from "vitest";

import { openSite } from "../helpers/site.ts";
import { anyLook } from "./fuzz-cases.ts";
import { anyForm } from "./fuzz-forms.ts";
import { seeContact, seeOperator } from "./fuzz-people.ts";
import { createSender, toRuns } from "./fuzz-send.ts";

test("every request of an operator and of a company's contact is answered", async () => {
  await using site = await openSite();
  const sender = createSender(site);
  const people = [await seeOperator(site), await seeContact(site)];
  for (const { name, walk } of people) expect(walk.forms.length, name).toBeGreaterThan(2);
  const cases = fc.oneof({ weight: 2, arbitrary: anyLook(people) }, { weight: 3, arbitrary: anyForm(people) });
  const restore = () => Promise.all(people.map((each) => each.restore()));
  await fc.assert(fc.asyncProperty(cases, sender.send).beforeEach(restore), toRuns(1000));
  for (const status of [200, 303, 400]) {
    expect(sender.statuses.get(status), `answers with ${status}`).toBeGreaterThan(20);
  }
}, 600_000);
