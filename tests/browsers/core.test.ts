import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { codeIn, emailsTo, readMailFolder } from "../helpers/mailbox.ts";
import { createDormouse } from "../helpers/dormouse.ts";
import { anyCard, paymentCards, PASSWORD } from "../helpers/newcomer.ts";
import type { Browser } from "./browser.ts";
import { engines } from "./engines.ts";
import { findEngine } from "./install.ts";
import { startLynx } from "./lynx.ts";
import { logIn, phone, visit, visitLoggedIn, type Visitor } from "./visitor.ts";

const demo = inject("demo");

for (const { name, start } of engines) {
  describe(`in ${name}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await start();
    });
    afterAll(() => browser[Symbol.asyncDispose]());

    test("a member logs in, reads, watches, searches, keeps a favourite, and logs out", async () => {
      await using visitor = await visit(browser, demo.url);
      await visitor.open("/login");
      await logIn(visitor, { email: "member@dormouse.example", password: "not-my-password" });
      await visitor.see("This email and password don't match. Please check both and try again.");
      await logIn(visitor, {
        email: "member@dormouse.example",
        password: DEMO_PASSWORD,
        button: "Please try again",
      });
      await visitor.arrive(landingTexts.heading);

      await visitor.follow("Read", "Read");
      await visitor.follow("Waking at 3 am", "Waking at 3 am: why the small hours feel so long");
      await visitor.see("By Dormouse Team");
      await visitor.follow("Back to Read", "Read");

      await visitor.open("/?view=watch&item=2001");
      await visitor.press("link", "Play:");
      await visitor.press("link", "Close video");
      await expect.poll(() => visitor.readPath().catch(() => "play")).not.toContain("play");
      await visitor.follow("Back to Videos", "Videos");

      const favouriteLabel = "Favourite: Breathe with the moon";
      const readFavourite = () => visitor.page.evaluate<string>(readPressed, favouriteLabel);
      const [before, after] = (await readFavourite()) === "true" ? ["true", "false"] : ["false", "true"];
      await visitor.press("button", favouriteLabel);
      await expect.poll(() => readFavourite().catch(() => before)).toBe(after);

      await visitor.fill("Search", "snorring");
      await visitor.press("button", "Search");
      await visitor.arrive("Search results for snorring");
      await visitor.page.back();
      await visitor.arrive("Videos");

      await visitor.press("button", "Account of");
      await visitor.press("button", "Log Out");
      await expect.poll(() => visitor.readPath().catch(String)).toBe("/login");
      await visitor.open("/?view=read&item=1003");
      await visitor.arrive("A quiet place for bad nights");
    });

    test("a film has our controls and captions with script, and this browser's own without", async () => {
      await using visitor = await visitLoggedIn(browser, { root: demo.url, path: "/?view=watch&item=2002&play=1" });
      const hasOwn = () => visitor.page.evaluate<boolean>(`() => document.querySelector("video").controls`);
      await expect.poll(() => hasOwn().catch(() => undefined)).toBe(!browser.hasScript);
      if (!browser.hasScript) return;
      const readCaptions = () => visitor.page.evaluate<string>(readPressed, "Captions");
      expect(await readCaptions()).toBe("false");
      await visitor.press("button", "Captions");
      await expect.poll(() => readCaptions().catch(() => "false")).toBe("true");
      await visitor.page.evaluate(`() => void (document.querySelector("video").currentTime = 12)`);
      await expect
        .poll(() => visitor.page.evaluate(`() => document.querySelector("dialog").innerText`))
        .toMatch(/one side, then the other|how much sleep/);
    });

    test("after log-out Back shows nothing of the member, over plain http too", async () => {
      await using visitor = await visit(browser, demo.url);
      await visitor.open("/login");
      await logIn(visitor, { email: "member@dormouse.example", password: DEMO_PASSWORD });
      await visitor.arrive(landingTexts.heading);
      await visitor.open("/?view=read&item=1003");
      await visitor.press("button", "Account of");
      await visitor.press("button", "Log Out");
      await visitor.arrive("Log in");
      await visitor.page.back();
      await visitor.arrive("A quiet place for bad nights");
      const hasMembers = `() => /Waking at 3 am|Ada Lovell/.test(document.documentElement.outerHTML)`;
      expect(await visitor.page.evaluate(hasMembers)).toBe(false);
    });

    test("on a device without a screen lock nothing about passkeys is shown", async () => {
      // They need a name for a host.
      await using visitor = await visit(browser, demo.url.replace("127.0.0.1", "localhost"));
      const isShown = (text: string) => visitor.page.evaluate<boolean>(isTextShown, text);
      await visitor.open("/login");
      await visitor.see("Email me a link");
      if (browser.hasScript) {
        await visitor.page.evaluate(settlePasskeys);
        await expect.poll(() => visitor.page.evaluate("() => window.knowsPasskeys === true")).toBe(true);
      }
      expect(await isShown("Use a passkey")).toBe(false);
      await logIn(visitor, { email: "member@dormouse.example", password: DEMO_PASSWORD });
      await visitor.arrive(landingTexts.heading);
      await visitor.open("/?account=open");
      await visitor.see("Change password");
      await expect.poll(() => isShown("Log in with your face").catch(() => true)).toBe(false);
    });

    test("a visitor pays by card after a refusal, edits their name, and chooses a new password", async () => {
      await using visitor = await visit(browser, demo.url);
      const email = await reachPayment(visitor);
      await payBy(visitor, { browser, card: "declined" });
      await visitor.see("Your bank declined this card");
      await payBy(visitor, { browser, card: "paid", isAgain: true });
      await visitor.arrive("Payment Complete");
      await visitor.follow("Log In for Sleep Content", landingTexts.heading);

      await visitor.open("/?account=open");
      await visitor.fill("First Name", "Ottilie");
      await visitor.press("button", "Save");
      await visitor.see("Your details are saved.");

      await visitor.open("/");
      await visitor.press("button", "Account of Ottilie");
      await visitor.press("button", "Log Out");
      await visitor.follow("Reset password", "Forgot your password..?");
      await visitor.fill("Email", email);
      await visitor.press("button", "Get code");
      await visitor.arrive("Check your email...");
      await visitor.fill("Validation code", codeIn(await waitForEmail(email, "Choose a new password")));
      await visitor.press("button", "Check code");
      await visitor.arrive("Enter your new password");
      await visitor.fill("Password", "moss-lantern-43");
      await visitor.fill("Confirm password", "moss-lantern-43");
      await visitor.press("button", "Change password");
      await visitor.arrive("Your password has been reset");
      await visitor.follow("Go to my videos", landingTexts.heading);
      expect(await visitor.readPath()).toBe("/");
    });

    test("a bank authenticates a payer, on a phone", async () => {
      await using visitor = await visit(browser, demo.url, phone);
      await reachPayment(visitor);
      await payBy(visitor, { browser, card: "authentication" });
      await visitor.press("button", "Complete");
      await visitor.arrive("Payment Complete");
      expect(await visitor.readPath()).not.toContain("client_secret");
    });

    test("a gift is paid and printed, and a newcomer joins by its code", async () => {
      await using visitor = await visit(browser, demo.url);
      await visitor.open("/give");
      await visitor.press("radio", "A year");
      await visitor.fill("Your name", "Tom Hart");
      await visitor.fill("Your email", makeEmail());
      await visitor.fill("Their name", "Wren");
      await visitor.press("radio", "A sheet to print");
      await visitor.press("button", "Review and pay");
      await visitor.arrive("Payment");
      await payBy(visitor, { browser, card: "paid" });
      await visitor.arrive("Thank you");
      await visitor.press("link", "Print your gift");
      const readCode = () => visitor.page.evaluate<string>(readGiftCode);
      await expect.poll(() => readCode().catch(() => "")).not.toBe("");
      await visitor.open(`/gift?code=${await readCode()}`);
      await visitor.follow("Sign up", "Create your account");
      const email = makeEmail();
      await enterNames(visitor, email);
      await visitor.arrive("Your gift");
      await visitor.fill("Verification code", codeIn(await waitForEmail(email, "Confirm your email address")));
      await visitor.press("button", "Join");
      await visitor.arrive("You're a member");
    });

    test("a company agrees to a Direct Debit, and its code lets an employee in", async () => {
      const settings = { DEMO: "true", DATA_DIR: demo.dataDir, ORIGIN: new URL(demo.url).origin };
      const dormouse = createDormouse(settings);
      const company = `Pillow Works ${randomUUID().slice(0, 8)}`;
      const options = ["--name", company, "--email", makeEmail(), "--accounts", "50", "--price", "1500.00"];
      const created = await dormouse.ask<{ code: string; authorisationUrl: string }>("company", "create", ...options);
      await using visitor = await visit(browser, demo.url);
      await visitor.open(created.authorisationUrl);
      await visitor.fill("Account holder name", company);
      await visitor.fill("Account number", "55779911");
      await visitor.fill("Sort code", "20-00-00");
      await visitor.press("button", "Set up Direct Debit");
      await visitor.arrive("Your Direct Debit is set up");
      await expect.poll(() => dormouse.ask("company", "show", company)).toMatchObject({ state: "live" });

      const email = makeEmail();
      await visitor.open("/signup?step=1");
      await visitor.fill("Dormouse code", created.code);
      await enterDetails(visitor, email);
      await visitor.press("button", "Confirm");
      await visitor.fill("Postal code", "EX1 1AA");
      await visitor.press("button", "Submit and join");
      await visitor.arrive("Payment Complete");
    });
  });
}

// An automated window of WebKit is not active, so nothing in it matches `:focus-within`.
for (const { name, start } of engines.filter((engine) => engine.name.startsWith("Firefox"))) {
  test(`in ${name} on a phone the search opens as it is used, and its button searches`, async () => {
    await using browser = await start();
    await using visitor = await visitLoggedIn(browser, { root: demo.url, path: "/?view=read", size: phone });
    await visitor.fill("Search", "snoring");
    await visitor.press("button", "Search");
    await visitor.arrive("Search results for snoring");
    expect(await visitor.readPath()).toMatch(/[?&]q=snoring\b/);
  });
}

for (const lynxPath of [findEngine("lynx")].filter((path) => path !== undefined)) {
  test("in Lynx a member reads, keeps a favourite, changes their name and logs out", async () => {
    await using lynx = await startLynx(lynxPath, new URL("login", demo.url).href);
    await lynx.fill("Email", "team@dormouse.example");
    await lynx.fill("Password", DEMO_PASSWORD);
    await lynx.press("Log In");
    await lynx.see(landingTexts.heading);
    await lynx.follow("Read");
    await lynx.see("Featured Articles");
    await lynx.follow("Waking at 3 am");
    await lynx.see("By Dormouse Team");
    await lynx.press("Favourite: Waking at 3 am");
    await lynx.see("Favourite: Waking at 3 am: why the small hours feel so long (saved)");
    await lynx.follow("My Details");
    await lynx.see("Update your photo and personal details");
    await lynx.fill("First Name", "Adeline");
    await lynx.press("Save");
    await lynx.see("Your details are saved.");
    await lynx.see("Account of Adeline");
    await lynx.press("Log Out");
    await expect(lynx.see("Forgot your password?")).resolves.toBeUndefined();
  });

  test("in Lynx a visitor signs up as far as the payment", async () => {
    await using lynx = await startLynx(lynxPath, new URL("signup?step=1", demo.url).href);
    const email = makeEmail();
    const fill = async (password: string) => {
      await lynx.choose("Individual");
      await lynx.fill("Email", email);
      await lynx.fill("Password", password);
      await lynx.fill("Confirm password", PASSWORD);
      await lynx.press("Sign Up");
    };
    await lynx.fill("First name", "Nora");
    await lynx.fill("Surname", "Penn");
    await fill("short");
    await lynx.see("Password must be 8 characters or more.");
    await fill(PASSWORD);
    await lynx.see(`We've sent a code to ${email}.`);
    await lynx.fill("Verification code", codeIn(await waitForEmail(email, "Confirm your email address")));
    await lynx.press("Check code");
    await lynx.see("Your email is verified.");
    await lynx.choose("3 Monthly");
    await lynx.press("Confirm");
    await expect(lynx.see("Postal code")).resolves.toBeUndefined();
  });
}

