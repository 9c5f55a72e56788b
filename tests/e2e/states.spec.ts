import { test } from "./fixtures.ts";
import { expectGoodLooks } from "./looks.ts";
import { tours } from "./tours/tours.ts";

/**
 * Every state on every walk: axe in both schemes, 400 %, spaced and doubled text, forced colours, reduced motion,
 * thumbs.
 */
test.describe.configure({ timeout: 600_000 });

/** The walk of `npm test`. */
const CORE = "a visitor";

for (const [who, walk] of Object.entries(tours)) {
  test(`${who} meets nothing but good looks${who === CORE ? " @core" : ""}`, async ({ page, site }) => {
    for await (const state of walk({ page, site })) await expectGoodLooks(page, state);
  });
}
