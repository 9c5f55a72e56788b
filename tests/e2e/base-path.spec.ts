import { expect, fillLogIn, test } from "./fixtures.ts";

test.use({ isUnderPath: true });

for (const javaScriptEnabled of [true, false]) {
  test.describe(`under /members/, script ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ javaScriptEnabled, script: javaScriptEnabled ? "on" : "off" });

    test("a journey never leaves the path", async ({ page, site }) => {
      const addresses: string[] = [];
      page.on("request", (request) => addresses.push(new URL(request.url()).pathname));
      await site.open("/?view=read&item=1003");
      expect(new URL(page.url()).pathname).toBe("/members/signup");
      await page.getByRole("link", { name: "Log in", exact: true }).last().click();
      await fillLogIn(page, "member@dormouse.example", "wrong");
      await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
      await fillLogIn(page, "member@dormouse.example");
      await expect(page).toHaveURL(site.url("/?view=read&item=1003"));

      await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Videos" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeVisible();
      await page
        .getByRole("main")
        .getByRole("link", { name: "Stars over the tent: something quiet to look at" })
        .click();
      await page.getByRole("link", { name: /^Play:/ }).click();
      await expect(page.locator("video source").first()).toHaveAttribute(
        "src",
        "/members/media/stars-over-the-tent.mp4",
      );
      await page.getByRole("link", { name: "Close video" }).click();
      // Until the style is there both buttons are: one of them leads away from the scheme.
      await page.waitForLoadState();
      await page.getByRole("button", { name: /Switch to the (?:light|dark) scheme/ }).click();
      await expect(page.locator("html")).toHaveAttribute("data-scheme", /night|dawn/);
      await page.getByRole("link", { name: "Dormouse", exact: true }).click();
      await expect(page).toHaveURL(site.url("/"));
      await page.getByRole("button", { name: /Account of/ }).click();
      await page.locator("#account-menu").getByRole("button", { name: "Log Out" }).click();
      await expect(page).toHaveURL(site.url("/login"));
      expect(addresses.filter((path) => !path.startsWith("/members/"))).toEqual([]);
    });
  });
}