const readPressed = `(name) => [...document.querySelectorAll("button[aria-pressed]")]
  .find((button) => (button.getAttribute("aria-label") ?? button.innerText).trim().startsWith(name))
  ?.getAttribute("aria-pressed")`;

const readGiftCode = `() => /DORMOUSE(?:-[A-Z0-9]+)+/.exec(document.body.innerText)?.[0] ?? ""`;

/** Hidden text does not count. */
const isTextShown = `(text) => document.body.innerText.includes(text)`;

/** The page asks the browser the same, and draws what follows. */
const settlePasskeys = `() => {
  const asked = window.PublicKeyCredential?.isUserVerifyingPlatformAuthenticatorAvailable() ?? Promise.resolve();
  const draw = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  void asked.then(draw).then(() => (window.knowsPasskeys = true));
}`;

function makeEmail(): string {
  return `${randomUUID()}@example.org`;
}

async function waitForEmail(email: string, subject: string) {
  const find = async () => {
    const emails = emailsTo(email, await readMailFolder(join(demo.dataDir, "outbox")));
    return emails.findLast((mail) => mail.subject.replace(/^\d{6}: /, "").startsWith(subject));
  };
  await expect.poll(find, { message: `an email “${subject}”` }).toBeDefined();
  return find();
}

/** Step 1 from the names on, and the emailed code. */
async function enterDetails(visitor: Visitor, email: string): Promise<void> {
  await enterNames(visitor, email);
  await visitor.see("Verification code");
  await visitor.fill("Verification code", codeIn(await waitForEmail(email, "Confirm your email address")));
  await visitor.press("button", "Check code");
  await visitor.see("Your email is verified.");
}

