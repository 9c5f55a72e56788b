import { expect, test } from "vitest";

import { ada, lastEmail, logIn, PASSWORD } from "../helpers/account-page.ts";
import { linkIn } from "../helpers/mailbox.ts";
import { errorsAt, readHeading, readSummary, readValue, readWords } from "../helpers/page.ts";
import { openQuietSite } from "../helpers/site.ts";

test("an account is closed by its password, and opened again by the email's link", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const other = await logIn(site, ada);
  const shown = readWords((await browser.get("/?account=close")).text);
  expect(shown).toContain("After 14 days we erase your account");
  expect(shown).toContain("By law we keep a record of your payments for 6 years, without your name");
  const close = (closingPassword: string) => browser.post("/?account=close", { intent: "close", closingPassword });
  for (const wrong of ["", "wrong"]) {
    const refused = await close(wrong);
    expect(refused.status).toBe(400);
    expect(readSummary(refused.text)).toEqual([["closingPassword", "That isn't your current password."]]);
    expect(errorsAt(refused.text, "closingPassword")).toBe("That isn't your current password.");
  }
  const closed = await close(PASSWORD);
  expect(closed).toMatchObject({ status: 303, location: "/login?done=closed" });
  expect(browser.cookies.size).toBe(0);
  expect(readHeading((await browser.get("/login?done=closed")).text)).toBe("Your account is closed");
  expect((await other.get("/")).status).toBe(302);
  expect((await site.openBrowser().logIn(ada)).status).toBe(400);

  const link = linkIn(await lastEmail(site, ada));
  expect(link).toMatch(/^http:\/\/dormouse\.test\/login\?reopen=/);
  const page = await site.openBrowser().get(link);
  expect(readHeading(page.text)).toBe("Open your account again");
  const token = readValue(page.text, "token") ?? "";
  expect((await site.openBrowser().logIn(ada)).status).toBe(400);
  const reopened = await site.openBrowser().post("/login", { intent: "reopen-link", token });
  expect(reopened).toMatchObject({ status: 303, location: "/login?done=reopened" });
  expect(readHeading((await site.openBrowser().get("/login?done=reopened")).text)).toBe("Your account is open again");
  expect((await site.openBrowser().logIn(ada)).status).toBe(303);
  expect((await site.openBrowser().get(link)).status).toBe(404);
});

test("an account whose address was taken meanwhile cannot be reopened, and the page names a contact", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await browser.post("/?account=close", { intent: "close", closingPassword: PASSWORD });
  const token = new URL(linkIn(await lastEmail(site, ada))).searchParams.get("reopen") ?? "";
  const input = {
    email: ada,
    password: PASSWORD,
    firstName: "Nia",
    lastName: "Holt",
    accountType: "individual",
  } as const;
  await site.services.accounts.register(input);
  const answer = await site.openBrowser().post("/login", { intent: "reopen-link", token });
  expect(answer.location).toBe("/login?done=reopen-taken");
  const page = await site.openBrowser().get(answer.location ?? "");
  expect(readHeading(page.text)).toBe("We couldn't open your account");
  expect(page.text).toContain("mailto:");
});
