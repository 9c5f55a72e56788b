import sharp from "sharp";
import { expect, test } from "vitest";

import { codeIn, lettersTo, linkIn } from "../helpers/mailbox.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { errorsAt, headingOf, linkNamed, summaryOf, tagWith, titleOf, valueOf, wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent, type Answer, type Browser, type Site } from "../helpers/site.ts";

const ada = "member@dormouse.example";
const tom = "team@dormouse.example";
const lena = "lapsed@dormouse.example";
const PASSWORD = "sleep-well-tonight";

const openQuietSite = () => openSite({}, withoutContent);

async function logIn(site: Site, email: string, address = "198.51.100.1"): Promise<Browser> {
  const browser = site.openBrowser({ address });
  expect((await browser.logIn(email)).status).toBe(303);
  return browser;
}

const details = {
  intent: "profile",
  firstName: "Ada",
  lastName: "Lovell",
  email: ada,
  shownFirstName: "Ada",
  shownLastName: "Lovell",
  shownEmail: ada,
};

type Sent = { picture?: File; path?: string };

/** Sends the details as a browser does: with a file, or with the empty one of a field that was left alone. */
function save(browser: Browser, fields: Record<string, string> = {}, { picture, path = "/?account=open" }: Sent = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...details, ...fields })) body.append(name, value);
  body.append("picture", picture ?? new File([], ""));
  return browser.request(path, { method: "POST", body, headers: { Origin: browser.origin } });
}

async function memberOf(site: Site, email: string) {
  const member = await site.rooms.accounts.findByEmail(email);
  if (!member) throw new Error(`Nobody has the address ${email}`);
  return member;
}

async function drawPng(width = 20): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({ create: { width, height: 20, channels: 3, background: "#f0bf63" } });
  return new Uint8Array(await image.png().toBuffer());
}

const pictureNamed = async (name: string) => new File([await drawPng()], name);

/** The part that lies over the page. */
function accountIn({ text }: Answer): string {
  return /<dialog[^]*<\/dialog>/.exec(text)?.[0] ?? "";
}

test("My Account lies over any screen, which is out of reach behind it, and its X leads back there", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const path of ["/", "/?view=read", "/?view=read&item=1001", "/?q=snoring", "/?view=favourites"]) {
    const screen = await browser.get(path);
    expect(screen.text).not.toContain("<dialog");
    const opened = linkNamed(screen.text, "My Details") ?? "";
    expect(opened).toBe(`${path}${path.includes("?") ? "&" : "?"}account=open`);
    expect(linkNamed(screen.text, "My Account")).toBe(opened);
    const answer = await browser.get(opened);
    expect(answer.status).toBe(200);
    expect(titleOf(answer.text)).toBe("My Account – Dormouse");
    expect(tagWith(answer.text, "main", "inert")).toBeDefined();
    expect(tagWith(answer.text, "dialog", "open")).toBeDefined();
    const words = wordsOf(`<body>${accountIn(answer)}`);
    expect(words).toContain("My Account Update your photo and personal details");
    expect(words).toContain("Click to upload or drag and drop SVG, PNG, JPG or GIF (max. 800x400px)");
    expect(words).toContain("Cancel Save Changes");
    for (const label of ["First Name", "Surname", "Email Address", "Profile Picture"]) expect(words).toContain(label);
    expect(valueOf(answer.text, "firstName")).toBe("Ada");
    expect(valueOf(answer.text, "lastName")).toBe("Lovell");
    expect(valueOf(answer.text, "email")).toBe(ada);
    const close = tagWith(accountIn(answer), "a", 'aria-label="Close"') ?? "";
    expect(close.replaceAll("&amp;", "&")).toContain(`href="${path}"`);
  }
});

test("a video does not play under My Account", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { text } = await browser.get("/?view=watch&item=2004&play=1&account=open");
  expect(text).not.toContain("<video");
  expect(text.match(/<dialog/g)).toHaveLength(1);
});

test("a saved name is shown as names are, and posted extras change nothing", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const before = await memberOf(site, ada);
  const extras = {
    hasActiveSubscription: "true",
    userType: "corporate",
    id: "2",
    memberId: "2",
    accountType: "corporate",
  };
  const answer = await save(browser, { firstName: "  zoë ", lastName: "McDonald", ...extras });
  expect(answer).toMatchObject({ status: 303, location: "/?account=open&told=saved" });
  expect(await memberOf(site, ada)).toEqual({ ...before, firstName: "zoë", lastName: "McDonald" });
  expect(await memberOf(site, tom)).toMatchObject({ firstName: "Tom", lastName: "Fenwick" });
  const page = await browser.get(answer.location ?? "");
  expect(page.text).toMatch(/role="status"[^>]*>.*Your details are saved\./s);
  expect(page.text).toContain('aria-label="Account of Zoë McDonald"');
  expect(valueOf(page.text, "firstName")).toBe("zoë");
});

