import { expect, test } from "vitest";

import { createNewcomer, nora, PASSWORD } from "../helpers/newcomer.ts";
import {
  errorsAt,
  readHeading,
  linkNamed,
  readSummary,
  tagWith,
  readTitle,
  readValue,
  readWords,
} from "../helpers/page.ts";
import { openQuietSite } from "../helpers/site.ts";

const details = "/signup?step=1";

/** Every sentence of step 1 (docs/behaviour.md, Refusals), with its input and field. */
const sentences: [typed: Partial<typeof nora>, field: string, sentence: string | RegExp][] = [
  [{ firstName: "  " }, "firstName", "You need to enter a first name."],
  [{ firstName: "First name" }, "firstName", "You need to enter a first name."],
  [{ firstName: "a".repeat(81) }, "firstName", "This is too long: please use 80 characters or fewer."],
  [{ lastName: "SURNAME" }, "lastName", "You need to enter a surname."],
  [{ lastName: "a".repeat(81) }, "lastName", "This is too long: please use 80 characters or fewer."],
  [{ email: "nora@example" }, "email", "You must use a valid email address"],
  [{ email: "nora@example.org\r\nBcc: all@example.org" }, "email", "You must use a valid email address"],
  [{ email: " MEMBER@Dormouse.Example " }, "email", "This email is already registered."],
  [{ password: "moss-42", passwordConfirmation: "moss-42" }, "password", "Password must be 8 characters or more."],
  [
    { password: "m".repeat(1025), passwordConfirmation: "m".repeat(1025) },
    "password",
    "Password must be 1024 characters or fewer.",
  ],
  [
    { password: "password1", passwordConfirmation: "password1" },
    "password",
    "This password is too easy to guess. Please choose another.",
  ],
  [
    { passwordConfirmation: "moss-lantern-43" },
    "passwordConfirmation",
    "Password and password confirmation do not match.",
  ],
  [{ accountType: "corporate", code: "" }, "code", "Enter the code from your employer, or choose Individual."],
  [
    { accountType: "corporate", code: "DORMOUSE-FULL" },
    "code",
    "All the places on this code are used. Please ask the person who gave it to you for another one.",
  ],
  [
    { accountType: "corporate", code: "DORMOUSE-OLD" },
    "code",
    /^This code ended on \d\d\/\d\d\/\d{4}\. Please ask the person who gave it to you for a new one\.$/,
  ],
];

test("each mistake has its sentence, in the summary and beside its field, and keeps nothing in the browser", async () => {
  await using site = await openQuietSite();
  for (const [typed, field, sentence] of sentences) {
    const answer = await site.openBrowser().post(details, { ...nora, ...typed });
    expect(answer.status, field).toBe(400);
    expect(readTitle(answer.text)).toBe("Error: Your details – Dormouse");
    expect(readSummary(answer.text)).toEqual([
      [field, typeof sentence === "string" ? sentence : expect.stringMatching(sentence)],
    ]);
    expect(errorsAt(answer.text, field)).toEqual(readSummary(answer.text)[0]?.[1]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
});

test("all errors are shown at once, in the order of the fields, with what was typed and without the passwords", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const answer = await browser.post(details, {
    intent: "details",
    accountType: "corporate",
    code: "moss<b>&code",
    firstName: " ",
    lastName: "",
    email: `nora"@`,
    password: "hush-1",
    passwordConfirmation: "hush-2",
  });
  expect(answer.status).toBe(400);
  expect(readSummary(answer.text).map(([field]) => field)).toEqual([
    "code",
    "firstName",
    "lastName",
    "email",
    "password",
    "passwordConfirmation",
  ]);
  expect(tagWith(answer.text, "div", 'role="group"', 'tabindex="-1"')).toBeDefined();
  expect(readValue(answer.text, "code")).toBe("moss<b>&code");
  expect(readValue(answer.text, "email")).toBe(`nora"@`);
  expect(tagWith(answer.text, "input", 'value="corporate"', "checked")).toBeDefined();
  expect([...answer.text.matchAll(/aria-invalid="true"/g)]).toHaveLength(6);
  expect(answer.text).not.toMatch(/hush-[12]/);
});

test("a request by script gets the same, without passwords too", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const fields = { ...nora, email: "", password: "hush-1", passwordConfirmation: "hush-2" };
  const refused = await browser.post("/signup.data?step=1", fields);
  expect(refused.status).toBe(400);
  for (const sentence of [
    "You must use a valid email address",
    "Password must be 8 characters or more.",
    "Password and password confirmation do not match.",
  ]) {
    expect(refused.text).toContain(sentence);
  }
  expect(refused.text).toContain("Penn");
  expect(refused.text).not.toMatch(/hush-[12]/);
  const taken = await browser.post("/signup.data?step=1", nora);
  expect(taken.text).toContain('"redirect","/signup?step=2"');
  expect(browser.cookies.size).toBe(1);
  expect(taken.text).not.toContain(PASSWORD);
});

test("a failing check of codes is answered with its own sentence, and logged", async () => {
  await using site = await openQuietSite();
  site.services.codes.check = () => Promise.reject(new Error("the codes are away"));
  const answer = await site.openBrowser().post(details, { ...nora, accountType: "corporate", code: "DORMOUSE-DEMO" });
  expect(answer.status).toBe(400);
  expect(errorsAt(answer.text, "code")).toBe("An error occurred validating your coupon - contact us");
  expect(site.log.lines).toMatchObject([{ level: "error", event: "a code could not be checked" }]);
});

test("a visitor with an account is offered log-in, and keeps the wanted page", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site, { email: "member@dormouse.example", to: "/?view=read" });
  const { text } = await visitor.enterDetails();
  const renewal = "/signup?renew=own&to=%2F%3Fview%3Dread";
  expect(linkNamed(text, "Log in instead")).toBe(`/login?to=${encodeURIComponent(renewal)}`);
});

test("typed details are there when the visitor comes back, except the password", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails({ firstName: 'Nora "N"', lastName: "<i>Penn" });
  const { text } = await visitor.browser.get(details);
  expect(readValue(text, "firstName")).toBe('Nora "N"');
  expect(readValue(text, "lastName")).toBe("<i>Penn");
  expect(readValue(text, "email")).toBe(nora.email);
  expect(readValue(text, "password")).toBe("");
  expect(text).not.toContain(PASSWORD);
  expect(text).not.toContain("<i>Penn");
});

test("an unknown account type does not lose what was typed", async () => {
  await using site = await openQuietSite();
  const answer = await createNewcomer(site).enterDetails({ accountType: "royal" });
  expect(answer.status).toBe(400);
  expect(readWords(answer.text)).toContain("Please choose Corporate or Individual.");
  expect(readValue(answer.text, "firstName")).toBe("Nora");
});

test("a seventh email an hour to one address is not sent, and the page says how long to wait", async () => {
  await using site = await openQuietSite();
  for (let count = 1; count <= 6; count += 1) expect((await createNewcomer(site).enterDetails()).status).toBe(303);
  const answer = await createNewcomer(site).enterDetails();
  expect(answer.status).toBe(429);
  expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(readSummary(answer.text)).toEqual([[undefined, "Too many attempts. Please wait 60 minutes, then try again."]]);
  expect(readValue(answer.text, "firstName")).toBe("Nora");
  expect(answer.text).not.toContain(PASSWORD);
});

test("the form is complete without script: labels, types, hints, and corporate by default", async () => {
  await using site = await openQuietSite();
  const { text } = await site.openBrowser().get(details);
  expect(readHeading(text)).toBe("Create your account");
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
