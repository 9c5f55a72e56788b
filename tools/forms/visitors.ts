import { codeIn, linkIn } from "../../tests/helpers/mailbox.ts";
import type { FormBrowser } from "./browser.ts";
import {
  CARD,
  logIn,
  member,
  NEW_PASSWORD,
  nora,
  otherThan,
  reachCardPage,
  requireForm,
  type Section,
  type Tour,
} from "./tour.ts";

/* The forms of those who are not logged in. */

const twice = (password: string, passwordConfirmation = password) => ({ password, passwordConfirmation });
const corporate = { accountType: "corporate", code: "DORMOUSE-DEMO" };

const loggingIn: Section = async (tour) => {
  const { fill, open, readEmail } = tour;
  await fill(
    open(),
    { path: "/login", intent: "log-in", title: "Log in" },
    { "nothing typed": {}, "another password": { ...member, password: "not-this-one" }, right: member },
  );
  const email = "team@dormouse.example";
  await fill(
    open(),
    { path: "/login?link=ask", intent: "link-request", title: "Ask for a link to log in" },
    { "no address": { email: "x" }, "right, whether there is such a member or not": { email } },
  );
  const link = linkIn(await readEmail(email, "Your link to log in"));
  await fill(open(), { path: link, intent: "enter-link", title: "The link in that email" }, { right: {} });
  const browser = open();
  await fill(
    browser,
    { path: "/login?reset=1", intent: "reset-request", title: "Ask for a code to reset a password" },
    { "no address": { email: "x" }, "right, whether there is such a member or not": { email } },
  );
  const mail = await readEmail(email, "Choose a new password");
  await tour.commands.run("demo", "clock", "+2m");
  const path = "/login?reset=2";
  await fill(browser, { path, intent: "reset-again", title: "Send that code again" }, { right: {} });
  const code = codeIn(await readEmail(email, "", mail));
  await fill(
    browser,
    { path, intent: "reset-code", title: "Type that code" },
    { "a wrong code": { code: otherThan(code) }, right: { code } },
  );
  await fill(
    browser,
    { path: "/login?reset=3", intent: "reset-password", title: "Choose the new password" },
    { "too short": twice("moss-42"), "twice different": twice(NEW_PASSWORD, "x"), right: twice(NEW_PASSWORD) },
  );
};

const signingUp: Section = async (tour) => {
  const { fill, open, readEmail } = tour;
  await fill(
    open(),
    { path: "/signup?step=1", intent: "details", title: "Account details (step 1)" },
    {
      "nothing typed, Individual": { accountType: "individual" },
      "Corporate, with a code that has expired": { ...nora, ...corporate, code: "DORMOUSE-OLD" },
      right: nora,
    },
  );
  const link = linkIn(await readEmail(nora.email));
  const title = "The link in the email, in another browser";
  await fill(open(), { path: link, intent: "verify-link", title }, { right: {} });
  await choosePlan(tour);
  await joinByCode(tour);
  const asked = await tour.commands.ask("member", "renewal-link", "lapsed@dormouse.example", "--reason", "They asked");
  const renewal = /https?:[^"]+renew=[^"]+/.exec(JSON.stringify(asked))?.[0] ?? "";
  await fill(open(), { path: renewal, intent: "renew", title: "The link to renew" }, { right: {} });
};

async function choosePlan(tour: Tour): Promise<void> {
  const { fill, open, readEmail } = tour;
  const browser = open();
  const email = "otto@example.org";
  await browser.post("/signup?step=1", { intent: "details", code: "", ...nora, email });
  const first = await readEmail(email);
  await tour.commands.run("demo", "clock", "+2m");
  const path = "/signup?step=2";
  const again = { path, intent: "resend", title: "Send the code again (step 2)" };
  await fill(browser, again, { right: { intent: "resend" } });
  const oneTimeCode = codeIn(await readEmail(email, "", first));
  const wrong = otherThan(oneTimeCode);
  await fill(
    browser,
    { path, intent: "verify", title: "Type the code (step 2)" },
    { "a wrong code": { oneTimeCode: wrong, intent: "verify" }, right: { oneTimeCode, intent: "verify" } },
  );
  await fill(
    browser,
    { path, intent: "plan", title: "Choose a plan (step 2)" },
    { "no such plan": { planType: "9", intent: "plan" }, right: { planType: "1", intent: "plan" } },
  );
  await fill(
    browser,
    { path: "/signup?step=3", intent: "pay", title: "Pay by card (step 3)" },
    { "no postal code": { postcode: "", intent: "pay" }, right: { postcode: "EX1 1AA", intent: "pay" } },
  );
}

async function joinByCode({ fill, open, readEmail }: Tour): Promise<void> {
  const browser = open();
  const email = "cora@example.org";
  await browser.post("/signup?step=1", { intent: "details", ...nora, ...corporate, email });
  await browser.post("/signup?step=2", { intent: "verify", oneTimeCode: codeIn(await readEmail(email)) });
  await fill(
    browser,
    { path: "/signup?step=3", intent: "pay", title: "Join by a company's code (step 3)" },
    { "no postal code": { postcode: "", intent: "pay" }, right: { postcode: "EX1 1AA", intent: "pay" } },
  );
}

