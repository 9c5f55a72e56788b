import { expect, test } from "vitest";

import { nora, PASSWORD } from "../helpers/newcomer.ts";
import { errorsAt, summaryOf, tagWith, titleOf, valueOf } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

const details = "/signup?step=1";

/** Every sentence of step 1 (spec, section 5), by what is typed and the field it is said at. */
const sentences: [typed: Partial<typeof nora>, field: string, sentence: string][] = [
  [{ firstName: "" }, "firstName", "You need to enter a first name."],
  [{ firstName: "  " }, "firstName", "You need to enter a first name."],
  [{ firstName: "First name" }, "firstName", "You need to enter a first name."],
  [{ firstName: "a".repeat(81) }, "firstName", "This is too long: please use 80 characters or fewer."],
  [{ lastName: "" }, "lastName", "You need to enter a surname."],
  [{ lastName: "SURNAME" }, "lastName", "You need to enter a surname."],
  [{ lastName: "a".repeat(81) }, "lastName", "This is too long: please use 80 characters or fewer."],
  [{ email: "" }, "email", "You must use a valid email address"],
  [{ email: "nora" }, "email", "You must use a valid email address"],
  [{ email: "nora@example" }, "email", "You must use a valid email address"],
  [{ email: "nora penn@example.org" }, "email", "You must use a valid email address"],
  [{ email: "nora@example..org" }, "email", "You must use a valid email address"],
  [{ email: "nora@example.org\r\nBcc: all@example.org" }, "email", "You must use a valid email address"],
  [{ email: `${"n".repeat(250)}@example.org` }, "email", "You must use a valid email address"],
  [{ email: "member@dormouse.example" }, "email", "This email is already registered."],
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
  [
    { accountType: "corporate", code: "" },
    "code",
    "Please enter the code from your employer. If you have none, ask them for it.",
  ],
  [
    { accountType: "corporate", code: "DORMOUSE-NONE" },
    "code",
    "We do not recognise this code. Please check it letter by letter, or ask the person who gave it to you.",
  ],
  [
    { accountType: "corporate", code: "DORMOUSE-FULL" },
    "code",
    "Every place on this code is taken. Please ask the person who gave it to you for another one.",
  ],
];

test.each(sentences.map(([typed, field, sentence]) => ({ typed, field, sentence })))(
  "step 1 says at $field: $sentence",
  async ({ typed, field, sentence }) => {
    await using site = await openSite({}, withoutContent);
    const answer = await site.openBrowser().post(details, { ...nora, ...typed });
    expect(answer.status).toBe(400);
    expect(titleOf(answer.text)).toBe("Error: Your details – Dormouse");
    expect(summaryOf(answer.text)).toEqual([[field, sentence]]);
    expect(errorsAt(answer.text, field)).toBe(sentence);
    expect(answer.headers.getSetCookie()).toEqual([]);
  },
);

test("a code that is over says since when", async () => {
  await using site = await openSite({}, withoutContent);
  const answer = await site.openBrowser().post(details, { ...nora, accountType: "corporate", code: "DORMOUSE-OLD" });
  expect(errorsAt(answer.text, "code")).toMatch(
    /^This code ended on \d\d\/\d\d\/\d{4}\. Please ask the person who gave it to you for a new one\.$/,
  );
});

test("everything is said at once, in the order of the fields, beside what was typed and without the passwords", async () => {
  await using site = await openSite({}, withoutContent);
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
  expect(summaryOf(answer.text).map(([field]) => field)).toEqual([
    "code",
    "firstName",
    "lastName",
    "email",
    "password",
    "passwordConfirmation",
  ]);
  expect(tagWith(answer.text, "div", 'role="group"', 'tabindex="-1"')).toBeDefined();
  expect(valueOf(answer.text, "code")).toBe("moss<b>&code");
  expect(valueOf(answer.text, "email")).toBe(`nora"@`);
  expect(tagWith(answer.text, "input", 'value="corporate"', "checked")).toBeDefined();
  expect([...answer.text.matchAll(/aria-invalid="true"/g)]).toHaveLength(6);
  expect(answer.text).not.toMatch(/hush-[12]/);
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test("script is told the same, and no password either", async () => {
  await using site = await openSite({}, withoutContent);
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

test("a failing check of codes is told in the spec's words, and logged", async () => {
  await using site = await openSite({}, withoutContent);
  site.services.codes.check = () => Promise.reject(new Error("the codes are away"));
  const answer = await site.openBrowser().post(details, { ...nora, accountType: "corporate", code: "DORMOUSE-DEMO" });
  expect(answer.status).toBe(400);
  expect(errorsAt(answer.text, "code")).toBe("An error occurred validating your coupon - contact us");
  expect(site.log.lines).toMatchObject([{ level: "error", event: "a code could not be checked" }]);
});
