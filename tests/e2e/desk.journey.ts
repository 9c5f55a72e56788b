import { OPERATOR_PASSWORD } from "../helpers/desk.ts";
import { circumstances } from "./circumstances.ts";
import { expect, test } from "./fixtures.ts";
import { addOperator, begin, goToTab, logOut } from "./operators.ts";

for (const { name, use } of circumstances) {
  test.describe(name, () => {
    test.use(use);

    test("an operator begins, looks around, does an act, logs out, and logs in with a recovery code", async ({
      page,
      site,
    }) => {
      const operator = await addOperator(site);
      await begin(page, site, operator);
      const [code = ""] = await page.getByRole("status").locator("code").allInnerTexts();
      await page.getByRole("link", { name: "Go to the desk" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Today" })).toBeVisible();
      await goToTab(page, "Audit log");
      await expect(page.getByRole("heading", { level: 1, name: "Who did what" })).toBeVisible();
      await expect(
        page.getByRole("main").locator("table").getByText("Accepted an invitation to the desk").first(),
      ).toBeVisible();

      await goToTab(page, "Your access");
      await page.getByText("Log out everywhere else").first().click();
      await page.getByRole("button", { name: "Log out everywhere else" }).click();
      await expect(page.getByText("You weren't logged in anywhere else.")).toBeVisible();

      await logOut(page);
      await expect(page.getByRole("heading", { level: 1, name: "Log in to the desk" })).toBeVisible();
      await page.getByLabel("Email").fill(operator.email);
      await page.getByLabel("Password", { exact: true }).fill(OPERATOR_PASSWORD);
      await page.getByLabel("One-time code", { exact: true }).fill("000000");
      await page.getByRole("button", { name: "Log In", exact: true }).click();
      await expect(page.getByRole("group", { name: "Error" })).toContainText("do not match");
      await page.getByLabel("Password", { exact: true }).fill(OPERATOR_PASSWORD);
      await page.getByLabel("One-time code", { exact: true }).fill(code);
      await page.getByRole("button", { name: "Log In", exact: true }).click();
      await expect(page.getByRole("button", { name: "Menu", exact: true })).toBeVisible();
    });
  });
}
