import { describe, expect, test } from "vitest";

import { accountClosedLetter } from "./account-closed.ts";
import { accountErasedLetter } from "./account-erased.ts";
import { addressChangedLetter } from "./address-changed.ts";
import { companyMandateLetter } from "./company-mandate.ts";
import { companyStoppedLetter } from "./company-stopped.ts";
import { confirmNewAddressLetter } from "./confirm-new-address.ts";
import type { Letter, LetterHouse, LetterKind } from "./letter.ts";
import { membershipEndedLetter } from "./membership-ended.ts";
import { passwordChangedLetter } from "./password-changed.ts";
import { passwordResetLetter } from "./password-reset.ts";
import { receiptLetter } from "./receipt.ts";
import { refundLetter } from "./refund.ts";
import { renewalReminderLetter } from "./renewal-reminder.ts";
import { verificationLetter } from "./verification.ts";
import { welcomeLetter } from "./welcome.ts";

const house: LetterHouse = {
  productName: "Dormouse",
  contactEmail: "hello@dormouse.example",
  site: "https://members.example.org/",
};
const link = `https://members.example.org/signup?verify=${"aB3-_".repeat(30)}&next=1`;
// Half past eleven at night in UTC is the next day in London.
const summerNight = new Date("2027-06-30T23:30:00.000Z");
const autumn = new Date("2026-11-20T03:00:00.000Z");

/** Every letter, with one text in every place where somebody outside can put one. */
function writeAll(word: string, within: LetterHouse = house): Record<LetterKind, Letter> {
  const person = { house: within, firstName: word };
  const firm = { house: within, companyName: word };
  return {
    verification: verificationLetter({ ...person, code: "271828", link, minutes: 30 }),
    receipt: receiptLetter({
      house: within,
      receiptNumber: "D-2026-0001",
      planLabel: "Yearly",
      amountInPence: 6000,
      paidAt: autumn,
      startsAt: autumn,
      endsAt: summerNight,
    }),
    welcome: welcomeLetter({ ...person, accountType: "individual", endsAt: summerNight }),
    refund: refundLetter({ ...person, amountInPence: 6000, reason: "account-exists" }),
    "renewal-reminder": renewalReminderLetter({ ...person, endsAt: summerNight, link }),
    "membership-ended": membershipEndedLetter({ ...person, endedAt: summerNight, link }),
    "company-mandate": companyMandateLetter({
      ...firm,
      accounts: 50,
      yearlyPriceInPence: 125_000,
      authorisationUrl: link,
    }),
    "company-stopped": companyStoppedLetter({ ...firm, graceEndsAt: autumn }),
    "password-reset": passwordResetLetter({ ...person, code: "314159", link, minutes: 10 }),
    "password-changed": passwordChangedLetter(person),
    "confirm-new-address": confirmNewAddressLetter({ ...person, code: "161803", link, minutes: 10 }),
    "address-changed": addressChangedLetter({ ...person, undoLink: link, until: summerNight }),
    "account-closed": accountClosedLetter({ ...person, eraseAt: summerNight, reopenLink: link }),
    "account-erased": accountErasedLetter(person),
  };
}

const kinds = Object.keys(writeAll("Ada")) as LetterKind[];

/** The words of a text, in no order. */
function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}£]+/gu) ?? []).toSorted();
}

/** What a mail program shows of the HTML, without its tags. */
function readHtml(html: string): string {
  const body = html.slice(html.indexOf("<body"));
  return body.replaceAll(/<[^>]*>/g, " ").replaceAll(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)));
}

/** The attributes that lead somewhere or fetch something. */
function addressesOf(html: string): string[] {
  return [...html.matchAll(/\b(?:href|src|srcset|background|action)\s*=\s*"([^"]*)"/g)].map(([, address = ""]) =>
    address.replaceAll(/&#(\d+);/g, (_, number: string) => String.fromCharCode(Number(number))),
  );
}

