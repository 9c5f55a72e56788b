import { describe, expect, test } from "vitest";

import {
  accountClosedEmail,
  accountErasedEmail,
  addressChangedEmail,
  addressQuestionEmail,
  confirmAddressEmail,
  logInLinkEmail,
  passkeyAddedEmail,
  passkeyRemovedEmail,
  passwordChangedEmail,
  passwordSwitchedEmail,
  passwordResetEmail,
} from "./members/accounts/emails.ts";
import {
  companyContractEmail,
  companyInvitationEmail,
  companyLiveEmail,
  companyLogInEmail,
  companyMandateEmail,
  companyStoppedEmail,
} from "./money/companies/emails.ts";
import type { Company } from "./money/companies/company.ts";
import { plans } from "./money/membership/plans.ts";
import type { RefundCause } from "./money/payments/context.ts";
import type { Order } from "./money/payments/orders.ts";
import {
  giftEmail,
  giftEndedEmail,
  giftReceiptEmail,
  giftReminderEmail,
  giftTakenUpEmail,
} from "./money/gifts/emails.ts";
import type { Gift } from "./money/gifts/gift.ts";
import { receiptEmail, refundEmail } from "./money/payments/emails.ts";
import {
  membershipEndedEmail,
  renewalLinkEmail,
  renewalReminderEmail,
  verificationEmail,
  welcomeEmail,
} from "./money/sign-up/emails.ts";
import { accountsMergedEmail, mergeCodeEmail } from "./operations/merging/emails.ts";
import { movedEmail } from "./operations/moving/emails.ts";
import { newsletterEmail } from "./operations/newsletter/emails.ts";
import type { Email, EmailContent, EmailKind, EmailSettings } from "./platform/email/layout.ts";
import { MARK_ID } from "./platform/email/mark.ts";
import { testEmail } from "./platform/email/test-email.ts";

const site = "https://members.example.org/";
const token = `${"aB3-_".repeat(30)}&next=1`;
const link = `https://pay.example/flow/${token}`;

const product = {
  name: "Dormouse",
  contactEmail: "hello@dormouse.example",
  companyEmail: "hello@dormouse.example",
};

/** Half past eleven at night in UTC is the next day in London. */
const summerNight = new Date("2027-06-30T23:30:00.000Z");
const autumn = new Date("2026-11-20T03:00:00.000Z");

const email = "ada@dormouse.example";
const order: Order = {
  id: 12,
  draftId: 1,
  giftId: undefined,
  memberId: 7,
  accountType: "individual",
  email,
  firstName: "Ada",
  lastName: "Lovell",
  planType: 3,
  amountInPence: 6000,
  state: "completed",
  receiptNumber: "D-2026-0001",
  postcode: "AB1 2CD",
  code: undefined,
  site,
  customerId: undefined,
  paidAt: autumn,
  waivedAt: undefined,
  startsAt: autumn,
  endsAt: summerNight,
};

const within: EmailSettings = { product, site };

/** Refunds 1,250 pence. */
function refund(cause: RefundCause, firstName: string, settings = within): Email | undefined {
  return refundEmail({ order: { ...order, firstName }, attempt: { id: 5, amountInPence: 1250 }, cause }, settings);
}

const newItems = (title: string) => [
  { title, what: "Article", path: "?view=read&item=1001" },
  { title: "Rain on a window", what: "Recording", path: "?view=watch&item=2020" },
];

