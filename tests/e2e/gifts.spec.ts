import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { desktop } from "./circumstances.ts";
import { expect, loseSession, test } from "./fixtures.ts";
import { fillGift, giveSheet } from "./gift-steps.ts";
import { expectNoSidewaysScroll } from "./looks.ts";
import { addMember } from "./new-member.ts";
import { confirmAtBank, makeEmail, payAgainBy, payBy, readDecline, readVerification } from "./sign-up-steps.ts";
import { PASSWORD } from "../helpers/newcomer.ts";

const ways = [
  { name: "desktop, script on", use: { ...desktop, script: "on" } },
  {
    name: "phone, script off",
    use: { viewport: { width: 360, height: 780 }, script: "off", javaScriptEnabled: false },
  },
  {
    name: "phone, script late, under a path",
    use: { viewport: { width: 390, height: 844 }, script: "late", isUnderPath: true },
  },
] as const;

for (const { name, use } of ways) {
  test.describe(name, () => {
    test.use(use);

    test("a gift by email survives a refusal, a declined card and a bank's page, and its giver may change it", async ({
      page,
      site,
    }) => {
      const giver = makeEmail();
      await site.open("/signup");
      await page.getByRole("link", { name: "Give a year of Dormouse" }).click();
      await fillGift(page, giver);
      await site.letScriptArrive();
      await expect(page.getByLabel("Their name")).toHaveValue("Wren");
      await page.getByRole("button", { name: "Review and pay" }).click();
      await expect(page.getByRole("group", { name: "Error" })).toContainText("Enter their email address");
      await page.getByLabel("Their email").fill(makeEmail());
      await expect(page.getByLabel("Your name")).toHaveValue("Tom Hart");
      await page.getByRole("button", { name: "Review and pay" }).click();
      await expect(page.getByText("Sleep well, Wren.")).toBeVisible();
      await payBy(page, site, "declined");
      await readDecline(page, site);
      await payAgainBy(page, site, "authentication");
      await confirmAtBank(page);
      await expect(page.getByRole("heading", { level: 1, name: "Thank you" })).toBeVisible();
      await page.getByRole("link", { name: "See your gift" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Your gift for Wren" })).toBeVisible();
      await page.getByText("Change the address").first().click();
      await page.getByLabel("Their email").fill("nowhere");
      await page.getByRole("button", { name: "Change the address" }).click();
      await expect(page.getByRole("group", { name: "Error" })).toContainText("Enter their email address.");
      await page.getByLabel("Their email").fill("wren@moved.example");
      await page.getByRole("button", { name: "Change the address" }).click();
      await expect(page.getByRole("status")).toContainText("You've changed the address");
      await expect(page.getByText("wren@moved.example").first()).toBeVisible();
      await page.getByText("Cancel and refund", { exact: true }).click();
      await page.getByRole("button", { name: "Cancel and refund £60" }).click();
      await expect(page.getByText(/^You cancelled it on/)).toBeVisible();
    });

    test("a newcomer joins by a gift: no plan, no payment", async ({ page, site }) => {
      const code = await giveSheet(page, site);
      await loseSession(page);
      await site.open("/gift");
      await page.getByLabel("Gift code").fill("DORMOUSE-7777");
      await page.getByRole("button", { name: "Open my gift" }).click();
      await expect(page.getByRole("group", { name: "Error" })).toContainText("We don't recognise this code.");
      await page.getByLabel("Gift code").fill(code.toLowerCase());
      await page.getByRole("button", { name: "Open my gift" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "A gift for you, Wren" })).toBeVisible();
      await expectNoSidewaysScroll(page, "the gift");
      await page.getByRole("main").getByRole("link", { name: "Sign up" }).click();
      const email = makeEmail();
      await page.getByLabel("First name").fill("Wren");
      await page.getByLabel("Surname").fill("Marsh");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByLabel("Confirm password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign Up" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Your gift" })).toBeVisible();
      await page.getByLabel("Verification code").fill((await readVerification(site, email)).code);
      await page.getByRole("button", { name: "Join" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "You're a member" })).toBeVisible();
      await page.getByRole("link", { name: "Go to Dormouse" }).click();
      await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
    });

    test("a member adds a gift to what they have", async ({ page, site }) => {
      const code = await giveSheet(page, site);
      await loseSession(page);
      await site.logIn({ email: await addMember(site), path: `/gift?code=${code}` });
      await expect(page.getByText(/when your present membership ends/)).toBeVisible();
      await site.letScriptArrive();
      await page.getByRole("button", { name: "Add it to my membership" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "It's yours" })).toBeVisible();
      await site.open(`/gift?code=${code}`);
      await expect(page.getByRole("heading", { level: 1, name: "This gift is taken up" })).toBeVisible();
    });
  });
}
