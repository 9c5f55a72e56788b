import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { circumstances } from "./circumstances.ts";
import { expect, test } from "./fixtures.ts";
import { addMember } from "./new-member.ts";

for (const { name, use } of circumstances) {
  test.describe(name, () => {
    test.use(use);

    test("after three pieces one's usual sound plays there, and its timer is one tap away", async ({ page, site }) => {
      await site.logIn({ email: use.app === "remote" ? "member@dormouse.example" : await addMember(site) });
      const form = { keep: "watch-4002", seconds: "2700", duration: "2700", age: "0" };
      await page.request.post(site.url("/positions"), { form, headers: { Origin: new URL(site.url("/")).origin } });
      for (const piece of [1, 2, 3]) await site.open(`/awake?piece=read-500${piece}`);
      const offer = page.getByRole("main").locator("section");
      await expect(offer.getByRole("heading", { name: "Your usual sound: A slow sea" })).toBeVisible();
      await site.letScriptArrive();
      // The player's script is part of the page, so nothing blocks it.
      if (use.javaScriptEnabled) {
        await offer.getByRole("button", { name: "Play" }).click();
        await offer.getByRole("button", { name: "Timer: 30 minutes" }).click();
        await expect(offer.getByText("Fades out in 30 minutes.")).toBeVisible();
      } else await page.locator("audio").click({ position: { x: 28, y: 27 } });
      await expect.poll(() => page.locator("audio").evaluate((each: HTMLAudioElement) => each.paused)).toBe(false);
    });

    test("one tap leads to Awake now, one to another piece, one back", async ({ page, site }) => {
      await site.logIn({ path: "/?view=read&item=1001" });
      await page.getByRole("link", { name: "Awake now" }).click();
      await expect(page).toHaveTitle(/^Awake now/);
      const heading = page.getByRole("heading", { level: 1 });
      const first = await heading.textContent();
      await page.getByRole("link", { name: "Another" }).click();
      await expect(heading).not.toHaveText(first ?? "");
      await page.goBack({ waitUntil: "domcontentloaded" });
      await expect(heading).toHaveText(first ?? "");
      await page.getByRole("link", { name: /^Back to / }).click();
      await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
    });
  });
}
