import { expect, fillLogIn } from "../fixtures.ts";
import type { Tour } from "./tour.ts";

/** What somebody meets who is not logged in. */
export const walkAsVisitor: Tour = async function* ({ page, site }) {
  await site.open("/signup");
  yield "welcome";
  await site.open("/login?to=%2F%3Fview%3Dread");
  yield "log in";
  await fillLogIn(page, "member@dormouse.example", "wrong");
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
  yield "log in, refused";
  await page.getByLabel("Password", { exact: true }).fill("sleep");
  await page.getByRole("button", { name: "Show password" }).click();
  yield "log in, the password shown";
  await site.open("/nowhere");
  yield "not found";
};

/** What a member meets whose subscription has ended. */
export const walkLapsed: Tour = async function* ({ page, site }) {
  await site.logIn({ email: "lapsed@dormouse.example" });
  await expect(page.getByRole("heading", { level: 1, name: "No active subscription." })).toBeVisible();
  yield "locked";
  await page.getByRole("button", { name: /^Account of/ }).click();
  await expect(page.locator("#account-menu")).toBeVisible();
  yield "locked, the account's menu";
  await site.open("/?account=open");
  yield "My Account without a subscription";
};
