import { expect, test } from "vitest";

import { codes, gifts } from "../../server/refusals.ts";
import { ada, logIn } from "../helpers/account-page.ts";
import { giftDetails, giveGift } from "../helpers/gifts.ts";
import { emailsTo } from "../helpers/mailbox.ts";
import { paymentCards, createNewcomer, makeMethod, nora, payOnPage, readCharges } from "../helpers/newcomer.ts";
import { linkNamed, readHeading, readSummary, readTitle, readValue, readWords, tagWith } from "../helpers/page.ts";
import { openRemoteSite } from "../helpers/provider.ts";
import { type Browser, openQuietSite, type Site } from "../helpers/site.ts";

const STARTS_AT = "2026-11-20T03:00:00.000Z";
const openEarlySite = () => openQuietSite({ startsAt: STARTS_AT });

const form = {
  intent: "give",
  planType: "3",
  giverName: "Tom",
  giverEmail: "tom@giver.example",
  recipientName: "Wren",
  by: "email",
  recipientEmail: "wren@here.example",
  message: "Sleep well, Wren.",
  day: "2026-12-24",
};
const sheet = { ...form, by: "sheet", recipientEmail: "", day: "" };

async function give(browser: Browser, fields: Record<string, string> = {}) {
  expect(await browser.post("/give", { ...form, ...fields })).toMatchObject({ status: 303, location: "/give?step=3" });
}

async function pay(browser: Browser, card: keyof typeof paymentCards = "paid") {
  const methodId = await makeMethod(browser, paymentCards[card]);
  return browser.post("/give?step=3", { intent: "pay", plan: "3", postcode: "EX1 1AA", methodId });
}

/** Given and paid by forms; returns the paths of the giver's page and of what the thanks lead to. */
async function giveAndPay(browser: Browser, fields: Record<string, string> = {}): Promise<string> {
  await give(browser, fields);
  expect((await pay(browser)).location).toBe("/give?step=4");
  return linkNamed((await browser.get("/give?step=4")).text, "See your gift") ?? "";
}

async function readEmails(site: Site, address: string) {
  await site.services.outbox.deliver();
  return emailsTo(address, site.emails);
}