test("forms come back to the screen that they lie over", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const answer = await save(browser, { firstName: "Zoë" }, { path: "/?view=read&page=1&account=open&told=saved" });
  expect(answer.location).toBe("/?view=read&account=open&told=saved");
});

test.each([
  [{ firstName: " " }, "firstName", "You need to enter a first name."],
  [{ firstName: "x".repeat(81) }, "firstName", "This is too long: please use 80 characters or fewer."],
  [{ lastName: "" }, "lastName", "You need to enter a surname."],
  [{ lastName: "x".repeat(81) }, "lastName", "This is too long: please use 80 characters or fewer."],
  [{ email: "nonsense", currentPassword: PASSWORD }, "email", "You must use a valid email address"],
  [{ email: tom, currentPassword: PASSWORD }, "email", "This email is already registered."],
  [
    { email: "new@dormouse.example", currentPassword: "wrong" },
    "currentPassword",
    "This is not your current password.",
  ],
  [
    { email: "new@dormouse.example" },
    "currentPassword",
    "Please enter your current password: your email address is about to change.",
  ],
])("%j is refused beside its field, and nothing is saved", async (fields, field, sentence) => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const answer = await save(browser, { firstName: "Changed", ...fields });
  expect(answer.status).toBe(400);
  expect(titleOf(answer.text)).toBe("Error: My Account – Dormouse");
  expect(summaryOf(answer.text)).toEqual([[field, sentence]]);
  expect(errorsAt(answer.text, field)).toBe(sentence);
  for (const [name, value] of Object.entries({ firstName: "Changed", ...fields })) {
    expect(valueOf(answer.text, name)).toBe(name === "currentPassword" ? "" : value);
  }
  expect(answer.text).not.toContain(PASSWORD);
  expect(await memberOf(site, ada)).toMatchObject({ firstName: "Ada", lastName: "Lovell", email: ada });
});

test("everything that is wrong is said at once", async () => {
  await using site = await openQuietSite();
  const answer = await save(await logIn(site, ada), { firstName: "", lastName: "", email: "x" });
  expect(summaryOf(answer.text).map(([field]) => field)).toEqual(["firstName", "lastName", "email", "currentPassword"]);
});

test("a change from another window is not overwritten silently, and once seen it may be", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await save(browser, { firstName: "Adele" });
  const answer = await save(browser, { firstName: "Adeline", lastName: "Lovell-Fenn" });
  expect(answer.status).toBe(409);
  expect(wordsOf(answer.text)).toContain("Your details were changed elsewhere meanwhile");
  expect(valueOf(answer.text, "firstName")).toBe("Adeline");
  expect(wordsOf(answer.text)).toContain("By now: Adele");
  expect(await memberOf(site, ada)).toMatchObject({ firstName: "Adele", lastName: "Lovell" });
  const shownFirstName = valueOf(answer.text, "shownFirstName") ?? "";
  expect(shownFirstName).toBe("Adele");
  expect(await save(browser, { firstName: "Adeline", shownFirstName })).toMatchObject({ status: 303 });
  expect(await memberOf(site, ada)).toMatchObject({ firstName: "Adeline" });
});

test("fields that were left alone keep what another window made of them", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await save(browser, { firstName: "Adele" });
  expect((await save(browser, { lastName: "Fenn" })).status).toBe(303);
  expect(await memberOf(site, ada)).toMatchObject({ firstName: "Adele", lastName: "Fenn" });
});

async function askForAddress(browser: Browser, email = "new@dormouse.example") {
  const answer = await save(browser, { email, currentPassword: PASSWORD });
  expect(answer).toMatchObject({ status: 303, location: "/?account=open&told=saved" });
  return browser.get(answer.location ?? "");
}

async function lastLetter(site: Site, email: string) {
  await site.rooms.outbox.deliver();
  return lettersTo(email, site.letters).at(-1);
}

