import { expect, test } from "vitest";

import { createNewcomer, nora, PASSWORD } from "../helpers/newcomer.ts";
import { headingOf, linkNamed, summaryOf, tagWith, valueOf, wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

const details = "/signup?step=1";

test("who has an account already is shown the way in, and keeps where they wanted to go", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site, { email: "member@dormouse.example", to: "/?view=read" });
  const { text } = await visitor.tellDetails();
  expect(linkNamed(text, "Log in with it")).toBe("/login?to=%2F%3Fview%3Dread");
});

test.each([
  "anna+sleep@example.org",
  "a@b.health",
  "o'neill@example.london",
  "nora@sub.sub.example.co.uk",
  "UPPER.lower@Example.ORG",
  `${"n".repeat(64)}@example.org`,
])("%s is an address", async (email) => {
  await using site = await openSite({}, withoutContent);
  expect(await createNewcomer(site, { email }).tellDetails()).toMatchObject({
    status: 303,
    location: "/signup?step=2",
  });
});

test.each([
  ["of eight characters", "q7-zvk4m"],
  ["of emails of any language", "ночьнатихо"],
  ["of pictures", "🌙🌰🐭🌿🌙🌰🐭✨"],
  ["with spaces", " with spaces in it "],
  ["of 1024 characters", `${"x".repeat(1023)}y`],
])("a password %s is one", async (_name, password) => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  expect((await visitor.tellDetails({ password, passwordConfirmation: password })).status).toBe(303);
  await visitor.typeCode();
  await visitor.choosePlan();
  await visitor.pay({ card: "paid" });
  const logIn = await site.openBrowser().post("/login", { intent: "log-in", email: visitor.email, password });
  expect(logIn.status).toBe(303);
});

test("what was told is there when one comes back, but for the password", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.tellDetails({ firstName: 'Nora "N"', lastName: "<i>Penn" });
  const { text } = await visitor.browser.get(details);
  expect(valueOf(text, "firstName")).toBe('Nora "N"');
  expect(valueOf(text, "lastName")).toBe("<i>Penn");
  expect(valueOf(text, "email")).toBe(nora.email);
  expect(valueOf(text, "password")).toBe("");
  expect(text).not.toContain(PASSWORD);
  expect(text).not.toContain("<i>Penn");
});

test("an account type that does not exist is no reason to lose what was typed", async () => {
  await using site = await openSite({}, withoutContent);
  const answer = await createNewcomer(site).tellDetails({ accountType: "royal" });
  expect(answer.status).toBe(400);
  expect(wordsOf(answer.text)).toContain("Please choose Corporate or Individual.");
  expect(valueOf(answer.text, "firstName")).toBe("Nora");
});

test("another's abandoned sign-up with the same address stands in nobody's way", async () => {
  await using site = await openSite({}, withoutContent);
  await createNewcomer(site).tellDetails();
  const visitor = createNewcomer(site, { browser: site.openBrowser({ address: "203.0.113.5" }) });
  await visitor.reachPayment();
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
});

test("a seventh email an hour to one address is not written, and the page says how long to wait", async () => {
  await using site = await openSite({}, withoutContent);
  for (let count = 1; count <= 6; count += 1) expect((await createNewcomer(site).tellDetails()).status).toBe(303);
  const answer = await createNewcomer(site).tellDetails();
  expect(answer.status).toBe(429);
  expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(summaryOf(answer.text)).toEqual([
    [undefined, "There have been too many attempts. Please wait 60 minutes, then try again."],
  ]);
  expect(valueOf(answer.text, "firstName")).toBe("Nora");
  expect(answer.text).not.toContain(PASSWORD);
  await site.services.outbox.deliver();
  expect(site.emails).toHaveLength(6);
});

test("one network may try the details 120 times an hour", async () => {
  await using site = await openSite({}, withoutContent);
  const robot = site.openBrowser();
  const wrong = { ...nora, email: "member@dormouse.example", password: "", passwordConfirmation: "" };
  for (let count = 1; count <= 120; count += 1) await robot.post(details, wrong);
  const answer = await robot.post(details, wrong);
  expect(answer.status).toBe(429);
  expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(wordsOf(answer.text)).toContain("There have been too many attempts. Please wait 60 minutes, then try again.");
  expect(wordsOf(answer.text)).not.toContain("already registered");
  expect((await site.openBrowser({ address: "203.0.113.9" }).post(details, wrong)).status).toBe(400);
  site.clock.advance(60 * 60 * 1000);
  expect((await robot.post(details, wrong)).status).toBe(400);
});

test("the form is whole without script: labels, types, hints, and corporate unless one says otherwise", async () => {
  await using site = await openSite({}, withoutContent);
  const { text } = await site.openBrowser().get(details);
  expect(headingOf(text)).toBe("Create your account");
  const labels = [...text.matchAll(/<label for="details-(\w+)">([^<]+)<\/label>/g)].map(([, id, label]) => [label, id]);
  expect(Object.fromEntries(labels)).toEqual({
    "Dormouse code": "code",
    "First name": "firstName",
    Surname: "lastName",
    Email: "email",
    Password: "password",
    "Confirm password": "passwordConfirmation",
  });
  expect(tagWith(text, "input", 'type="radio"', 'value="corporate"', "checked")).toBeDefined();
  for (const [name, autoComplete] of [
    ["firstName", "given-name"],
    ["lastName", "family-name"],
    ["email", "email"],
    ["password", "new-password"],
    ["passwordConfirmation", "new-password"],
  ]) {
    expect(tagWith(text, "input", `name="${name}"`, `autocomplete="${autoComplete}"`, "required")).toBeDefined();
  }
  expect(text).toContain('placeholder="Dormouse code"');
  expect(text).toContain('href="mailto:hello@dormouse.example"');
});