describe.each(kinds)("the letter %s", (kind) => {
  const letter = writeAll("Ada")[kind];

  test("says the same in both forms", () => {
    const said = `${letter.subject} ${letter.text.replaceAll(/https:\S+/g, "")}`;
    expect(wordsOf(readHtml(letter.html))).toEqual(wordsOf(said));
  });

  test("has short lines, but for addresses", () => {
    for (const line of letter.text.split("\n")) if (!line.startsWith("https://")) expect(line.length).toBeLessThan(77);
    expect(letter.subject.length).toBeLessThan(78);
  });

  test("has every link alone on its line, whole", () => {
    const links = addressesOf(letter.html).filter((address) => address.startsWith("https:"));
    for (const address of links) expect(letter.text.split("\n")).toContain(address);
    expect(letter.text.match(/https:/g) ?? []).toHaveLength(links.length);
  });

  test("fetches nothing, runs nothing and is dark by itself", () => {
    expect(letter.html).not.toMatch(/<(?:img|script|link|iframe|object|form|base)\b|url\(|@import|\bon\w+=/i);
    expect(letter.html).toContain('<meta name="color-scheme" content="dark light">');
    expect(letter.html).toContain("@media (prefers-color-scheme: light)");
    expect(letter.html).toMatch(/<body[^>]+background:#0d1420;color:#ece6d8/);
    expect(letter.html).toContain('<html lang="en-GB">');
  });

  test("keeps the house's tone", () => {
    expect(letter.subject + letter.text).not.toMatch(
      /!|\p{Extended_Pictographic}|\b(?:user|customer|voucher|coupon)\b/iu,
    );
    expect(letter.text).toContain("Questions? Write to hello@dormouse.example.");
    expect(letter.text).toMatch(/\nDormouse\n$/);
  });

  test("names that are HTML are harmless", () => {
    const evil = writeAll(`<b>x" onclick='y'</b>&lt;`)[kind];
    expect(evil.html).not.toMatch(/<b>|onclick='/);
    expect(evil.html.match(/<\w+/g)).toEqual(letter.html.match(/<\w+/g));
    expect(addressesOf(evil.html)).toEqual(addressesOf(letter.html));
  });

  test("names with line breaks make no line of their own", () => {
    const evil = writeAll("Ada\r\n\r\n999999\n")[kind];
    expect(evil.text.split(/[\r\n]/)).not.toContain("999999");
    expect(evil.subject).not.toMatch(/[\r\n]/);
    expect(evil.text).not.toContain("\r");
  });

  test("names are cut at eighty characters", () => {
    const long = writeAll("a".repeat(5000))[kind];
    expect(long.text.length).toBeLessThan(letter.text.length + 500);
    for (const line of long.text.split("\n")) if (!line.startsWith("https://")) expect(line.length).toBeLessThan(77);
  });

  test("a house with a strange name stays whole", () => {
    const strange = { ...house, productName: `Sleep & "Rest" <i>`, contactEmail: "a&b'c@dormouse.example" };
    const { html, subject } = writeAll("Ada", strange)[kind];
    expect(html).not.toContain("<i>");
    expect(html.match(/<\w+/g)).toEqual(letter.html.match(/<\w+/g));
    expect(addressesOf(html)).toContain("mailto:a&b'c@dormouse.example");
    expect(subject).not.toContain("\n");
  });
});

const all = writeAll("ada");

test("verification: code and link alone on their lines, in plain ASCII", () => {
  const { subject, text, html } = all.verification;
  expect(subject).toBe("Confirm your email address");
  expect(text.split("\n")).toEqual(expect.arrayContaining(["Hello Ada,", "271828", link]));
  expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  expect(text.replaceAll("\n", " ")).toContain("It works for 30 minutes.");
  expect(subject).not.toContain("271828");
  expect(html).toContain(">271828</p>");
});

test("password reset: the same, and what to do if it was somebody else", () => {
  const { subject, text } = all["password-reset"];
  expect(text.split("\n")).toEqual(expect.arrayContaining(["314159", link]));
  expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  expect(text.replaceAll("\n", " ")).toContain("It works for 10 minutes.");
  expect(text).toContain("If it was not you, do nothing.");
  expect(subject).not.toContain("314159");
});

test("receipt: what was taken, for what, and that nothing more is", () => {
  const { subject, text } = all.receipt;
  expect(subject).toBe("Your receipt D-2026-0001");
  for (const line of [
    "Receipt: D-2026-0001",
    "Membership: Yearly",
    "Paid: £60.00",
    "Paid on: 20/11/2026",
    "Starts on: 20/11/2026",
    "Ends on: 01/07/2027",
    "https://members.example.org/?receipt=D-2026-0001",
  ]) {
    expect(text.split("\n")).toContain(line);
  }
  expect(text).toContain("Nothing more is taken.");
});

test("welcome: a corporate member reads that the company pays, an individual one does not", () => {
  const facts = { house, firstName: "Ada", endsAt: summerNight };
  const corporate = welcomeLetter({ ...facts, accountType: "corporate" }).text.replaceAll("\n", " ");
  expect(corporate).toContain("Your company pays for it.");
  expect(corporate).toContain("until 01/07/2027");
  expect(all.welcome.text).not.toContain("company");
  expect(all.welcome.text.split("\n")).toContain("https://members.example.org/");
});

test("refund: how much goes back, why, and when it is there", () => {
  const exists = all.refund;
  expect(exists.subject).toBe("Your £60 is on its way back");
  expect(exists.text).toContain("an account with this email address");
  expect(exists.text).toContain("5 to 10 working days");
  expect(exists.text.split("\n")).toContain("https://members.example.org/login");
  const gone = refundLetter({ house, firstName: "Ada", amountInPence: 1250, reason: "account-gone" });
  expect(gone.subject).toBe("Your £12.50 is on its way back");
  expect(gone.text.replaceAll("\n", " ")).toContain("the account it was for was no longer there");
  const twice = refundLetter({ house, firstName: "Ada", amountInPence: 6000, reason: "paid-twice" });
  expect(twice.text.replaceAll("\n", " ")).toContain("you had paid already");
  const wrong = refundLetter({ house, firstName: "Ada", amountInPence: 6000, reason: "wrong-amount" });
  expect(wrong.text.replaceAll("\n", " ")).toContain("it was not the price of the plan");
});

test("renewal: when it ends, that nothing is taken, and where to renew", () => {
  const { subject, text } = all["renewal-reminder"];
  expect(subject).toBe("Your membership ends on 01/07/2027");
  expect(text).toContain("nothing");
  expect(text.split("\n")).toContain(link);
  const ended = all["membership-ended"];
  expect(ended.text).toContain("Your membership ended on 01/07/2027.");
  expect(ended.text.split("\n")).toContain(link);
});

test("company letters: what was agreed, where to authorise it, and until when a code still works", () => {
  const agreed = all["company-mandate"].text.split("\n");
  expect(agreed).toEqual(
    expect.arrayContaining(["Company: ada", "Accounts: 50", "Price: £1,250 a year for all accounts", link]),
  );
  expect(all["company-stopped"].text).toContain("Code works until: 20/11/2026");
});

test("address changed: how to take it back, how long, and what that does", () => {
  const { text } = all["address-changed"];
  expect(text.split("\n")).toContain(link);
  expect(text.replaceAll("\n", " ")).toContain("take it back here until 01/07/2027");
  expect(text.replaceAll("\n", " ")).toContain("you choose a new password");
});

test("new address: code and link alone on their lines, in plain ASCII", () => {
  const { subject, text, html } = all["confirm-new-address"];
  expect(subject).toBe("Confirm your new email address");
  expect(text.split("\n")).toEqual(expect.arrayContaining(["Hello Ada,", "161803", link]));
  expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  expect(text.replaceAll("\n", " ")).toContain("It works for 10 minutes.");
  expect(text.replaceAll("\n", " ")).toContain("Until then your old address counts.");
  expect(subject).not.toContain("161803");
  expect(html).toContain(">161803</p>");
});

test("password changed: what to do if it was somebody else", () => {
  const { subject, text } = all["password-changed"];
  expect(subject).toBe("Your password was changed");
  expect(text.split("\n")).toContain("https://members.example.org/login?reset=1");
});

test("account closed: what is erased when, what the law keeps and how long, and the way back", () => {
  const { subject, text } = all["account-closed"];
  const words = text.replaceAll("\n", " ");
  expect(subject).toBe("Your account is closed");
  expect(text.split("\n")).toEqual(expect.arrayContaining(["Erased on: 01/07/2027", link]));
  expect(words).toContain("number, dates and amount of your orders, without your name");
  expect(words).toContain("6 years, as tax law asks");
});

test("account erased: that it is done, what the law keeps, and that it is the last letter", () => {
  const { subject, text } = all["account-erased"];
  const words = text.replaceAll("\n", " ");
  expect(subject).toBe("Your account is erased");
  expect(words).toContain("without your name");
  expect(words).toContain("This is our last letter to you.");
  expect(text).not.toContain("https:");
});

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