test("a new address is proved by its code; until then the old one works", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const page = await askForAddress(browser);
  expect(wordsOf(page.text)).toContain(
    `We have sent a code to new@dormouse.example . ${ada} works until it is confirmed.`,
  );
  expect(valueOf(page.text, "email")).toBe(ada);
  expect((await site.openBrowser().logIn(ada)).status).toBe(303);

  const code = codeIn(await lastLetter(site, "new@dormouse.example"));
  const typed = (emailCode: string) => browser.post("/?account=open", { intent: "email-code", emailCode });
  const wrong = await typed(String((Number(code) + 1) % 1_000_000).padStart(6, "0"));
  expect(wrong.status).toBe(400);
  expect(titleOf(wrong.text)).toBe("Error: My Account – Dormouse");
  expect(summaryOf(wrong.text)).toEqual([
    ["emailCode", "This is not the code that we sent you. Please check it, or send a new one."],
  ]);
  expect(errorsAt((await typed("")).text, "emailCode")).toBe(
    "Please enter the six digits of the code that we sent you.",
  );
  expect(await typed(code)).toMatchObject({ status: 303, location: "/?account=open&told=email-confirmed" });
  const done = await browser.get("/?account=open&told=email-confirmed");
  expect(wordsOf(done.text)).toContain("Your email address is changed.");
  expect(valueOf(done.text, "email")).toBe("new@dormouse.example");
  expect(errorsAt((await typed(code)).text, "emailCode")).toBeUndefined();
});

test("an old code and too many wrong ones are said as such; another can be sent, a minute later", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await askForAddress(browser);
  const code = codeIn(await lastLetter(site, "new@dormouse.example"));
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
  const typed = (emailCode: string) => browser.post("/?account=open", { intent: "email-code", emailCode });
  const resend = () => browser.post("/?account=open", { intent: "email-resend" });
  const early = await resend();
  expect(early.status).toBe(429);
  expect(summaryOf(early.text)[0]?.[1]).toMatch(
    /^We sent a code a moment ago\. Please wait .+, then ask for another\.$/,
  );
  for (let tries = 0; tries < 5; tries += 1) await typed(wrong);
  expect(errorsAt((await typed(code)).text, "emailCode")).toBe(
    "There were too many wrong codes, so this one is void. Please send a new one.",
  );
  site.clock.advance(61_000);
  expect(await resend()).toMatchObject({ status: 303, location: "/?account=open&told=code-sent" });
  expect(wordsOf((await browser.get("/?account=open&told=code-sent")).text)).toContain("A new code is on its way.");
  const next = codeIn(await lastLetter(site, "new@dormouse.example"));
  site.clock.advance(11 * 60_000);
  expect(errorsAt((await typed(next)).text, "emailCode")).toBe("This code is too old. Please send a new one.");
});

test("an address that waits can be given up", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await askForAddress(browser);
  const answer = await browser.post("/?account=open", { intent: "email-cancel" });
  expect(answer).toMatchObject({ status: 303, location: "/?account=open&told=email-cancelled" });
  const page = wordsOf((await browser.get(answer.location ?? "")).text);
  expect(page).toContain("Your email address stays as it is.");
  expect(page).not.toContain("We have sent a code");
  expect(await browser.post("/?account=open", { intent: "email-resend" })).toMatchObject({
    location: "/?account=open&told=nothing-pending",
  });
});

test("the new address's link works for whoever holds it, logged in or not, by one button", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await askForAddress(browser);
  const link = linkIn(await lastLetter(site, "new@dormouse.example"));
  expect(link).toMatch(/^http:\/\/dormouse\.test\/\?account=confirm-email&token=/);
  for (const reader of [site.openBrowser(), browser]) {
    const sent = await reader.get(link);
    expect(sent.status).toBe(302);
    expect(sent.location).toMatch(/^\/login\?confirm=/);
    const page = await reader.get(sent.location ?? "");
    expect(headingOf(page.text)).toBe("Confirm your email");
    expect(wordsOf(page.text)).toContain("Your account gets the email new@dormouse.example.");
    expect(valueOf(page.text, "token")).not.toBe("");
  }
  expect(await site.rooms.accounts.findByEmail("new@dormouse.example")).toBeUndefined();
  const stranger = site.openBrowser();
  const page = await stranger.get((await stranger.get(link)).location ?? "");
  const token = valueOf(page.text, "token") ?? "";
  const confirmed = await stranger.post("/login", { intent: "confirm-link", token });
  expect(confirmed).toMatchObject({ status: 303, location: "/login?done=email-confirmed" });
  expect(headingOf((await stranger.get("/login?done=email-confirmed")).text)).toBe("Your email is confirmed");
  expect(await memberOf(site, "new@dormouse.example")).toMatchObject({ firstName: "Ada" });
  expect((await stranger.get("/")).status).toBe(302);
  expect((await stranger.post("/login", { intent: "confirm-link", token })).location).toMatch(/^\/login\?confirm=/);
});