/** Every email, with one text in each place that holds text from outside. */
function writeAll(word: string, others: Partial<EmailSettings["product"]> = {}): Record<EmailKind, EmailContent> {
  const settings = { product: { ...product, ...others }, site };
  const member = { id: 7, email, firstName: word, lastName: "Lovell", accountType: "individual" as const };
  const sent = { member, site, token };
  const ending = { subscriptionId: 3, member, endsAt: summerNight, link, site };
  const company: Company = {
    id: 4,
    name: word,
    contactEmail: "office@firm.example",
    accounts: 50,
    priceInPence: 125_000,
    state: "grace",
    graceEndsAt: autumn,
    liveSince: autumn,
    createdAt: autumn,
    code: "PILLOW-27",
    seatsTaken: 0,
  };
  const gift: Gift = {
    id: 5,
    state: "sent",
    planType: 3,
    giverMemberId: undefined,
    giverName: word,
    giverEmail: "tom@giver.example",
    recipientName: word,
    recipientEmail: email,
    isSheet: false,
    message: `Sleep well. ${word.slice(0, 100)}`,
    deliverAt: autumn,
    expiresAt: summerNight,
    code: "DORMOUSE-7KQX-M4VD-3479",
    site,
    sendings: 1,
    sentAt: autumn,
    takerId: undefined,
    closedAt: undefined,
    question: undefined,
    createdAt: autumn,
  };
  const contact = { id: 9, companyId: 4, email: company.contactEmail, invitedAt: autumn, lastLogInAt: undefined };
  const emails: Record<EmailKind, Email | undefined> = {
    verification: verificationEmail({ id: 1, email, firstName: word, site, code: "271828", token }, settings),
    receipt: receiptEmail(order, settings),
    welcome: welcomeEmail(ending, settings),
    moved: movedEmail({ member, endsAt: summerNight, needsPassword: true }, settings),
    refund: refund("email-registered", word, settings),
    "renewal-reminder": renewalReminderEmail(ending, settings),
    "membership-ended": membershipEndedEmail(ending, settings),
    "renewal-link": renewalLinkEmail({ member, link, at: autumn, site }, settings),
    "company-mandate": companyMandateEmail({ company, authorisationUrl: link, site }, settings),
    "company-contract": companyContractEmail(
      { company, sentences: ["From 3 March 2027: £120.00 a year instead of £100.00."], at: autumn, site },
      settings,
    ),
    "company-live": companyLiveEmail(company, settings),
    "company-stopped": companyStoppedEmail(company, settings),
    "company-invitation": companyInvitationEmail({ contact, companyName: word, site }, settings),
    "company-log-in": companyLogInEmail({ contact, companyName: word, site, code: "577215", token }, settings),
    "password-reset": passwordResetEmail({ ...sent, isPasswordOff: true, code: "314159" }, settings),
    "log-in-link": logInLinkEmail(sent, settings),
    "passkey-added": passkeyAddedEmail({ member, name: word, at: autumn, site }, settings),
    "passkey-removed": passkeyRemovedEmail({ member, name: word, at: autumn, site }, settings),
    "password-switched": passwordSwitchedEmail({ member, isOn: false, at: autumn, site }, settings),
    "password-changed": passwordChangedEmail({ member, at: autumn, site }, settings),
    "confirm-new-address": confirmAddressEmail(
      { ...sent, newEmail: email, code: "161803", countsFrom: undefined },
      settings,
    ),
    "address-change-asked": addressQuestionEmail(
      { ...sent, newEmail: "ada@second.example", countsFrom: summerNight, isMailboxLost: true },
      settings,
    ),
    "address-changed": addressChangedEmail({ ...sent, until: summerNight }, settings),
    "account-closed": accountClosedEmail({ ...sent, eraseAt: summerNight }, settings),
    "account-erased": accountErasedEmail({ member }, settings),
    "merge-code": mergeCodeEmail(
      { member, targetEmail: "ada@new.example", site, code: "141421", cause: "x" },
      settings,
    ),
    "accounts-merged": accountsMergedEmail(
      { member, to: email, targetEmail: "ada@new.example", sourceEmail: email, site },
      settings,
    ),
    gift: giftEmail(gift, settings),
    "gift-receipt": giftReceiptEmail(
      {
        gift,
        link,
        receiptNumber: "D-2026-0002",
        amountInPence: 6000,
        paidAt: autumn,
        cancelUntil: "2026-12-04",
      },
      settings,
    ),
    "gift-reminder": giftReminderEmail({ gift, when: "early", link }, settings),
    "gift-taken-up": giftTakenUpEmail({ gift, link }, settings),
    "gift-ended": giftEndedEmail({ gift, link }, settings),
    newsletter: newsletterEmail({ member, month: "2026-11", items: newItems(word), endLink: link }, settings),
  };
  return mapKinds(emails, (written, kind) => {
    if (written?.kind !== kind) throw new Error(`${kind} is written as ${written?.kind}`);
    return written.mail;
  });
}

