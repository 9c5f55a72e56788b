import { expect, test } from "./fixtures.ts";

/** That a journey fails which asks another host for something: these are to fail, and for that alone. */

for (const isLedElsewhere of [false, true]) {
  test.describe(isLedElsewhere ? "where requests are stopped" : "where one listens", () => {
    test.use({ isLedElsewhere });

    test("a page that asks another host for something is noticed", async ({ page, site }) => {
      await site.open("/healthz");
      await expect(page.goto("http://elsewhere.example/")).rejects.toThrow(/ERR_NAME_NOT_RESOLVED|ERR_FAILED/);
      test.fail();
    });
  });
}