test("an address that somebody else took meanwhile is said to be registered", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await askForAddress(browser);
  const letter = await lastLetter(site, "new@dormouse.example");
  const token = new URL(linkIn(letter)).searchParams.get("token") ?? "";
  await site.rooms.accounts.register({
    email: "new@dormouse.example",
    password: PASSWORD,
    firstName: "Nia",
    lastName: "Holt",
    accountType: "individual",
  });
  const typed = await browser.post("/?account=open", { intent: "email-code", emailCode: codeIn(letter) });
  expect(errorsAt(typed.text, "emailCode")).toBe("This email is already registered.");
  const confirmed = await site.openBrowser().post("/login", { intent: "confirm-link", token });
  expect([302, 303]).toContain(confirmed.status);
  expect(await memberOf(site, ada)).toMatchObject({ firstName: "Ada" });
});

test("the old address is told, and its link gives the account back to it by one button", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await askForAddress(browser);
  const emailCode = codeIn(await lastLetter(site, "new@dormouse.example"));
  await browser.post("/?account=open", { intent: "email-code", emailCode });
  const link = linkIn(await lastLetter(site, ada)).replace(site.rooms.site, "/");
  expect(link).toMatch(/^\/login\?undo=/);
  const owner = site.openBrowser();
  const page = await owner.get(link);
  expect(page.status).toBe(200);
  expect(headingOf(page.text)).toBe("Take the change back");
  expect(wordsOf(page.text)).toContain(ada);
  expect(await site.rooms.accounts.findByEmail(ada)).toBeUndefined();
  const undone = await owner.post("/login", { intent: "undo-link", token: valueOf(page.text, "token") ?? "" });
  expect(undone).toMatchObject({ status: 303, location: "/login?done=undone" });
  const outcome = await owner.get("/login?done=undone");
  expect(headingOf(outcome.text)).toBe("Your old email is back");
  expect(linkNamed(outcome.text, "Reset password")).toBe("/login?reset=1");
  expect(await memberOf(site, ada)).toMatchObject({ firstName: "Ada" });
  expect(await browser.get("/")).toMatchObject({ status: 302 });
  expect((await owner.get(link)).status).toBe(404);
});

test("a picture is kept, shown in the bar, and can be removed", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const { id } = await memberOf(site, ada);
  expect(await save(browser, {}, { picture: await pictureNamed("me.png") })).toMatchObject({
    location: "/?account=open&told=saved",
  });
  const hash = await site.rooms.avatars.findHash(id);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  for (const path of ["/", "/?account=open"]) {
    expect((await browser.get(path)).text).toContain(`src="/avatars/${hash}"`);
  }
  const removed = await browser.post("/?account=open", { intent: "remove-picture" });
  expect(removed).toMatchObject({ status: 303, location: "/?account=open&told=picture-removed" });
  expect((await browser.get(removed.location ?? "")).text).not.toContain("/avatars/");
  expect(await site.rooms.avatars.findHash(id)).toBeUndefined();
});

test.each([
  ["notes.txt", new TextEncoder().encode("not a picture"), "File type is not supported"],
  ["empty.png", new Uint8Array(0), "File size is too small"],
  ["large.png", new Uint8Array(5 * 1024 * 1024 + 1), "File size is too big"],
])("%s is no picture, and the old one stays", async (name, bytes, sentence) => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const { id } = await memberOf(site, ada);
  await save(browser, {}, { picture: await pictureNamed("me.png") });
  const hash = await site.rooms.avatars.findHash(id);
  const answer = await save(browser, { firstName: "Zoë" }, { picture: new File([bytes], name) });
  expect(answer.status).toBe(400);
  expect(summaryOf(answer.text)).toEqual([["picture", sentence]]);
  expect(errorsAt(answer.text, "picture")).toBe(sentence);
  expect(valueOf(answer.text, "firstName")).toBe("Zoë");
  expect(await site.rooms.avatars.findHash(id)).toBe(hash);
});

test("a broken picture gets a sentence of its own", async () => {
  await using site = await openQuietSite();
  const answer = await save(
    await logIn(site, ada),
    {},
    { picture: new File([(await drawPng()).slice(0, 60)], "me.png") },
  );
  expect(errorsAt(answer.text, "picture")).toBe("This picture cannot be read. Please choose another.");
});

test("a picture is kept where the details with it are refused, and that is said", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const answer = await save(browser, { firstName: "" }, { picture: await pictureNamed("me.png") });
  expect(answer.status).toBe(400);
  expect(wordsOf(answer.text)).toContain("Your picture is saved.");
  expect(answer.text).toContain('src="/avatars/');
});

