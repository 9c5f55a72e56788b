import { expect, test } from "vitest";

import { ada, lastEmail, logIn, findMember, PASSWORD, save } from "../helpers/account-page.ts";
import { codeIn, linkIn, otherThan } from "../helpers/mailbox.ts";
import { errorsAt, readHeading, linkNamed, readSummary, readTitle, readValue, readWords } from "../helpers/page.ts";
import type { Browser } from "../helpers/site.ts";
import { openQuietSite } from "../helpers/site.ts";

async function askForAddress(browser: Browser) {
  const answer = await save(browser, { email: "new@dormouse.example", currentPassword: PASSWORD });
  expect(answer).toMatchObject({ status: 303, location: "/?account=open&flash=saved" });
  return browser.get(answer.location ?? "");
}

test("a new address is proved by its code; until then the old one works", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const page = await askForAddress(browser);
  expect(readWords(page.text)).toContain(
    `Check your inbox at new@dormouse.example to finish. Until then, log in with ${ada} .`,
  );
  expect(readWords(page.text)).toContain("Check your inbox to finish changing your email.");
  expect(readValue(page.text, "email")).toBe(ada);
  expect((await site.openBrowser().logIn(ada)).status).toBe(303);

  const code = codeIn(await lastEmail(site, "new@dormouse.example"));
  const typed = (emailCode: string) => browser.post("/?account=open", { intent: "email-code", emailCode });
  const wrong = await typed(otherThan(code));
  expect(wrong.status).toBe(400);
  expect(readTitle(wrong.text)).toBe("Error: My Account – Dormouse");
  expect(readSummary(wrong.text)).toEqual([
    ["emailCode", "That isn't the code we sent you. Please check it, or send a new one."],
  ]);
  expect(errorsAt((await typed("")).text, "emailCode")).toBe("Please enter the six-digit code we sent you.");
  expect(await typed(code)).toMatchObject({ status: 303, location: "/?account=open&flash=email-confirmed" });
  const done = await browser.get("/?account=open&flash=email-confirmed");
  expect(readWords(done.text)).toContain("You've changed your email address.");
  expect(readValue(done.text, "email")).toBe("new@dormouse.example");
  expect(errorsAt((await typed(code)).text, "emailCode")).toBeUndefined();
});

test("another code can be sent a minute later, and a pending address can be cancelled", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await askForAddress(browser);
  const resend = () => browser.post("/?account=open", { intent: "email-resend" });
  const early = await resend();
  expect(early.status).toBe(429);
  expect(early.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(readSummary(early.text)[0]?.[1]).toMatch(
    /^We sent a code a moment ago\. Please wait .+, then ask for another\.$/,
  );
  site.clock.advance(61_000);
  expect(await resend()).toMatchObject({ status: 303, location: "/?account=open&flash=code-sent" });
  expect(readWords((await browser.get("/?account=open&flash=code-sent")).text)).toContain("A new code is on its way.");

  const answer = await browser.post("/?account=open", { intent: "email-cancel" });
  expect(answer).toMatchObject({ status: 303, location: "/?account=open&flash=email-cancelled" });
  const page = readWords((await browser.get(answer.location ?? "")).text);
  expect(page).toContain("Your email address stays the same.");
  expect(page).not.toContain("We've sent a code");
  expect((await resend()).location).toBe("/?account=open&flash=nothing-pending");
});

test("the new address's link works in any browser, logged in or not, by one button", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await askForAddress(browser);
  const link = linkIn(await lastEmail(site, "new@dormouse.example"));
  expect(link).toMatch(/^http:\/\/dormouse\.test\/\?account=confirm-email&token=/);
  for (const reader of [site.openBrowser(), browser]) {
    const sent = await reader.get(link);
    expect(sent.status).toBe(302);
    expect(sent.location).toMatch(/^\/login\?confirm=/);
    const page = await reader.get(sent.location ?? "");
    expect(readHeading(page.text)).toBe("Confirm your email");
    expect(readWords(page.text)).toContain("Press the button to use new@dormouse.example for your account.");
    expect(readValue(page.text, "token")).not.toBe("");
  }
  expect(await site.services.accounts.findByEmail("new@dormouse.example")).toBeUndefined();
  const stranger = site.openBrowser();
  const page = await stranger.get((await stranger.get(link)).location ?? "");
  const token = readValue(page.text, "token") ?? "";
  const confirmed = await stranger.post("/login", { intent: "confirm-link", token });
  expect(confirmed).toMatchObject({ status: 303, location: "/login?done=email-confirmed" });
  expect(readHeading((await stranger.get("/login?done=email-confirmed")).text)).toBe("Your email is confirmed");
  expect(await findMember(site, "new@dormouse.example")).toMatchObject({ firstName: "Ada" });
  expect((await stranger.get("/")).status).toBe(302);
  expect((await stranger.post("/login", { intent: "confirm-link", token })).location).toMatch(/^\/login\?confirm=/);
});

test("the old address gets an email with a link that restores it by one button", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await askForAddress(browser);
  const emailCode = codeIn(await lastEmail(site, "new@dormouse.example"));
  await browser.post("/?account=open", { intent: "email-code", emailCode });
  const link = linkIn(await lastEmail(site, ada)).replace("http://dormouse.test/", "/");
  expect(link).toMatch(/^\/login\?undo=/);
  const owner = site.openBrowser();
  const page = await owner.get(link);
  expect(page.status).toBe(200);
  expect(readHeading(page.text)).toBe("Undo the change");
  expect(readWords(page.text)).toContain(ada);
  expect(await site.services.accounts.findByEmail(ada)).toBeUndefined();
  const undone = await owner.post("/login", { intent: "undo-link", token: readValue(page.text, "token") ?? "" });
  expect(undone).toMatchObject({ status: 303, location: "/login?done=undone" });
  const outcome = await owner.get("/login?done=undone");
  expect(readHeading(outcome.text)).toBe("Your old email is back");
  expect(linkNamed(outcome.text, "Reset password")).toBe("/login?reset=1");
  expect(await findMember(site, ada)).toMatchObject({ firstName: "Ada" });
  expect(await browser.get("/")).toMatchObject({ status: 302 });
  expect((await owner.get(link)).status).toBe(404);
});
