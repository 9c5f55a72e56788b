import { expect, test } from "vitest";

import { ada, logIn, findMember, PASSWORD, pictureNamed, save, tom } from "../helpers/account-page.ts";
import { readValue, readWords } from "../helpers/page.ts";
import { openSite, openQuietSite } from "../helpers/site.ts";

test("a form sent after its session was over comes back after log-in with what was typed, once", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await site.services.sessions.endAll((await findMember(site, ada)).id);
  const typed = { firstName: "Zoë", lastName: "Lovell-Fenn", email: "zoe@dormouse.example", currentPassword: PASSWORD };
  const sent = await save(browser, typed, { picture: await pictureNamed("me.png"), path: "/?view=read&account=open" });
  expect(sent).toMatchObject({ status: 303, location: "/login?to=%2F%3Fview%3Dread%26account%3Dopen" });
  const cookie = sent.headers.getSetCookie().find((each) => each.startsWith("dormouse-unsent="));
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900$/);
  const opened = site.services.cookieSeal.open(browser.cookies.get("dormouse-unsent") ?? "");
  expect(opened).toContain("Lovell-Fenn");
  expect(opened).not.toContain(PASSWORD);

  const back = await browser.logIn(ada, sent.location ?? "");
  expect(back.location).toBe("/?view=read&account=open");
  const page = await browser.get(back.location ?? "");
  expect(readWords(page.text)).toContain("You were logged out. Here is what you typed.");
  expect(readValue(page.text, "firstName")).toBe("Zoë");
  expect(readValue(page.text, "lastName")).toBe("Lovell-Fenn");
  expect(readValue(page.text, "email")).toBe("zoe@dormouse.example");
  expect(readValue(page.text, "shownFirstName")).toBe("Ada");
  expect(await findMember(site, ada)).toMatchObject({ firstName: "Ada" });
  expect(readWords((await browser.get(back.location ?? "")).text)).not.toContain("You were logged out.");
});

test("a member does not see what another had typed in the same browser", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await site.services.sessions.endAll((await findMember(site, ada)).id);
  const sent = await save(browser, { firstName: "Secretname" });
  await browser.logIn(tom, sent.location ?? "");
  const page = await browser.get("/?account=open");
  expect(page.text).not.toContain("Secretname");
  expect(page.text).not.toContain(ada);
  expect(readValue(page.text, "firstName")).toBe("Tom");
});

test("a form with secrets alone is not kept, and the page says so", async () => {
  await using site = await openQuietSite();
  for (const fields of [
    { intent: "password", oldPassword: PASSWORD, password: "moss-lantern-42", passwordConfirmation: "moss-lantern-42" },
    { intent: "close", closingPassword: PASSWORD },
    { intent: "email-code", emailCode: "123456" },
  ]) {
    const browser = await logIn(site, ada);
    await site.services.sessions.endAll((await findMember(site, ada)).id);
    const sent = await browser.post("/?account=open", fields);
    expect(sent).toMatchObject({ status: 303, location: "/login?to=%2F%3Faccount%3Dopen" });
    const opened = site.services.cookieSeal.open(browser.cookies.get("dormouse-unsent") ?? "") ?? "";
    for (const value of Object.values(fields)) expect(opened).not.toContain(value);
    await browser.logIn(ada, sent.location ?? "");
    expect(readWords((await browser.get("/?account=open")).text)).toContain(
      "You were logged out. Please type it again.",
    );
  }
});

test("a favourite button pressed too late leads back to the page that it was on", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await site.services.sessions.endAll((await findMember(site, ada)).id);
  const sent = await browser.post("/favourites", { save: "watch-2001", from: "/?view=watch&page=2" });
  expect(sent).toMatchObject({ status: 303, location: "/login?to=%2F%3Fview%3Dwatch%26page%3D2" });
  expect((await browser.logIn(ada, sent.location ?? "")).location).toBe("/?view=watch&page=2");
});

test("a form too large for a cookie is not kept, and the way back still is", async () => {
  await using site = await openQuietSite();
  const sent = await save(site.openBrowser(), { firstName: "x".repeat(5000) });
  expect(sent).toMatchObject({ status: 303, location: "/login?to=%2F%3Faccount%3Dopen" });
  for (const cookie of sent.headers.getSetCookie()) expect(cookie.length).toBeLessThan(3200);
});