test("membership says what is paid for and that nothing more is taken", async () => {
  await using site = await openSite({}, { ...withoutContent, startsAt: "2026-11-20T03:00:00.000Z" });
  const individual = wordsOf((await (await logIn(site, ada)).get("/?account=membership")).text);
  expect(individual).toMatch(/Membership Yearly Ends on \d\d\/\d\d\/\d{4}, nothing more is taken\./);
  const corporate = wordsOf((await (await logIn(site, tom)).get("/?account=membership")).text);
  expect(corporate).toMatch(/Membership 12 Month Subscription Ends on/);
  const lapsed = wordsOf((await (await logIn(site, lena)).get("/?account=membership")).text);
  expect(lapsed).toMatch(/Membership It has ended\. It was paid for until \d\d\/\d\d\/\d{4}\./);
});

test("receipts of what was paid are listed, and open under the same account", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  await visitor.pay({ card: "paid" });
  await visitor.browser.get("/signup?step=4");
  const page = await visitor.browser.get("/?account=membership");
  const [, number = ""] = /Receipt (D-\d{4}-\d{6})/.exec(wordsOf(page.text)) ?? [];
  expect(wordsOf(page.text)).toMatch(new RegExp(`Receipt ${number} \\d\\d/\\d\\d/\\d{4}, £60`));
  const path = linkNamed(page.text, `Receipt ${number}`) ?? "";
  expect(headingOf((await visitor.browser.get(path)).text)).toBe("Receipt");
  const over = await visitor.browser.get(`${path}&account=open`);
  expect(headingOf(over.text)).toBe("Receipt");
  expect(over.text).toContain("<dialog");
  expect((await (await logIn(site, ada)).get(path)).status).toBe(404);
});

test("who joined by a company's code is told which company, and no more of it", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.reachPayment({ accountType: "corporate", code: "DORMOUSE-DEMO" });
  await visitor.browser.post("/signup?step=2", { intent: "plan" });
  await visitor.browser.post("/signup?step=3", { intent: "pay", postcode: "EX1 1AA" });
  await visitor.browser.get("/signup?step=4");
  const { db } = site.database;
  const company = {
    name: "Nightjar Ltd",
    name_key: "nightjar ltd",
    contact_email: "people@nightjar.example",
    accounts: 20,
    price_in_pence: 120_000,
    state: "live" as const,
    created_at: site.clock().toISOString(),
  };
  const { id } = await db.insertInto("companies").values(company).returning("id").executeTakeFirstOrThrow();
  await db.updateTable("codes").set({ company_id: id }).where("code", "=", "DORMOUSE-DEMO").execute();
  for (const isRevoked of [false, true]) {
    if (isRevoked) await site.rooms.codes.revoke("DORMOUSE-DEMO");
    const page = wordsOf((await visitor.browser.get("/?account=membership")).text);
    expect(page).toContain("Nightjar Ltd pays for it.");
    expect(page).not.toContain("nightjar.example");
    expect(page).not.toContain("1,200");
  }
});

test("an unfolded part is part of the address", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const openParts = async (path: string) =>
    [...(await browser.get(path)).text.matchAll(/<details[^>]* open[^>]*><summary><h3>([^<]+)/g)].map(
      ([, title]) => title,
    );
  expect(await openParts("/?account=open")).toEqual([]);
  expect(await openParts("/?account=nonsense")).toEqual([]);
  for (const [part, title] of [
    ["membership", "Membership"],
    ["password", "Change password"],
    ["devices", "Devices"],
    ["data", "Your data"],
    ["close", "Close my account"],
  ]) {
    expect(await openParts(`/?account=${part}`)).toEqual([title]);
  }
});

const changePassword = (browser: Browser, fields: Record<string, string> = {}) =>
  browser.post("/?account=open", {
    intent: "password",
    oldPassword: PASSWORD,
    password: "moss-lantern-42",
    passwordConfirmation: "moss-lantern-42",
    ...fields,
  });

test("a new password signs out every other device", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const other = await logIn(site, ada, "203.0.113.5");
  const answer = await changePassword(browser);
  expect(answer).toMatchObject({ status: 303, location: "/?account=password&told=password-changed#account-password" });
  expect(wordsOf((await browser.get(answer.location ?? "")).text)).toContain(
    "Your password is changed. Every other device is signed out.",
  );
  expect((await other.get("/")).status).toBe(302);
  expect((await site.openBrowser().logIn(ada)).status).toBe(400);
});

test.each([
  [{ oldPassword: "wrong" }, "oldPassword", "This is not your current password."],
  [{ oldPassword: "" }, "oldPassword", "This is not your current password."],
  [{ password: "short", passwordConfirmation: "short" }, "password", "Password must be at least 8 characters long"],
  [{ passwordConfirmation: "other" }, "passwordConfirmation", "Passwords do not match"],
  [
    { password: "password1", passwordConfirmation: "password1" },
    "password",
    "This password is too easy to guess. Please choose another.",
  ],
])("a password changed with %j is refused, and no password comes back", async (fields, field, sentence) => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const answer = await changePassword(browser, fields);
  expect(answer.status).toBe(400);
  expect(summaryOf(answer.text)).toEqual([[field, sentence]]);
  expect(errorsAt(answer.text, field)).toBe(sentence);
  expect(answer.text).toMatch(/<details[^>]* open[^>]*><summary><h3>Change password/);
  for (const secret of [PASSWORD, "moss-lantern-42"]) expect(answer.text).not.toContain(secret);
  expect((await site.openBrowser().logIn(ada)).status).toBe(303);
});

