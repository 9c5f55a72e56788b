import { expect, test } from "vitest";

import { all, sender, link, summerNight } from "../../../tests/helpers/every-email.ts";
import { receiptEmail, refundEmail, welcomeEmail } from "./membership.ts";

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
  const facts = { sender, firstName: "Ada", endsAt: summerNight };
  const corporate = welcomeEmail({ ...facts, accountType: "corporate" }).text.replaceAll("\n", " ");
  expect(corporate).toContain("Your company pays for it.");
  expect(corporate).toContain("until 01/07/2027");
  expect(all.welcome.text).not.toContain("company");
  expect(all.welcome.text.split("\n")).toContain("https://members.example.org/");
});

test("the receipt of a company's member: nothing to pay, who pays, and until when", () => {
  const { subject, text } = receiptEmail({
    sender,
    receiptNumber: "D-2026-0002",
    planLabel: "12 Month Subscription",
    amountInPence: 0,
    accountType: "corporate",
    paidAt: new Date("2026-11-20T03:00:00Z"),
    startsAt: new Date("2026-11-20T03:00:00Z"),
    endsAt: new Date("2027-11-20T03:00:00Z"),
  });
  expect(subject).toBe("Your receipt D-2026-0002");
  expect(text).toContain("Your company pays for your membership.");
  expect(text).not.toContain("£");
  expect(text.split("\n")).toEqual(expect.arrayContaining(["Paid: By your company", "Ends on: 20/11/2027"]));
});

test("refund: how much goes back, why, and when it is there", () => {
  const exists = all.refund;
  expect(exists.subject).toBe("Your £60 is on its way back");
  expect(exists.text).toContain("an account with this email address");
  expect(exists.text).toContain("5 to 10 working days");
  expect(exists.text.split("\n")).toContain("https://members.example.org/login");
  const gone = refundEmail({ sender, firstName: "Ada", amountInPence: 1250, reason: "account-gone" });
  expect(gone.subject).toBe("Your £12.50 is on its way back");
  expect(gone.text.replaceAll("\n", " ")).toContain("the account it was for was no longer there");
  const twice = refundEmail({ sender, firstName: "Ada", amountInPence: 6000, reason: "paid-twice" });
  expect(twice.text.replaceAll("\n", " ")).toContain("you had paid already");
  const wrong = refundEmail({ sender, firstName: "Ada", amountInPence: 6000, reason: "wrong-amount" });
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

test("account erased: that it is done, what the law keeps, and that it is the last email", () => {
  const { subject, text } = all["account-erased"];
  const words = text.replaceAll("\n", " ");
  expect(subject).toBe("Your account is erased");
  expect(words).toContain("without your name");
  expect(words).toContain("This is our last email to you.");
  expect(text).not.toContain("https:");
});
