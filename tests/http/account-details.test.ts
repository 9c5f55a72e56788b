import { expect, test } from "vitest";

import { ada, logIn, findMember, PASSWORD, save, tom } from "../helpers/account-page.ts";
import { errorsAt, readSummary, readTitle, readValue, readWords } from "../helpers/page.ts";
import { openQuietSite } from "../helpers/site.ts";

test("a saved name is shown as names are, and posted extras change nothing", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const before = await findMember(site, ada);
  const extras = {
    hasActiveSubscription: "true",
    userType: "corporate",
    id: "2",
    memberId: "2",
    accountType: "corporate",
  };
  const answer = await save(browser, { firstName: "  zoë ", lastName: "McDonald", ...extras });
  expect(answer).toMatchObject({ status: 303, location: "/?account=open&flash=saved" });
  expect(await findMember(site, ada)).toEqual({ ...before, firstName: "zoë", lastName: "McDonald" });
  expect(await findMember(site, tom)).toMatchObject({ firstName: "Tom", lastName: "Fenwick" });
  const page = await browser.get(answer.location ?? "");
  expect(page.text).toMatch(/role="status"[^>]*>.*Your details are saved\./s);
  expect(page.text).toContain("Account of Zoë McDonald</span>");
  expect(readValue(page.text, "firstName")).toBe("zoë");
});

const refusals: [fields: Record<string, string>, field: string, sentence: string][] = [
  [{ firstName: " " }, "firstName", "You need to enter a first name."],
  [{ firstName: "x".repeat(81) }, "firstName", "This is too long: please use 80 characters or fewer."],
  [{ lastName: "" }, "lastName", "You need to enter a surname."],
  [{ lastName: "x".repeat(81) }, "lastName", "This is too long: please use 80 characters or fewer."],
  [{ email: "nonsense", currentPassword: PASSWORD }, "email", "You must use a valid email address"],
  [{ email: tom, currentPassword: PASSWORD }, "email", "This email is already registered."],
  [{ email: "new@dormouse.example", currentPassword: "wrong" }, "currentPassword", "That isn't your current password."],
  [
    { email: "new@dormouse.example" },
    "currentPassword",
    "Please enter your current password to change your email address.",
  ],
];

test("all mistakes are shown at once beside their fields, and nothing is saved", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  for (const [fields, field, sentence] of refusals) {
    const answer = await save(browser, { firstName: "Changed", ...fields });
    expect(answer.status, sentence).toBe(400);
    expect(readTitle(answer.text)).toBe("Error: My Account – Dormouse");
    expect(readSummary(answer.text)).toEqual([[field, sentence]]);
    expect(errorsAt(answer.text, field)).toBe(sentence);
    for (const [name, value] of Object.entries({ firstName: "Changed", ...fields })) {
      expect(readValue(answer.text, name)).toBe(name === "currentPassword" ? "" : value.trim());
    }
    expect(answer.text).not.toContain(PASSWORD);
  }
  const { text } = await save(browser, { firstName: "", lastName: "", email: "x" });
  expect(readSummary(text).map(([field]) => field)).toEqual(["firstName", "lastName", "email", "currentPassword"]);
  expect(await findMember(site, ada)).toMatchObject({ firstName: "Ada", lastName: "Lovell", email: ada });
});

test("a change from another window is not overwritten silently, and once seen it may be", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await save(browser, { firstName: "Adele" });
  const answer = await save(browser, { firstName: "Adeline", lastName: "Lovell-Fenn" });
  expect(answer.status).toBe(409);
  expect(readWords(answer.text)).toContain("Your details have changed since you opened this page");
  expect(readValue(answer.text, "firstName")).toBe("Adeline");
  expect(readWords(answer.text)).toContain("It's now: Adele");
  expect(await findMember(site, ada)).toMatchObject({ firstName: "Adele", lastName: "Lovell" });
  const shownFirstName = readValue(answer.text, "shownFirstName") ?? "";
  expect(shownFirstName).toBe("Adele");
  expect(await save(browser, { firstName: "Adeline", shownFirstName })).toMatchObject({ status: 303 });
  expect(await findMember(site, ada)).toMatchObject({ firstName: "Adeline" });
});