test("guessing at the old password wears out", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  let answer = await changePassword(browser, { oldPassword: "guess" });
  for (let count = 0; count < 15 && answer.status === 400; count += 1) {
    answer = await changePassword(browser, { oldPassword: "guess" });
  }
  expect(answer.status).toBe(429);
  expect(summaryOf(answer.text)[0]?.[1]).toMatch(/^There were too many attempts\. Please wait/);
});

test("devices are signed out one by one or all but this", async () => {
  await using site = await openQuietSite();
  const here = await logIn(site, ada);
  const [phone, tablet, laptop] = [await logIn(site, ada), await logIn(site, ada), await logIn(site, ada)];
  const page = (await here.get("/?account=devices")).text;
  expect(wordsOf(page)).toContain(", this device");
  expect(wordsOf(page)).toContain("Sign out everywhere else");
  const ids = [...page.matchAll(/name="device" value="([^"]+)"/g)].map(([, id = ""]) => id);
  expect(ids).toHaveLength(3);
  const ended = await here.post("/?account=devices", { intent: "device", device: ids[0] ?? "" });
  expect(ended).toMatchObject({ status: 303, location: "/?account=devices&told=device-ended#account-devices" });
  const statuses = await Promise.all([phone, tablet, laptop].map(async (each) => (await each.get("/")).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  const rest = await here.post("/?account=devices", { intent: "devices" });
  expect(rest).toMatchObject({ location: "/?account=devices&told=devices-ended#account-devices" });
  for (const each of [phone, tablet, laptop]) expect((await each.get("/")).status).toBe(302);
  const alone = wordsOf((await here.get(rest.location ?? "")).text);
  expect(alone).toContain("Every other device is signed out.");
  expect(alone).not.toContain("Sign out everywhere else");
});

test("a member downloads what is held about them, and nobody else's", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  expect(linkNamed((await browser.get("/?account=data")).text, "Download my data")).toBe("/account-data");
  const answer = await browser.get("/account-data");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(answer.headers.get("Content-Disposition")).toMatch(
    /^attachment; filename="dormouse-my-data-\d{4}-\d\d-\d\d\.json"$/,
  );
  expect(answer.headers.get("Cache-Control")).toMatch(/no-store/);
  const held = JSON.parse(answer.text) as { member: { email: string }; subscriptions: unknown[]; sessions: unknown[] };
  expect(held.member.email).toBe(ada);
  expect(held.subscriptions).toHaveLength(1);
  expect(held.sessions).toHaveLength(1);
  expect(answer.text).not.toContain(tom);
  expect(answer.text).not.toContain("argon2");
  expect(await site.openBrowser().get("/account-data")).toMatchObject({
    status: 302,
    location: "/signup?to=%2Faccount-data",
  });
});

test("an account is closed by its password, and opened again by the letter's link", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const other = await logIn(site, ada);
  const shown = wordsOf((await browser.get("/?account=close")).text);
  expect(shown).toContain("In 14 days your account is erased");
  expect(shown).toContain("kept for 6 years, without your name, because the law asks us to");
  const close = (closingPassword: string) => browser.post("/?account=close", { intent: "close", closingPassword });
  for (const wrong of ["", "wrong"]) {
    const refused = await close(wrong);
    expect(refused.status).toBe(400);
    expect(summaryOf(refused.text)).toEqual([["closingPassword", "This is not your current password."]]);
    expect(errorsAt(refused.text, "closingPassword")).toBe("This is not your current password.");
  }
  const closed = await close(PASSWORD);
  expect(closed).toMatchObject({ status: 303, location: "/login?done=closed" });
  expect(browser.cookies.size).toBe(0);
  expect(headingOf((await browser.get("/login?done=closed")).text)).toBe("Your account is closed");
  expect((await other.get("/")).status).toBe(302);
  expect((await site.openBrowser().logIn(ada)).status).toBe(400);

  const link = linkIn(await lastLetter(site, ada));
  expect(link).toMatch(/^http:\/\/dormouse\.test\/login\?reopen=/);
  const page = await site.openBrowser().get(link);
  expect(headingOf(page.text)).toBe("Open your account again");
  const token = valueOf(page.text, "token") ?? "";
  expect((await site.openBrowser().logIn(ada)).status).toBe(400);
  const reopened = await site.openBrowser().post("/login", { intent: "reopen-link", token });
  expect(reopened).toMatchObject({ status: 303, location: "/login?done=reopened" });
  expect(headingOf((await site.openBrowser().get("/login?done=reopened")).text)).toBe("Your account is open again");
  expect((await site.openBrowser().logIn(ada)).status).toBe(303);
  expect((await site.openBrowser().get(link)).status).toBe(404);
});