const paying: Section = async (tour) => {
  const { fill, commands } = tour;
  const card = await reachCardPage(tour, "paula@example.org");
  await fill(
    card.browser,
    { path: card.path, intent: card.path, title: "The card page" },
    {
      "nothing typed": {},
      "4000 0000 0000 0002": { ...CARD, number: "4000 0000 0000 0002" },
      "4242 4242 4242 4242": CARD,
    },
  );
  const { browser, path } = await reachCardPage(tour, "quinn@example.org");
  await browser.post(path, { ...CARD, number: "4000 0027 6000 3184" });
  const bank = path.replace("/card/", "/authenticate/");
  await fill(browser, { path: bank, intent: "fail", title: "The bank's page" }, { refused: { intent: "fail" } });
  const create = "company create --name Acme --email hr@acme.example --accounts 50 --price 600.00 --reason Asked";
  const made = JSON.stringify(await commands.ask(...create.split(" ")));
  const page = /https?:[^"]+demo-gateway[^"]+/.exec(made)?.[0] ?? "";
  const account = { accountHolderName: "Acme Ltd", accountNumber: "55779911", sortCode: "20-00-00" };
  await fill(
    tour.open(),
    { path: page, intent: "agree", title: "The Direct Debit page of a company" },
    { "nothing typed": { intent: "agree" }, right: { ...account, intent: "agree" } },
  );
  await commands.run("job", "run", "handle-webhooks");
};

const giving: Section = async (tour) => {
  const { fill, open, readEmail } = tour;
  const browser = open();
  const names = { giverName: "Tom", giverEmail: "tom@example.org", recipientName: "Wren" };
  const details = { ...names, recipientEmail: "wren@example.org", message: "Sleep well." };
  await fill(
    browser,
    { path: "/give", intent: "give", title: "Give a plan" },
    { "nothing typed": {}, "a sheet to print": { ...names, by: "sheet" }, right: details },
  );
  await fill(
    browser,
    { path: "/give?step=3", intent: "pay", title: "Pay for it by card" },
    { "no postal code": { postcode: "", intent: "pay" }, right: { postcode: "EX1 1AA", intent: "pay" } },
  );
  await payForGift(tour, browser);
  const given = linkIn(await readEmail("tom@example.org", "Your receipt"));
  await fill(open(), { path: given, intent: "send-again", title: "The giver's page: send it again" }, { right: {} });
  await fill(
    open(),
    { path: given, intent: "change-address", title: "The giver's page: change the address" },
    { "no address": { recipientEmail: "x" }, right: { recipientName: "Wren", recipientEmail: "wren@here.example" } },
  );
  const gift = linkIn(await readEmail("wren@here.example"));
  await fill(await logIn(tour), { path: gift, intent: "add-gift", title: "Add it to a membership" }, { right: {} });
  await joinByGift(tour, { ...details, recipientEmail: "nell@example.org" });
  await give(tour, { ...names, giverEmail: "tim@example.org", by: "sheet" });
  const other = linkIn(await readEmail("tim@example.org", "Your receipt"));
  await fill(open(), { path: other, intent: "cancel-gift", title: "The giver's page: cancel it" }, { right: {} });
};

/** On the gateway's own page. */
async function payForGift(tour: Tour, browser: FormBrowser): Promise<void> {
  const shown = Object.fromEntries(requireForm(await browser.find("/give?step=3"), "pay").values);
  const { location } = await browser.post("/give?step=3", { ...shown, intent: "pay", postcode: "EX1 1AA" });
  await browser.post(new URL(location, tour.demo.url).pathname, CARD);
}

async function give(tour: Tour, details: Record<string, string>): Promise<void> {
  const browser = tour.open();
  const { values } = requireForm(await browser.find("/give"), "give");
  await browser.post("/give", { ...Object.fromEntries(values), ...details });
  await payForGift(tour, browser);
}

async function joinByGift(tour: Tour, details: Record<string, string>): Promise<void> {
  const { fill, open, readEmail } = tour;
  await give(tour, details);
  const browser = open();
  const email = "nell@example.org";
  const giftCode = new URL(linkIn(await readEmail(email))).searchParams.get("code") ?? "";
  await browser.post("/signup?step=1", { intent: "details", code: "", ...nora, email, giftCode });
  const oneTimeCode = codeIn(await readEmail(email, "Confirm your email address"));
  await fill(
    browser,
    { path: "/signup?step=3", intent: "take-gift", title: "Join by a gift (step 3)" },
    { "no code": { intent: "take-gift" }, right: { oneTimeCode, intent: "take-gift" } },
  );
}

export const visitorSections = {
  "Log-in": loggingIn,
  "Sign-up": signingUp,
  "The demo's payment pages": paying,
  Gifts: giving,
};