/** Something for each kind, in the order of a table that has them all. */
function mapKinds<Given, Made>(
  table: Record<EmailKind, Given>,
  make: (given: Given, kind: EmailKind) => Made,
): Record<EmailKind, Made> {
  const entries = Object.entries(table) as [EmailKind, Given][];
  return Object.fromEntries(entries.map(([kind, given]) => [kind, make(given, kind)])) as Record<EmailKind, Made>;
}

const all = writeAll("ada");

const kinds = Object.keys(all) as EmailKind[];

function listWords(text: string): string[] {
  return (text.match(/[\p{L}\p{N}£]+/gu) ?? []).toSorted();
}

/** The HTML as a mail program shows it, without its tags. */
function readHtml(html: string): string {
  const body = html.slice(html.indexOf("<body"));
  return body.replaceAll(/<[^>]*>/g, " ").replaceAll(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)));
}

function listAddresses(html: string): string[] {
  return [...html.matchAll(/\b(?:href|src|srcset|background|action)\s*=\s*"([^"]*)"/g)].map(([, address = ""]) =>
    address.replaceAll(/&#(\d+);/g, (_, number: string) => String.fromCharCode(Number(number))),
  );
}

describe.each(kinds)("the email %s", (kind) => {
  const mail = writeAll("Ada")[kind];

  test("says the same in both forms", () => {
    const text = `${mail.subject} ${mail.text.replaceAll(/https:\S+/g, "")}`;
    expect(listWords(readHtml(mail.html))).toEqual(listWords(text));
  });

  test("has short lines, but for addresses", () => {
    for (const line of mail.text.split("\n")) if (!line.startsWith("https://")) expect(line.length).toBeLessThan(77);
    expect(mail.subject.length).toBeLessThan(78);
  });

  test("has every link alone on its line, whole", () => {
    const links = listAddresses(mail.html).filter((address) => address.startsWith("https:"));
    for (const address of links) expect(mail.text.split("\n")).toContain(address);
    expect(mail.text.match(/https:/g) ?? []).toHaveLength(links.length);
  });

  test("brings its mark along, and says why its reader gets it", () => {
    expect(mail.html.match(/<img [^>]*>/g)).toEqual([expect.stringContaining(`<img src="cid:${MARK_ID}"`)]);
    const reason = /\nYou (?:get this email because|asked for this email\.) [^]*\nQuestions\? /;
    expect(mail.text).toMatch(reason);
  });

  test("has no colour that its ground was not chosen for", () => {
    const [, night = "", day = ""] = mail.html.split("<style>");
    expect(night).toMatch(/^\s*a \{ color: #f0bf63; \}/);
    expect(day).toMatch(/\ba, \.link, \.name \{ color: #8a5a00 !important; \}/);
    for (const [tag] of mail.html.matchAll(/<\w+ [^>]*style="[^"]*"/g)) {
      const read = (name: string) => new RegExp(`[";]${name}:(#\\w+)`).exec(tag)?.[1];
      const [ground, colour] = [read("background"), read("color")];
      if (tag.startsWith("<a ") || ground) expect(colour, tag).toBeDefined();
      if (colour) expect(contrast(ground ?? "#0d1420", colour), tag).toBeGreaterThan(4.5);
    }
  });

  test("fetches nothing, runs nothing and is dark by itself", () => {
    expect(mail.html).not.toMatch(/<(?:script|link|iframe|object|form|base)\b|url\(|@import|\bon\w+=/i);
    expect(mail.html).toContain('<meta name="color-scheme" content="dark light">');
    expect(mail.html).toContain("@media (prefers-color-scheme: light)");
    expect(mail.html).toMatch(/<body[^>]+background:#0d1420;color:#ece6d8/);
    expect(mail.html).toContain('<html lang="en-GB">');
  });

  test("keeps the app's tone", () => {
    expect(mail.subject + mail.text).not.toMatch(/!|\p{Extended_Pictographic}|\b(?:user|customer|voucher|coupon)\b/iu);
    expect(mail.text).toContain("Questions? Write to hello@dormouse.example.");
    expect(mail.text).toMatch(/\nDormouse\n$/);
  });

  test("names that are HTML are harmless", () => {
    const evil = writeAll(`<b>x" onclick='y'</b>&lt;`)[kind];
    expect(evil.html).not.toMatch(/<b>|onclick='/);
    expect(evil.html.match(/<\w+/g)).toEqual(mail.html.match(/<\w+/g));
    expect(listAddresses(evil.html)).toEqual(listAddresses(mail.html));
  });

  test("names with line breaks make no line of their own", () => {
    const evil = writeAll("Ada\r\n\r\n999999\n")[kind];
    expect(evil.text.split(/[\r\n]/)).not.toContain("999999");
    expect(evil.subject).not.toMatch(/[\r\n]/);
    expect(evil.text).not.toContain("\r");
  });

  test("names are cut at eighty characters", () => {
    const long = writeAll("a".repeat(5000))[kind];
    expect(long.text.length).toBeLessThan(mail.text.length + 500);
    for (const line of long.text.split("\n")) if (!line.startsWith("https://")) expect(line.length).toBeLessThan(77);
  });

  test("a sender with a strange name stays whole", () => {
    const strange = "a&b'c@dormouse.example";
    const settings = { name: `Sleep & "Rest" <i>`, contactEmail: strange, companyEmail: strange };
    const { html, subject } = writeAll("Ada", settings)[kind];
    expect(html).not.toContain("<i>");
    expect(html.match(/<\w+/g)).toEqual(mail.html.match(/<\w+/g));
    expect(listAddresses(html)).toContain("mailto:a&b'c@dormouse.example");
    expect(subject).not.toContain("\n");
  });
});

/** `lines` are whole lines; `words` may span lines. */
type Expected = { subject?: string; lines?: string[]; words?: string[] };

const expected: Record<EmailKind, Expected> = {
  verification: {
    subject: "271828: Confirm your email address",
    lines: ["Hello Ada,", "271828", `${site}signup?verify=${token}`],
    words: ["It works for 10 minutes."],
  },
  "password-reset": {
    subject: "314159: Choose a new password",
    lines: ["314159", `${site}login?reset=3&token=${token}`],
    words: ["It works for 10 minutes.", "Choosing a new one turns it on again.", "Your password stays off."],
  },
  "log-in-link": {
    subject: "Your link to log in",
    lines: ["Hello Ada,", `${site}login?enter=${token}`],
    words: ["It works once, for 10 minutes", "If it wasn't you, ignore this email."],
  },
  "passkey-added": { subject: "A passkey was added", lines: [`${site}login?reset=1`], words: ["added on ada."] },
  "passkey-removed": { subject: "A passkey was removed", words: ["The passkey “ada” no longer logs you in."] },
  "confirm-new-address": {
    subject: "161803: Confirm your new email address",
    lines: ["Hello Ada,", "161803", `${site}?account=confirm-email&token=${token}`],
    words: [
      "It works for 10 minutes.",
      "You asked to use this address for Dormouse.",
      "Until you confirm, keep using the old one.",
    ],
  },
  gift: {
    subject: "A gift for you: 12 months of Dormouse",
    lines: ["Hello Ada,", "“Sleep well. ada”", `${site}gift?code=DORMOUSE-7KQX-M4VD-3479`, "Valid until: 1 July 2027"],
    words: ["Ada is giving you 12 months of Dormouse.", "You don't pay anything, and it doesn't renew."],
  },
  "gift-receipt": {
    subject: "Your receipt D-2026-0002",
    lines: ["Gift: Yearly, for Ada", "Paid: £60.00", "Arrives on: 20 November 2026", "Valid until: 1 July 2027", link],
    words: ["Changed your mind? Cancel by 4 December 2026, before anyone takes it up, and we'll refund all of it."],
  },
  "gift-reminder": {
    subject: "Your gift is waiting for you",
    lines: [`${site}gift?code=DORMOUSE-7KQX-M4VD-3479`],
    words: ["Ada gave you 12 months of Dormouse. You haven't taken it up yet."],
  },
  "gift-taken-up": {
    subject: "Your gift has been taken up",
    lines: [link],
    words: ["Ada has taken up your gift of 12 months."],
  },
  "gift-ended": {
    subject: "Your gift has ended",
    lines: [link],
    words: ["Ada didn't take up your gift in its 12 months, so it ended on 1 July 2027."],
  },
  receipt: {
    subject: "Your receipt D-2026-0001",
    lines: [
      "Receipt: D-2026-0001",
      `Membership: ${plans[order.planType].label}`,
      "Paid: £60.00",
      "Paid on: 20 November 2026",
      "Starts on: 20 November 2026",
      "Ends on: 1 July 2027",
      `${site}?receipt=D-2026-0001`,
    ],
    words: ["We won't charge you again."],
  },
  welcome: { lines: [site] },
  moved: {
    subject: "Your membership is now at Dormouse",
    lines: [`${site}login?reset=1`],
    words: ["choose a new password", "It still ends on 1 July 2027."],
  },
  refund: {
    subject: "Your refund of £12.50 is on its way",
    lines: [`${site}login`],
    words: ["with this email address", "5 to 10 working days"],
  },
  "renewal-reminder": { subject: "Your membership ends on 1 July 2027", lines: [link], words: ["won't charge you"] },
  "membership-ended": { lines: [link], words: ["Your membership ended on 1 July 2027."] },
  "renewal-link": { subject: "Your link to choose a plan", lines: [link], words: ["You won't be charged until"] },
  "company-mandate": { lines: ["Company: ada", "Accounts: 50", "Price: £1,250 a year for all accounts", link] },
  "company-contract": {
    subject: "The contract of ada changes",
    words: ["From 3 March 2027: £120.00 a year instead of £100.00.", "If this isn't what we agreed"],
  },
  "company-live": {
    subject: "PILLOW-27: The staff of ada can join",
    lines: ["PILLOW-27", `${site}company/poster`, `${site}company`],
    words: ["a poster with it", "There's no password"],
  },
  "company-stopped": { words: ["Code works until: 20 November 2026"] },
  "company-invitation": {
    subject: "The Dormouse page of ada",
    lines: [`${site}company`],
    words: ["how many seats are taken", "There's no password."],
  },
  "company-log-in": {
    subject: "577215: Your code for the page of ada",
    lines: ["577215", `${site}company?token=${token}`],
    words: ["Both work for 10 minutes, and only once."],
  },
  "address-change-asked": {
    subject: "Is this your new email address?",
    lines: [`${site}login?answer=${token}`],
    words: ["ada@second.example", "you no longer read this one", "The change happens on 01/07/2027"],
  },
  "address-changed": {
    lines: [`${site}login?undo=${token}`],
    words: ["undo it here by 1 July 2027", "you choose a new password"],
  },
  "password-switched": {
    subject: "Your password is off",
    lines: [`${site}login?reset=1`],
    words: ["Log in with a passkey, or with a link by email."],
  },
  "password-changed": { subject: "Your password was changed", lines: [`${site}login?reset=1`] },
  "account-closed": {
    subject: "Your account is closed",
    lines: ["Erased on: 1 July 2027", `${site}login?reopen=${token}`],
    words: ["number, dates and amount of your orders, without your name", "6 years, as tax law asks"],
  },
  "account-erased": {
    subject: "We've erased your account",
    words: ["without your name", "This is our last email to you."],
  },
  "merge-code": {
    subject: "141421: Your code for our support team",
    lines: ["141421"],
    words: ["move everything in it to ada@new.example", "It works for 10 minutes.", "give the code to anyone"],
  },
  "accounts-merged": {
    subject: "Your two accounts are now one",
    lines: [`${site}login`],
    words: ["favourites of ada@dormouse.example", "From now on, log in with ada@new.example."],
  },
  newsletter: {
    subject: "New in November",
    lines: [
      "ada (Article)",
      `${site}?view=read&item=1001`,
      "Rain on a window (Recording)",
      `${site}?view=watch&item=2020`,
      link,
    ],
    words: ["You asked for this email.", "Stop these emails:"],
  },
};

test.each(kinds)("the email %s has its subject, its lines and its words", (kind) => {
  const { subject = "", lines = [], words = [] } = expected[kind];
  const mail = all[kind];
  expect(mail.subject).toContain(subject);
  const written = mail.text.split("\n");
  expect(lines.filter((line) => !written.includes(line))).toEqual([]);
  for (const each of words) expect(mail.text.replaceAll("\n", " ")).toContain(each);
});

test.each([
  ["verification", "271828"],
  ["password-reset", "314159"],
  ["confirm-new-address", "161803"],
  ["company-log-in", "577215"],
] satisfies [EmailKind, string][])(
  "the code of %s can be copied, and is what the subject begins with",
  (kind, code) => {
    const { subject, text, html } = all[kind];
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    expect(subject).toMatch(new RegExp(`^${code}: `));
    expect(html).toContain(`>${code}</p>`);
  },
);

test("a company's member reads that the company pays, an individual one does not", () => {
  const member = { id: 7, email, firstName: "Ada", lastName: "Lovell", accountType: "corporate" as const };
  const corporate = welcomeEmail({ member, endsAt: summerNight, site }, within).mail.text.replaceAll("\n", " ");
  expect(corporate).toContain("Your company pays, so you won't be charged.");
  expect(corporate).toContain("until 1 July 2027");
  expect(all.welcome.text).not.toContain("company");
  const { text } = receiptEmail({ ...order, accountType: "corporate", amountInPence: 0 }, within).mail;
  expect(text).toContain("Your company pays for your membership.");
  expect(text).not.toContain("£");
  expect(text.split("\n")).toEqual(expect.arrayContaining(["Paid: By your company", "Ends on: 1 July 2027"]));
});

test.each([
  ["member-gone", "the account no longer exists"],
  ["paid-twice", "you had paid already"],
  ["wrong-amount", "it wasn't the price of the plan"],
] as const)("a refund because %s says how much goes back, and why", (cause, why) => {
  const { subject, text } = refund(cause, "Ada")?.mail ?? { subject: "", text: "" };
  expect(subject).toBe("Your refund of £12.50 is on its way");
  expect(text.replaceAll("\n", " ")).toContain(why);
});

test("one email alone ends by a link of its own, which mail programs read too", () => {
  const unsubscribed = kinds.filter((kind) => all[kind].unsubscribe !== undefined);
  expect(unsubscribed).toEqual(["newsletter"]);
  expect(all.newsletter.unsubscribe).toBe(link);
});

test("of many new things twelve are named, and the rest is counted", () => {
  const member = { id: 7, email, firstName: "Ada", lastName: "Lovell", accountType: "individual" as const };
  const items = Array.from({ length: 15 }, (_, index) => ({
    title: `Nap ${index}`,
    what: "Article",
    path: `?n=${index}`,
  }));
  const { text } = newsletterEmail({ member, month: "2026-11", items, endLink: link }, within).mail;
  expect(text.match(/^Nap /gm)).toHaveLength(12);
  expect(text).toContain("And 3 more.");
});

test("a test email has the mark and its reason, too", () => {
  const { html, text } = testEmail(within);
  expect(html).toContain(`src="cid:${MARK_ID}"`);
  expect(text).toContain("You get this email because an operator of Dormouse wanted to see");
});

test("the last email has no link", () => expect(all["account-erased"].text).not.toContain("https:"));

test("every pair of colours can be read: text 7:1, the rest 4.5:1", () => {
  const { html } = all.receipt;
  const light = /\.ground \{ background: (#\w+) !important; color: (#\w+)/.exec(html);
  const lightMuted = /\.muted \{ color: (#\w+)/.exec(html)?.[1];
  const lightButton = /\.button \{ background: (#\w+) !important; color: (#\w+)/.exec(html);
  expect(contrast("#0d1420", "#ece6d8")).toBeGreaterThan(7);
  expect(contrast(light?.[1], light?.[2])).toBeGreaterThan(7);
  expect(contrast(light?.[1], lightMuted)).toBeGreaterThan(4.5);
  expect(contrast(lightButton?.[1], lightButton?.[2])).toBeGreaterThan(4.5);
  expect(contrast(light?.[1], lightButton?.[1])).toBeGreaterThan(4.5);
  const button = /class="button"[^>]+background:(#\w+);color:(#\w+)/.exec(html);
  expect(contrast(button?.[1], button?.[2])).toBeGreaterThan(4.5);
  const muted = /class="muted line"[^>]+[;"]color:(#\w+)/.exec(html)?.[1];
  expect(contrast("#0d1420", muted)).toBeGreaterThan(4.5);
});

/** WCAG 2.2, "contrast ratio". */
function contrast(a = "", b = ""): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = NaN, green = NaN, blue = NaN] = (colour.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => {
    const share = parseInt(pair, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