/** The path of the recipient's link. */
async function findGiftPath(site: Site, address = form.recipientEmail): Promise<string> {
  const mail = (await readEmails(site, address)).at(-1);
  return /http:\/\/dormouse\.test(\/gift\?code=\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

test("everything wrong with a gift is said at once, and what was typed stays", async () => {
  await using site = await openEarlySite();
  const { status, text } = await site.openBrowser().post("/give", {
    ...form,
    planType: "",
    giverName: "",
    giverEmail: "tom",
    recipientName: "",
    recipientEmail: "",
    message: "z".repeat(301),
    day: "2027-11-21",
  });
  expect(status).toBe(400);
  expect(readTitle(text)).toBe("Error: Give a year of Dormouse – Dormouse");
  expect(readSummary(text)).toEqual([
    ["planType", gifts["plan-missing"]],
    ["giverName", gifts["giver-name-missing"]],
    ["giverEmail", gifts["giver-email-invalid"]],
    ["recipientName", gifts["recipient-name-missing"]],
    ["recipientEmail", gifts["recipient-email-invalid"]],
    [expect.stringContaining("message"), gifts["message-long"]],
    ["day", gifts["day-invalid"]],
  ]);
  expect(text).toContain("z".repeat(301));
  expect(readValue(text, "giverEmail")).toBe("tom");
  expect(readValue(text, "day")).toBe("2027-11-21");
});

test("a gift is reviewed, paid by card, arrives on its day, and its giver sees it", async () => {
  await using site = await openEarlySite();
  const browser = site.openBrowser();
  await give(browser);
  const review = await browser.get("/give?step=3");
  expect(readHeading(review.text)).toBe("Payment");
  for (const words of ["A year", "Wren", "wren@here.example", "24 December 2026", "Sleep well, Wren.", "£60"])
    expect(readWords(review.text)).toContain(words);
  expect(linkNamed(review.text, "Back")).toBe("/give");
  expect(readValue((await browser.get("/give")).text, "recipientName")).toBe("Wren");
  const declined = await pay(browser, "declined");
  expect([declined.status, readTitle(declined.text)]).toEqual([400, "Error: Payment – Dormouse"]);
  expect((await pay(browser)).location).toBe("/give?step=4");
  const thanks = (await browser.get("/give?step=4")).text;
  expect(readWords(thanks)).toContain("We'll email Wren on 24 December 2026, at 8:00 in London.");
  expect(readWords(thanks)).toContain("We've sent a receipt to tom@giver.example");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
  expect((await readEmails(site, form.giverEmail)).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Your receipt /),
  ]);
  // A second press, and the form of another gift.
  expect((await pay(browser)).location).toBe("/give?step=4");
  expect(await readCharges(site)).toHaveLength(1);
  expect(readValue((await browser.get("/give")).text, "recipientName")).toBe("");

  const given = linkNamed(thanks, "See your gift") ?? "";
  const page = await site.openBrowser().get(given);
  expect(page.headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
  expect(readWords(page.text)).toContain("We'll email Wren on 24 December 2026");
  site.clock.advance(35 * 24 * 60 * 60 * 1000);
  await site.services.gifts.lookAfter();
  expect(await findGiftPath(site)).toMatch(/^\/gift\?code=/);
  expect(readWords((await browser.get(given)).text)).toContain("Wren hasn't taken it up yet.");
});

test("without card fields the gateway's own page and a bank's take the card, and lead back", async () => {
  await using site = await openEarlySite();
  const browser = site.openBrowser();
  await give(browser);
  const { location } = await browser.post("/give?step=3", { intent: "pay", plan: "3", postcode: "EX1 1AA" });
  expect(await browser.get(`${location}?leave=1`)).toMatchObject({ location: "http://dormouse.test/give?step=3" });
  expect(readWords((await browser.get("/give?step=3")).text)).toContain(
    "You started this payment but didn't finish it.",
  );
  expect((await payOnPage(browser, location)).location).toBe("http://dormouse.test/give?step=4");
  expect(readHeading((await browser.get("/give?step=4")).text)).toBe("Thank you");

  const other = site.openBrowser();
  await give(other, sheet);
  const bank = (await pay(other, "authentication")).location ?? "";
  await other.post(bank, { intent: "complete" });
  expect((await other.get("/give?step=4&redirect_status=succeeded")).location).toBe("/give?step=4");
  const thanks = (await other.get("/give?step=4")).text;
  expect(readWords(thanks)).toContain("Print the sheet and give it to Wren.");
  expect(linkNamed(thanks, "Print your gift")).toMatch(/^\/gift-letter\?gift=/);
  expect(await readCharges(site)).toHaveLength(2);
});

test("a step that was not reached leads to the form, and a lost gift says that it was cleared", async () => {
  await using site = await openEarlySite();
  const browser = site.openBrowser();
  for (const step of [3, 4]) expect((await browser.get(`/give?step=${step}`)).location).toBe("/give");
  const { location } = await browser.post("/give?step=3", { intent: "pay", plan: "3", postcode: "EX1 1AA" });
  expect(readWords((await browser.get(location ?? "")).text)).toContain("You haven't been charged.");
  await give(browser);
  expect((await browser.get("/give?step=4")).location).toBe("/give?step=3");
});

test("a giver sends it again, changes the address and cancels, each by a link that needs no log-in", async () => {
  await using site = await openEarlySite();
  const given = await giveAndPay(site.openBrowser());
  const browser = site.openBrowser();
  expect(readWords((await browser.get(given)).text)).not.toContain("Send it again");
  site.clock.advance(35 * 24 * 60 * 60 * 1000);
  await site.services.gifts.lookAfter();
  const first = await findGiftPath(site);
  const again = await browser.post(given, { intent: "send-again" });
  expect(readWords((await browser.get(again.location ?? "")).text)).toContain("We've sent it again.");
  expect(await readEmails(site, form.recipientEmail)).toHaveLength(2);

  const wrong = await browser.post(given, { intent: "change-address", recipientName: "", recipientEmail: "x" });
  expect([wrong.status, readSummary(wrong.text)]).toEqual([400, [["recipientName", gifts["recipient-name-missing"]]]]);
  const moved = { intent: "change-address", recipientName: "Wren", recipientEmail: "wren@there.example" };
  const { location } = await browser.post(given, moved);
  expect(readWords((await browser.get(location ?? "")).text)).toContain("You've changed the address");
  expect((await browser.get(first)).status).toBe(404);
  expect(readHeading((await browser.get(await findGiftPath(site, "wren@there.example"))).text)).toContain("Wren");

  // The fourteen days are over.
  const late = await browser.post(given, { intent: "cancel-gift" });
  expect([late.status, readSummary(late.text)]).toEqual([400, [[undefined, gifts["too-late"]]]]);
  expect(readWords((await browser.get(given)).text)).not.toContain("Cancel and refund");
});

test("a gift is cancelled within 14 days: all of it is refunded, and its link says that it has ended", async () => {
  await using site = await openEarlySite();
  const browser = site.openBrowser();
  const given = await giveAndPay(browser, { day: "2026-11-20" });
  site.clock.advance(6 * 60 * 60 * 1000);
  await site.services.gifts.lookAfter();
  const path = await findGiftPath(site);
  expect(readWords((await browser.get(given)).text)).toContain("You can cancel until 4 December 2026");
  expect((await browser.post(given, { intent: "cancel-gift" })).status).toBe(303);
  expect(readWords((await browser.get(given)).text)).toContain("You cancelled it on 20 November 2026.");
  expect(readWords((await browser.get(path)).text)).toContain(gifts.over);
});

test("a link to no gift is answered plainly, on both sides", async () => {
  await using site = await openEarlySite();
  const browser = site.openBrowser();
  for (const path of ["/given", "/given?gift=1.x", `/given?gift=1.${"A".repeat(43)}`]) {
    expect(await browser.get(path)).toMatchObject({ status: 404 });
    expect((await browser.post(path, { intent: "cancel-gift" })).status).toBe(404);
  }
  const unknown = await browser.get("/gift?code=DORMOUSE-XXXX");
  expect([unknown.status, readSummary(unknown.text)]).toEqual([404, [["code", gifts.unknown]]]);
  expect(readValue(unknown.text, "code")).toBe("DORMOUSE-XXXX");
  expect(readHeading((await browser.get("/gift")).text)).toBe("Take up a gift");
});

/** Paid, with its sheet ready: its code. */
async function makeSheet(site: Site): Promise<{ code: string; giverToken: string }> {
  const { id, giverToken } = await giveGift(site, { ...giftDetails, isSheet: true, day: "", recipientEmail: "" });
  return { giverToken, code: (await site.services.gifts.find(id))?.code ?? "" };
}

test("a newcomer takes a gift up by sign-up without plan and payment", async () => {
  await using site = await openEarlySite();
  const { code, giverToken } = await makeSheet(site);
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  // As a reader types it from the sheet.
  const page = await browser.get(`/gift?code=${encodeURIComponent(code.toLowerCase().replaceAll("-", " - "))}`);
  expect(page.headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
  for (const words of ["A gift for you, Wren", "Tom is giving you a year of Dormouse.", "Sleep well, Wren."])
    expect(readWords(page.text)).toContain(words);
  const signUp = linkNamed(page.text, "Sign up") ?? "";
  const details = (await browser.get(signUp)).text;
  expect(readWords(details)).toContain("Tom is giving you a year.");
  expect(readWords(details)).not.toContain("Account type");
  const giftCode = readValue(details, "giftCode") ?? "";
  expect((await browser.post(signUp, { ...nora, giftCode })).location).toBe("/signup?step=3");
  expect((await browser.get("/signup?step=2")).location).toBe("/signup?step=3");
  expect(readValue((await browser.get("/signup?step=1")).text, "giftCode")).toBe(giftCode);
  const early = await browser.post("/signup?step=3", { intent: "take-gift", oneTimeCode: "" });
  expect([early.status, readSummary(early.text)[0]?.[0]]).toEqual([400, "oneTimeCode"]);
  const oneTimeCode = (await visitor.readEmail()).code;
  expect((await browser.post("/signup?step=3", { intent: "take-gift", oneTimeCode })).location).toBe("/signup?step=4");
  const done = (await browser.get("/signup?step=4")).text;
  expect(readHeading(done)).toBe("You're a member");
  expect(readWords(done)).toContain("Your gift runs until 20 November 2027.");
  expect((await browser.get("/")).status).toBe(200);
  const given = await site.openBrowser().get(`/given?gift=${giverToken}`);
  expect(readWords(given.text)).toContain("Wren took it up on 20 November 2026.");
  expect(readWords((await site.openBrowser().get(`/gift?code=${code}`)).text)).toContain(gifts["taken-up"]);
  expect(await readCharges(site)).toHaveLength(1);
});

test("a gift that another took meanwhile leads a newcomer to the plans, with the reason", async () => {
  await using site = await openEarlySite();
  const { code } = await makeSheet(site);
  const visitor = createNewcomer(site);
  await visitor.browser.post(`/signup?step=1&gift=${code}`, { ...nora, giftCode: code });
  await visitor.typeCode();
  const member = await site.services.accounts.findByEmail(ada);
  await site.services.gifts.takeUp({ code, memberId: member?.id ?? 0, address: "198.51.100.9" });
  await visitor.browser.post("/signup?step=3", { intent: "take-gift", oneTimeCode: "" });
  expect((await visitor.browser.get("/signup?step=3")).location).toBe("/signup?step=2");
  expect(readWords((await visitor.browser.get("/signup?step=2")).text)).toContain(gifts["taken-up"]);
  await visitor.choosePlan();
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect(readHeading((await visitor.browser.get("/signup?step=4")).text)).toBe("Payment Complete");
});

test("a member adds a gift behind what they have by one button, after a log-in if needed", async () => {
  await using site = await openEarlySite();
  const { code } = await makeSheet(site);
  const path = `/gift?code=${code}`;
  expect((await site.openBrowser().post(path, { intent: "add-gift", code })).location).toBe(
    `/login?to=${encodeURIComponent(path)}`,
  );
  const browser = await logIn(site, ada);
  const member = await site.services.accounts.findByEmail(ada);
  const before = await site.services.membership.findCoverEnd(member?.id ?? 0);
  const page = readWords((await browser.get(path)).text);
  expect(page).toContain("when your present membership ends");
  for (const _ of ["a press", "a second one"]) {
    const added = await browser.post(path, { intent: "add-gift", code });
    expect(added.location).toBe("/gift?added=1");
    expect(readHeading((await browser.get("/gift?added=1")).text)).toBe("It's yours");
  }
  const after = await site.services.membership.findCoverEnd(member?.id ?? 0);
  expect(after?.getUTCFullYear()).toBe((before?.getUTCFullYear() ?? 0) + 1);
  const other = await (await logIn(site, "lapsed@dormouse.example")).post(path, { intent: "add-gift", code });
  expect([other.status, readWords(other.text)]).toEqual([400, expect.stringContaining(gifts["taken-up"])]);
});

test("a gift's code that is typed as a company's leads to its own page", async () => {
  await using site = await openEarlySite();
  const { code } = await makeSheet(site);
  const { text } = await createNewcomer(site).enterDetails({ accountType: "corporate", code });
  expect(readSummary(text)).toEqual([["code", codes.gift]]);
  expect(linkNamed(text, "Take up a gift")).toBe("/gift");
});

test("a member who gives is known by name and address, and finds their gifts in My Account, where others have no such row", async () => {
  await using site = await openEarlySite();
  const browser = await logIn(site, ada);
  expect((await browser.get("/?account=open")).text).not.toContain("Gifts you gave");
  const { text } = await browser.get("/give");
  expect(readValue(text, "giverName")).toBe("Ada Lovell");
  expect(tagWith(text, "input", 'name="giverEmail"')).toBeUndefined();
  await giveAndPay(browser, { giverName: "Ada", giverEmail: "" });
  expect(await readEmails(site, ada)).toHaveLength(1);
  const account = (await browser.get("/?account=gifts")).text;
  expect(readWords(account)).toContain("A year for Wren waiting for its day");
  const given = linkNamed(account, "A year for Wren") ?? "";
  expect(readHeading((await browser.get(given)).text)).toBe("Your gift for Wren");
});

test("the welcome has one line about gifts, and none where another back end sells", async () => {
  await using site = await openEarlySite();
  expect(linkNamed((await site.openBrowser().get("/signup")).text, "Give a year of Dormouse")).toBe("/give");
  await using remote = await openRemoteSite();
  const browser = remote.openBrowser();
  expect(readWords((await browser.get("/signup")).text)).not.toContain("Give");
  for (const path of ["/give", "/gift", "/gift?code=x"]) expect((await browser.get(path)).status).toBe(404);
  expect((await browser.post("/give", form)).status).toBe(404);
});
