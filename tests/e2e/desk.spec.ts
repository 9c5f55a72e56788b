import { OPERATOR_PASSWORD } from "../helpers/desk.ts";
import { expect, test } from "./fixtures.ts";
import { pressOn } from "./keyboard.ts";
import { endDeskSessions, logOut, openDesk } from "./operators.ts";

/** A passkey belongs to a host name, and an address is none. */
const byName = (address: string) => address.replace("127.0.0.1", "localhost");

test("an operator adds a passkey, logs in by it, and removes it @core", async ({ browser, site, page }) => {
  await openDesk(page, site);
  const context = await browser.newContext();
  const desk = await context.newPage();
  const session = await context.newCDPSession(desk);
  await session.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true } as const;
  const verified = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  await session.send("WebAuthn.addVirtualAuthenticator", { options: { ...options, ...verified } });

  await context.addCookies(
    (await page.context().cookies()).map(({ name, value }) => ({ name, value, domain: "localhost", path: "/" })),
  );
  await desk.goto(byName(site.url("/desk/access")));
  await desk.getByLabel("Name for this device").fill("The office laptop");
  const password = desk.getByRole("textbox", { name: "Your password" }).first();
  await password.fill("not my password");
  await desk.getByRole("button", { name: "Add a passkey" }).click();
  await expect(desk.getByRole("group", { name: "Error" })).toContainText("That's not your password for the desk.");
  await password.fill(OPERATOR_PASSWORD);
  await desk.getByRole("button", { name: "Add a passkey" }).click();
  await expect(desk.getByRole("rowheader", { name: "The office laptop" })).toBeVisible();

  await logOut(desk);
  await desk.getByRole("button", { name: "Log in with a passkey" }).click();
  await expect(desk.getByRole("navigation", { name: "Desk" })).toBeVisible();

  await desk.goto(byName(site.url("/desk/access")));
  await desk.getByText("Remove “The office laptop”").click();
  await desk.getByRole("button", { name: "Continue" }).click();
  await expect(desk.getByRole("group", { name: "What will happen" })).toContainText("You can no longer log in with");
  await desk.getByRole("button", { name: "Remove the passkey" }).click();
  await expect(desk.getByText("Passkey removed.")).toBeVisible();
  await logOut(desk);
  await desk.getByRole("button", { name: "Log in with a passkey" }).click();
  await expect(desk.getByRole("group", { name: "Error" })).toContainText("We couldn't accept this passkey.");
  await context.close();
});

test("an item is shown in its preview when a click leads there", async ({ page, site }) => {
  await openDesk(page, site, "/desk/content");
  await page.locator("html[data-enhanced]").waitFor();
  await page.locator('main a[href^="/desk/content/"]').first().click();
  const frame = page.frameLocator("iframe");
  await expect(page.getByRole("heading", { level: 1, name: "Preview" })).toBeVisible();
  await expect(frame.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a chart's points are read by the arrow keys and under the pointer, one tab stop in all", async ({
  page,
  site,
}) => {
  await openDesk(page, site, "/desk/figures?days=30&figure=members");
  const reader = page.getByRole("slider", { name: "Members, day by day" });
  const reading = page.locator("figcaption");
  await expect(page.getByRole("slider")).toHaveCount(1);
  const whenUnread = await reading.textContent();
  await reader.focus();
  const last = await reading.textContent();
  await expect(reader).toHaveAttribute("aria-valuetext", last ?? "");
  await page.keyboard.press("ArrowLeft");
  await expect(reading).not.toHaveText(last ?? "");
  await page.keyboard.press("End");
  await expect(reading).toHaveText(last ?? "");
  await reader.blur();
  await expect(reading).toHaveText(whenUnread ?? "");
  await page.getByRole("img", { name: /^Members, / }).hover({ position: { x: 1, y: 20 }, force: true });
  await expect(reading).not.toHaveText(whenUnread ?? "");
  await expect(reading).not.toHaveText(last ?? "");
});

test("an act is unfolded, sent and answered by keyboard alone @core", async ({ page, site }) => {
  await openDesk(page, site, "/desk/access");
  await pressOn(page, page.locator("summary", { hasText: "Make new recovery codes" }));
  await page.keyboard.press("Tab");
  await page.keyboard.type(OPERATOR_PASSWORD);
  await pressOn(page, page.getByRole("button", { name: "Make ten new codes" }));
  await expect(page.getByText("The old ones no longer work.")).toBeVisible();
});

test("a session that was ended elsewhere asks for the log-in at the next step", async ({ page, site }) => {
  const operator = await openDesk(page, site, "/desk/access");
  await endDeskSessions(site, operator);
  await page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: "Audit log" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in to the desk" })).toBeVisible();
});

test("a key that is pressed as soon as a screen is there finds the member search on the next", async ({
  page,
  site,
}) => {
  await openDesk(page, site);
  // React moves the focus a moment after it has shown a screen.
  await page.evaluate(() => {
    const waiting = new MutationObserver(() => {
      if (document.querySelector("h1")?.textContent !== "Companies") return;
      waiting.disconnect();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
    });
    waiting.observe(document, { subtree: true, childList: true, characterData: true });
  });
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page.getByRole("heading", { level: 1, name: "Members", exact: true })).toBeVisible();
  await expect(page.getByRole("searchbox")).toBeFocused();
});

test("keys find a member and go to the screens, rest in a field, and can be turned off", async ({ page, site }) => {
  await openDesk(page, site);
  await site.letScriptArrive();
  const heading = (name: string) => expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible();
  const find = page.getByRole("searchbox");
  await page.keyboard.press("/");
  await expect(find).toBeFocused();
  await page.keyboard.type("gc/?");
  await expect(find).toHaveValue("gc/?");
  await heading("Today");
  await page.keyboard.press("Tab");
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await heading("Companies");
  await page.keyboard.press("/");
  await heading("Members");
  await expect(find).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("?");
  await page.getByRole("button", { name: "Turn the keys off" }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await page.reload();
  await site.letScriptArrive();
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await page.keyboard.press("?");
  await expect(page.getByRole("button", { name: "Turn the keys on" })).toBeHidden();
  await heading("Members");
});