test("an account whose address was taken meanwhile cannot be opened, and the page says whom to write to", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await browser.post("/?account=close", { intent: "close", closingPassword: PASSWORD });
  const token = new URL(linkIn(await lastLetter(site, ada))).searchParams.get("reopen") ?? "";
  const wish = {
    email: ada,
    password: PASSWORD,
    firstName: "Nia",
    lastName: "Holt",
    accountType: "individual",
  } as const;
  await site.rooms.accounts.register(wish);
  const answer = await site.openBrowser().post("/login", { intent: "reopen-link", token });
  expect(answer.location).toBe("/login?done=reopen-taken");
  const page = await site.openBrowser().get(answer.location ?? "");
  expect(headingOf(page.text)).toBe("Your account could not be opened");
  expect(page.text).toContain("mailto:");
});

test("a member without an active subscription sees the locked tile, their details and what is theirs, and changes no detail", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, lena);
  const locked = await browser.get("/");
  expect(headingOf(locked.text)).toBe("No active subscription.");
  expect(linkNamed(locked.text, "My Details")).toBe("/?account=open");
  const page = await browser.get("/?account=open");
  expect(wordsOf(page.text)).toContain(`First Name Lena Surname Marsh Email Address ${lena}`);
  expect(wordsOf(page.text)).toContain("Write to hello@dormouse.example and we will change them for you.");
  const sentence =
    "Without an active subscription you cannot change this yourself. Write to us and we will change it for you.";
  const shown = { shownFirstName: "Lena", shownLastName: "Marsh", shownEmail: lena, email: lena, lastName: "Marsh" };
  for (const answer of [
    await save(browser, { ...shown, firstName: "Zoë" }, { picture: await pictureNamed("me.png") }),
    await browser.post("/?account=open", { intent: "email-code", emailCode: "123456" }),
    await browser.post("/?account=open", { intent: "email-resend" }),
  ]) {
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(sentence);
  }
  const member = await memberOf(site, lena);
  expect(member.firstName).toBe("Lena");
  expect(await site.rooms.avatars.findHash(member.id)).toBeUndefined();
  expect((await changePassword(browser)).status).toBe(303);
  expect((await browser.get("/account-data")).status).toBe(200);
});

test("no form of one member reads or changes anything of another's", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const victim = await logIn(site, tom, "203.0.113.5");
  const { id } = await memberOf(site, tom);
  await save(
    victim,
    { firstName: "Tom", lastName: "Fenwick", email: tom, shownEmail: tom },
    { picture: await pictureNamed("me.png") },
  );
  await victim.post("/?account=open", { intent: "devices" });
  const device = (await site.rooms.sessions.list(id))[0]?.id ?? "";
  const before = await site.rooms.personalData.gather({ memberId: id, email: tom });
  const theirs = { id: String(id), memberId: String(id), member_id: String(id), email: tom, userId: String(id) };
  for (const fields of [
    { ...details, ...theirs, email: ada, firstName: "Zoë" },
    { intent: "remove-picture", ...theirs },
    { intent: "email-code", emailCode: "123456", ...theirs },
    { intent: "email-resend", ...theirs },
    { intent: "email-cancel", ...theirs },
    {
      intent: "password",
      oldPassword: PASSWORD,
      password: "moss-lantern-42",
      passwordConfirmation: "moss-lantern-42",
      ...theirs,
    },
    { intent: "device", device, ...theirs },
    { intent: "devices", ...theirs },
    { intent: "close", closingPassword: "wrong", ...theirs },
  ]) {
    expect((await browser.post("/?account=open", fields)).status).toBeLessThan(500);
  }
  const after = await site.rooms.personalData.gather({ memberId: id, email: tom });
  expect({ ...after, exportedAt: before.exportedAt }).toEqual(before);
  expect((await victim.get("/")).status).toBe(200);
});

