import { expect, test } from "vitest";

import { testCards } from "../../server/adapters/demo/card-gateway.ts";
import { cardDetails as sentences } from "../../server/refusals.ts";
import { anyCard, paymentCards, listCharges, payOnPage, reachPayment } from "../helpers/newcomer.ts";
import { errorsAt, readHeading, linkNamed, readSummary, readTitle, readValue, readWords } from "../helpers/page.ts";
import { openSite, withoutContent, type Answer, type Site, openQuietSite } from "../helpers/site.ts";

/** An app in which nothing is pretended. */
const production = {
  DEMO: "false",
  ORIGIN: "http://localhost",
  SESSION_SECRET: "moss-lantern-42-hedgerow-owl-bough-attic",
  CONTACT_URL: "https://dormouse.example/contact",
  CONTACT_EMAIL: "hello@dormouse.example",
};

const bank = { intent: "agree", accountHolderName: "Fern & Sons", accountNumber: "31415926", sortCode: "60-16-13" };

/** A sign-up at the gateway's page, with its visitor. */
async function openCardPage(site: Site) {
  const visitor = await reachPayment(site);
  const { location } = await visitor.pay();
  return { visitor, browser: visitor.browser, page: location ?? "" };
}

async function openDebitPage(site: Site): Promise<string> {
  const made = await site.services.companies.create(
    { name: "Fern & Sons", contactEmail: "office@fern.example", accounts: 50, priceInPence: 150_000 },
    { returnUrl: `${site.services.site}signup?company=agreed`, exitUrl: `${site.services.site}signup?company=left` },
  );
  if (!made.ok) throw new Error(made.reason);
  return made.authorisationUrl;
}

const DEMO_CARDS = "Use one of the demo's cards, such as 4242 4242 4242 4242.";

function readProblem({ text }: Answer): unknown {
  return (JSON.parse(text) as { problems?: unknown }).problems;
}

test("the payment step and the gateway's own page list the demo's cards", async () => {
  await using site = await openQuietSite();
  const { browser, page } = await openCardPage(site);
  for (const path of ["/signup?step=3", page]) {
    const { text } = await browser.get(path);
    for (const { number, note } of testCards) expect(readWords(text)).toContain(`${number} ${note}`);
  }
});

test("where no demo gateway is configured its pages do not exist, and no card is taken", async () => {
  await using site = await openSite(production, withoutContent);
  const browser = site.openBrowser({ origin: "http://localhost" });
  const id = `pay_demo_${"0".repeat(32)}`;
  for (const path of [`card/${id}`, `authenticate/${id}`, `debit/${id}`, "methods"]) {
    for (const answer of [
      await browser.get(`/demo-gateway/${path}`),
      await browser.get(`/demo-gateway/${path}?leave=1`),
      await browser.post(`/demo-gateway/${path}`, { ...bank, number: paymentCards.paid, ...anyCard }),
    ]) {
      expect(answer.status).toBe(404);
    }
  }
  const visitor = await reachPayment(site, {}, { browser });
  const step = await browser.get("/signup?step=3");
  expect(step.status).toBe(200);
  expect(step.text).not.toContain(testCards[0]?.number);
  const answer = await visitor.pay();
  expect(answer.status).toBe(400);
  expect(readWords(answer.text)).toContain("We couldn't reach our payment provider. You haven't been charged.");
  expect(await listCharges(site)).toEqual([]);
});

test("a card becomes an id, or an error beside its field", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const make = (card: Record<string, string>) =>
    browser.post("/demo-gateway/methods", { number: paymentCards.paid, ...anyCard, ...card });
  expect(JSON.parse((await make({})).text)).toEqual({ methodId: expect.stringMatching(/^pm_demo_[0-9a-f]{32}$/) });
  for (const [card, problem] of [
    [{ number: "5555 5555 5555 4444" }, { field: "number", sentence: DEMO_CARDS }],
    [{ cvc: "12" }, { field: "cvc", sentence: "The CVC is the three or four digits on the card." }],
    [{ number: "4".repeat(101) }, { field: "number", sentence: "We couldn't read this card. Please type it again." }],
  ] as const) {
    const answer = await make(card);
    expect(answer.status).toBe(400);
    expect(readProblem(answer)).toEqual([problem]);
    expect(answer.text).not.toContain("5555 5555");
  }
  expect((await browser.get("/demo-gateway/methods")).status).toBe(404);
});

