import { expect, test } from "./fixtures.ts";
import { arriveAtContent, payBy, readVerification, waitForEmail, walkToPayment } from "./sign-up-steps.ts";
import { linkIn } from "../helpers/mailbox.ts";

test.use({ isUnderPath: true });

for (const javaScriptEnabled of [true, false]) {
  test.describe(`under /members/, script ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ javaScriptEnabled, script: javaScriptEnabled ? "on" : "off" });

    test("a sign-up, its emails, the bank's page and the receipt never leave the path", async ({ page, site }) => {
      const paths: string[] = [];
      page.on("request", (request) => paths.push(new URL(request.url()).pathname));
      const email = await walkToPayment(page, site);
      expect((await readVerification(site, email)).link).toMatch(site.url("/signup?verify="));
      await payBy(page, site, "authentication");
      await page.getByRole("button", { name: "Complete" }).click();
      await arriveAtContent(page);
      const receipt = linkIn(await waitForEmail(site, email, "Your receipt"));
      expect(receipt).toMatch(site.url("/?receipt="));
      await page.goto(receipt);
      await expect(page.getByRole("heading", { level: 1, name: "Receipt" })).toBeVisible();
      expect(paths.filter((path) => !path.startsWith("/members/"))).toEqual([]);
    });
  });
}