test("a form sent after its session was over comes back after log-in with what was typed, once", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await site.rooms.sessions.endAll((await memberOf(site, ada)).id);
  const typed = { firstName: "Zoë", lastName: "Lovell-Fenn", email: "zoe@dormouse.example", currentPassword: PASSWORD };
  const sent = await save(browser, typed, { picture: await pictureNamed("me.png"), path: "/?view=read&account=open" });
  expect(sent).toMatchObject({ status: 303, location: "/login?to=%2F%3Fview%3Dread%26account%3Dopen" });
  const cookie = sent.headers.getSetCookie().find((each) => each.startsWith("dormouse-unsent="));
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900$/);
  const opened = site.rooms.cookieSeal.open(browser.cookies.get("dormouse-unsent") ?? "");
  expect(opened).toContain("Lovell-Fenn");
  expect(opened).not.toContain(PASSWORD);

  const back = await browser.logIn(ada, sent.location ?? "");
  expect(back.location).toBe("/?view=read&account=open");
  const page = await browser.get(back.location ?? "");
  expect(wordsOf(page.text)).toContain("You had been logged out. This is what you had typed.");
  expect(valueOf(page.text, "firstName")).toBe("Zoë");
  expect(valueOf(page.text, "lastName")).toBe("Lovell-Fenn");
  expect(valueOf(page.text, "email")).toBe("zoe@dormouse.example");
  expect(valueOf(page.text, "shownFirstName")).toBe("Ada");
  expect(await memberOf(site, ada)).toMatchObject({ firstName: "Ada" });
  expect(wordsOf((await browser.get(back.location ?? "")).text)).not.toContain("You had been logged out.");
});

test("nobody sees what another member had typed in the same browser", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await site.rooms.sessions.endAll((await memberOf(site, ada)).id);
  const sent = await save(browser, { firstName: "Secretname" });
  await browser.logIn(tom, sent.location ?? "");
  const page = await browser.get("/?account=open");
  expect(page.text).not.toContain("Secretname");
  expect(page.text).not.toContain(ada);
  expect(valueOf(page.text, "firstName")).toBe("Tom");
});

test("of a form with secrets alone nothing is kept, and that is said", async () => {
  await using site = await openQuietSite();
  for (const fields of [
    { intent: "password", oldPassword: PASSWORD, password: "moss-lantern-42", passwordConfirmation: "moss-lantern-42" },
    { intent: "close", closingPassword: PASSWORD },
    { intent: "email-code", emailCode: "123456" },
  ]) {
    const browser = await logIn(site, ada);
    await site.rooms.sessions.endAll((await memberOf(site, ada)).id);
    const sent = await browser.post("/?account=open", fields);
    expect(sent).toMatchObject({ status: 303, location: "/login?to=%2F%3Faccount%3Dopen" });
    const opened = site.rooms.cookieSeal.open(browser.cookies.get("dormouse-unsent") ?? "") ?? "";
    for (const value of Object.values(fields)) expect(opened).not.toContain(value);
    await browser.logIn(ada, sent.location ?? "");
    expect(wordsOf((await browser.get("/?account=open")).text)).toContain(
      "You had been logged out. Please type it again.",
    );
  }
});

test("a heart that was pressed too late leads back to the page that it stood on", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await site.rooms.sessions.endAll((await memberOf(site, ada)).id);
  const sent = await browser.post("/favourites", { save: "watch-2001", from: "/?view=watch&page=2" });
  expect(sent).toMatchObject({ status: 303, location: "/login?to=%2F%3Fview%3Dwatch%26page%3D2" });
  expect((await browser.logIn(ada, sent.location ?? "")).location).toBe("/?view=watch&page=2");
});

test("more than a cookie holds is not kept, and the way back still is", async () => {
  await using site = await openQuietSite();
  const sent = await save(site.openBrowser(), { firstName: "x".repeat(5000) });
  expect(sent).toMatchObject({ status: 303, location: "/login?to=%2F%3Faccount%3Dopen" });
  for (const cookie of sent.headers.getSetCookie()) expect(cookie.length).toBeLessThan(3200);
});

test("what was typed is forgotten after a quarter of an hour", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await site.rooms.sessions.endAll((await memberOf(site, ada)).id);
  await save(browser, { firstName: "Zoë" });
  site.clock.advance(15 * 60_000);
  await browser.logIn(ada);
  expect(valueOf((await browser.get("/?account=open")).text, "firstName")).toBe("Ada");
});

test("what an outcome says is only said of outcomes there are", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  expect(headingOf((await browser.get("/login?done=nonsense")).text)).toBe("Log in");
  expect(headingOf((await browser.get("/login?done=toString")).text)).toBe("Log in");
  const member = await logIn(site, ada);
  expect((await member.get("/?account=open&told=constructor")).text).not.toMatch(/role="status"[^>]*><svg/);
  expect(linkNamed((await member.get("/login?done=email-confirmed")).text, "Go to the dashboard")).toBe("/");
});
