import { expect, test } from "./fixtures.ts";

/**
 * Tests that a journey meets what its circumstances promise. Those that request something from another host must fail,
 * for that reason alone.
 */

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

for (const script of ["blocked", "late"] as const) {
  test.describe(`script ${script}`, () => {
    test.use({ script });

    test("script is requested and held or blocked", async ({ page, site }) => {
      const requested: string[] = [];
      const arrived: string[] = [];
      page.on("request", (request) => requested.push(request.url()));
      page.on("requestfinished", (request) => arrived.push(request.url()));
      const areScripts = expect.arrayContaining([expect.stringMatching(/\.js$/)]);
      await site.open("/login");
      await expect.poll(() => requested).toEqual(areScripts);
      // If script were not held, it would arrive before three later requests.
      for (let time = 1; time <= 3; time += 1) await page.evaluate(async () => (await fetch("/login")).text());
      expect(arrived).not.toEqual(areScripts);
      await expect(page.locator("html[data-enhanced]")).toHaveCount(0);
      await site.letScriptArrive();
      if (script === "late") await expect.poll(() => arrived).toEqual(areScripts);
      await expect(page.locator("html[data-enhanced]")).toHaveCount(script === "late" ? 1 : 0);
    });
  });
}
