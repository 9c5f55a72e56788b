import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { circumstances } from "./circumstances.ts";
import { expect, fillLogIn, test } from "./fixtures.ts";

for (const { name, use } of circumstances) {
  test.describe(name, () => {
    test.use(use);

    test("a visitor mistypes, logs in, and arrives at the page they wanted", async ({ page, site }) => {
      await site.open("/?view=read&item=1003");
      await expect(page.getByRole("heading", { level: 1, name: "A quiet place for bad nights" })).toBeVisible();
      await page.getByRole("navigation").getByRole("link", { name: "Log In" }).click();

      await fillLogIn(page, "member@dormouse.example", "not-my-password");
      const refusal = page.getByRole("group", { name: "Error" });
      await expect(refusal).toContainText("This email and password don't match. Please check both and try again.");
      await site.letScriptArrive();
      if (site.hasScript) await expect(refusal).toBeFocused();
      await expect(page).toHaveTitle("Error: Log in – Dormouse");
      await expect(page.getByLabel("Email")).toHaveValue("member@dormouse.example");
      await expect(page.getByRole("button", { name: "Please try again" })).toBeVisible();

      await fillLogIn(page, "member@dormouse.example");
      await expect(page).toHaveURL(site.url("/?view=read&item=1003"));
      await expect(page.getByRole("heading", { level: 1, name: /Waking at 3 am/ })).toBeVisible();
    });

    // In the other modes this would repeat the log-in above.
    if (use.script === "late")
      test("late script keeps what was typed", async ({ page, site }) => {
        await site.open("/login");
        await fillLogIn(page, "nobody@dormouse.example", "not-my-password");
        await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
        await page.getByLabel("Email").fill("member@dormouse.example");
        const password = page.getByLabel("Password", { exact: true });
        await password.fill("sleep-well-");
        await site.letScriptArrive();
        await page.keyboard.type("tonight");
        await expect(page.getByLabel("Email")).toHaveValue("member@dormouse.example");
        await expect(password).toHaveValue("sleep-well-tonight");
        await page.getByRole("button", { name: "Please try again" }).click();
        await expect(page.getByRole("heading", { name: landingTexts.heading })).toBeVisible();
      });

    test("a member without a subscription sees the locked tile and can leave", async ({ page, site }) => {
      await site.logIn({ email: "lapsed@dormouse.example" });
      await expect(page.getByRole("heading", { name: "No active subscription." })).toBeVisible();
      await expect(page.getByRole("link", { name: /Contact us/ })).toHaveAttribute("target", "_blank");
      await expect(page.getByRole("link", { name: "Videos" })).toHaveCount(0);
      await site.letScriptArrive();
      await page.getByRole("main").getByRole("button", { name: "Log Out" }).click();
      await expect(page).toHaveURL(site.url("/login"));
      await site.open("/");
      await expect(page).toHaveURL(site.url("/signup"));
    });
  });
}
