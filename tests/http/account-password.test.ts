import { expect, test } from "vitest";

import { ada, changePassword, logIn, PASSWORD } from "../helpers/account-page.ts";
import { errorsAt, readSummary, readWords } from "../helpers/page.ts";
import { openQuietSite } from "../helpers/site.ts";

test("a new password signs out every other device", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const other = await logIn(site, ada, "203.0.113.5");
  const answer = await changePassword(browser);
  expect(answer).toMatchObject({ status: 303, location: "/?account=password&flash=password-changed#account-password" });
  expect(readWords((await browser.get(answer.location ?? "")).text)).toContain(
    "You've changed your password. Every other device is signed out.",
  );
  expect((await other.get("/")).status).toBe(302);
  expect((await site.openBrowser().logIn(ada)).status).toBe(400);
});

const refusals: [fields: Record<string, string>, field: string, sentence: string][] = [
  [{ oldPassword: "" }, "oldPassword", "That isn't your current password."],
  [{ password: "short", passwordConfirmation: "short" }, "password", "Password must be at least 8 characters long"],
  [{ passwordConfirmation: "other" }, "passwordConfirmation", "Passwords do not match"],
  [
    { password: "password1", passwordConfirmation: "password1" },
    "password",
    "This password is too easy to guess. Please choose another.",
  ],
];

test("each mistake is shown beside its field, and no password comes back", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  for (const [fields, field, sentence] of refusals) {
    const answer = await changePassword(browser, fields);
    expect(answer.status, sentence).toBe(400);
    expect(readSummary(answer.text)).toEqual([[field, sentence]]);
    expect(errorsAt(answer.text, field)).toBe(sentence);
    expect(answer.text).toMatch(/<details[^>]* open[^>]*><summary[^>]*><h3>Change password/);
    for (const secret of [PASSWORD, "moss-lantern-42"]) expect(answer.text).not.toContain(secret);
  }
  expect((await site.openBrowser().logIn(ada)).status).toBe(303);
});

test("after ten guesses at the old password the page says how long to wait", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  let answer = await changePassword(browser, { oldPassword: "guess" });
  for (let count = 0; count < 15 && answer.status === 400; count += 1) {
    answer = await changePassword(browser, { oldPassword: "guess" });
  }
  expect(answer.status).toBe(429);
  expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(readSummary(answer.text)[0]?.[1]).toMatch(/^Too many attempts\. Please wait/);
});