async function enterNames(visitor: Visitor, email: string): Promise<void> {
  await visitor.fill("First name", "Nora");
  await visitor.fill("Surname", "Penn");
  await visitor.fill("Email", email);
  await visitor.fill("Password", PASSWORD);
  await visitor.fill("Confirm password", PASSWORD);
  await visitor.press("button", "Sign Up");
}

async function reachPayment(visitor: Visitor): Promise<string> {
  const email = makeEmail();
  await visitor.open("/signup?step=1");
  await visitor.press("radio", "Individual");
  await enterDetails(visitor, email);
  await visitor.press("radio", "1 Month");
  await visitor.press("button", "Confirm");
  await visitor.arrive("Payment");
  return email;
}

type Payment = { browser: Browser; card: keyof typeof paymentCards; isAgain?: boolean };

/** Without script the card goes into the gateway's own page, where a refused payer tries again. */
async function payBy(visitor: Visitor, { browser: { hasScript }, card, isAgain = false }: Payment): Promise<void> {
  if (!hasScript && !isAgain) {
    await visitor.fill("Postal code", "EX1 1AA");
    await visitor.press("button", "Submit payment of");
  }
  await visitor.fill("Card number", paymentCards[card]);
  await visitor.fill("Expiry", anyCard.expiry);
  await visitor.fill("CVC", anyCard.cvc);
  if (hasScript) await visitor.fill("Postal code", "EX1 1AA");
  await visitor.press("button", hasScript ? "Submit payment of" : "Pay £");
}