test("the card page says what is paid and never shows a card again", async () => {
  await using site = await openQuietSite();
  const { browser, page } = await openCardPage(site);
  const { text } = await browser.get(page);
  expect(readHeading(text)).toBe("Pay by card");
  expect(readWords(text)).toContain("This is a stand-in for a real one. No money moves.");
  const wrong = await browser.post(page, { number: "4242 4242 4242 4241", expiry: "12 / 40", cvc: "7391" });
  expect(wrong.status).toBe(400);
  expect(readTitle(wrong.text)).toBe("Error: Pay by card – Demo payment provider");
  expect(errorsAt(wrong.text, "number")).toBe("That isn't a card number. Please check the digits.");
  expect(readValue(wrong.text, "expiry")).toBe("12 / 40");
  const empty = await browser.post(page, {});
  expect(["number", "expiry", "cvc"].map((field) => errorsAt(empty.text, field))).toEqual([
    sentences["number-missing"],
    sentences["expiry-missing"],
    sentences["cvc-missing"],
  ]);
  expect(wrong.text).not.toMatch(/4242 4242 4242 4241|7391/);
  expect(await listCharges(site)).toEqual([]);
});

test("a finished page says so, leads back and takes no second payment", async () => {
  await using site = await openQuietSite();
  const { browser, page } = await openCardPage(site);
  await payOnPage(browser, page);
  const over = await browser.get(page);
  expect(readHeading(over.text)).toBe("There is nothing to do here");
  expect(linkNamed(over.text, "Go back")).toBe("http://dormouse.test/signup?step=4");
  expect((await payOnPage(browser, page)).location).toBe("http://dormouse.test/signup?step=4");
  expect((await payOnPage(browser, page, "declined")).status).toBe(400);
  expect(await listCharges(site)).toEqual([6000]);
});

test("a company agrees on the Direct Debit page, once, and returns to a page that says so", async () => {
  await using site = await openSite({ ORIGIN: "http://dormouse.test" }, withoutContent);
  const page = await openDebitPage(site);
  const office = site.openBrowser();
  const { text } = await office.get(page);
  expect(readHeading(text)).toBe("Set up a Direct Debit");
  expect(readWords(text)).toContain("For Fern & Sons . We collect each year's price from this account");
  for (const [fields, field, sentence] of [
    [{ accountHolderName: " " }, "accountHolderName", "Please enter the name on the account."],
    [{ sortCode: "20-00" }, "sortCode", "A sort code has six digits, such as 20-00-00."],
    [{ accountNumber: "1234567" }, "accountNumber", "An account number has eight digits, such as 55779911."],
  ] as const) {
    const answer = await office.post(page, { ...bank, ...fields });
    expect(answer.status).toBe(400);
    expect(errorsAt(answer.text, field)).toBe(sentence);
    expect(answer.text).not.toMatch(/31415926|60-16-13|1234567/);
  }

  const empty = await office.post(page, { intent: "agree" });
  expect(readSummary(empty.text)).toEqual([
    ["accountHolderName", "Please enter the name on the account."],
    ["accountNumber", "An account number has eight digits, such as 55779911."],
    ["sortCode", "A sort code has six digits, such as 20-00-00."],
  ]);

  const left = await office.post(page, { intent: "leave" });
  expect(left.location).toBe("http://dormouse.test/signup?company=left");
  expect(readHeading((await office.get(left.location ?? "")).text)).toBe("Your Direct Debit isn't set up yet");
  const agreed = await office.post(page, bank);
  expect(agreed.location).toBe("http://dormouse.test/signup?company=agreed");
  expect(readHeading((await office.get(agreed.location ?? "")).text)).toBe("Your Direct Debit is set up");
  expect((await office.post(page, bank)).location).toBe("http://dormouse.test/signup?company=agreed");
  expect(readHeading((await office.get(page)).text)).toBe("There is nothing to do here");
  await site.pass(1000);
  expect(await site.services.companies.find("Fern & Sons")).toMatchObject({ state: "live" });
});

test("payments that do not exist are not found, whatever is asked of them", async () => {
  await using site = await openQuietSite();
  const { browser, page } = await openCardPage(site);
  const id = page.split("/").at(-1) ?? "";
  for (const path of ["card/x", "card/%00", "authenticate/x", "debit/x", `debit/${id}`, `card/${id.toUpperCase()}`]) {
    for (const answer of [
      await browser.get(`/demo-gateway/${path}`),
      await browser.get(`/demo-gateway/${path}?leave`),
      await payOnPage(browser, `/demo-gateway/${path}`),
      await browser.post(`/demo-gateway/${path}`, { intent: "complete" }),
      await browser.post(`/demo-gateway/${path}`, bank),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
  }
  expect(site.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});
