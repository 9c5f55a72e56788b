import { describe, expect, test } from "vitest";

import { drawQrCode } from "../../app/paper/qr-code.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { addCompany, enterByCode, inviteContact, openContact, readLogInEmail } from "../helpers/company-page.ts";
import { readEverything } from "../helpers/full-database.ts";
import { errorsAt, linkNamed, readHeading, readTitle, readWords } from "../helpers/page.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { openQuietSite, openSite, withoutContent, type Site } from "../helpers/site.ts";
import { toDataPath } from "../safety/addresses.ts";

const hr = "hr@pillow.example";

const live = (site: Site) => site.db.updateTable("companies").set({ state: "live" }).execute();

test("a contact logs in by a code in the same browser, and out again", async () => {
  await using site = await openQuietSite();
  await inviteContact(site, await addCompany(site), hr);
  const browser = site.openBrowser();
  const shown = await browser.get("/company");
  expect([readHeading(shown.text), shown.headers.get("X-Robots-Tag")]).toEqual([
    "Your company's page",
    "noindex, nofollow",
  ]);
  const answer = await browser.post("/company", { intent: "company-log-in", email: hr });
  expect([answer.status, answer.location]).toEqual([303, "/company?step=code"]);
  const codePage = await browser.get("/company?step=code");
  expect([readHeading(codePage.text), codePage.text.includes(hr)]).toEqual(["Check your email", false]);
  const wrong = await browser.post("/company?step=code", { intent: "company-code", code: "000000" });
  expect([wrong.status, errorsAt(wrong.text, "code")]).toEqual([400, expect.stringContaining("code")]);
  expect(readTitle(wrong.text)).toMatch(/^Error: /);
  const { code } = await readLogInEmail(site, hr);
  const elsewhere = await site.openBrowser().post("/company?step=code", { intent: "company-code", code });
  expect(elsewhere.location, "another browser").toBe("/company");
  expect((await browser.post("/company?step=code", { intent: "company-code", code })).location).toBe("/company");
  expect(readHeading((await browser.get("/company")).text)).toBe("Pillow Works");
  const before = new Map(browser.cookies);
  expect((await browser.post("/company", { intent: "company-log-out" })).location).toBe("/company");
  for (const [name, value] of before) browser.cookies.set(name, value);
  expect(readHeading((await browser.get("/company")).text)).toBe("Your company's page");
});

test("the link of the email opens a page with one button, and logs in once, on any device", async () => {
  await using site = await openQuietSite();
  await inviteContact(site, await addCompany(site), hr);
  await site.openBrowser().post("/company", { intent: "company-log-in", email: hr });
  const { path } = await readLogInEmail(site, hr);
  const rows = await readEverything(site.database);
  const phone = site.openBrowser();
  for (let look = 0; look < 3; look += 1) expect(readHeading((await phone.get(path)).text)).toMatch(/^Log in to/);
  expect(await readEverything(site.database)).toEqual(rows);
  const press = { intent: "company-link", token: new URLSearchParams(path.split("?")[1]).get("token") ?? "" };
  expect((await phone.post(path, press)).location).toBe("/company");
  expect(readHeading((await phone.get("/company")).text)).toBe("Pillow Works");
  const again = await site.openBrowser().post(path, press);
  expect(again.location).toBe(path);
  const over = await site.openBrowser().get(path);
  expect([over.status, readHeading(over.text)]).toEqual([404, "This link doesn't work"]);
});

test("an address that is no contact's gets the same pages, and no email", async () => {
  await using site = await openQuietSite();
  await inviteContact(site, await addCompany(site), hr);
  await site.services.outbox.deliver();
  const sent = site.emails.length;
  const bare = (text: string) => text.replaceAll(/nonce="[^"]*"/g, "");
  const pages = await Promise.all(
    [hr, "stranger@pillow.example"].map(async (email) => {
      const browser = site.openBrowser();
      const answer = await browser.post("/company", { intent: "company-log-in", email });
      const page = await browser.get("/company?step=code");
      const guess = await browser.post("/company?step=code", { intent: "company-code", code: "000000" });
      return [answer.status, answer.location, bare(page.text), guess.status, bare(guess.text)];
    }),
  );
  expect(pages[1]).toEqual(pages[0]);
  await site.services.outbox.deliver();
  expect(site.emails.slice(sent).map(({ to }) => to)).toEqual([hr]);
  const refused = await site.openBrowser().post("/company", { intent: "company-log-in", email: "hr" });
  expect([refused.status, errorsAt(refused.text, "email")]).toEqual([400, expect.stringContaining("email address")]);
});

test("too many requests are answered 429 with when to try again", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const ask = (index: number) => browser.post("/company", { intent: "company-log-in", email: `x${index}@y.example` });
  for (let index = 0; index < 30; index += 1) expect((await ask(index)).status).toBe(303);
  const { status, headers } = await ask(30);
  expect([status, headers.get("Retry-After")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
});

test("the cookie is bound to the host on https, and no script reads it", async () => {
  await using site = await openSite({}, withoutContent);
  await inviteContact(site, await addCompany(site), hr);
  const browser = site.openBrowser({ origin: "https://dormouse.test" });
  const answer = await enterByCode(site, browser, hr);
  const cookie = answer.headers.getSetCookie().find((each) => each.includes("dormouse-company="));
  expect(cookie).toMatch(/^__Host-dormouse-company=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  expect(readHeading((await browser.get("/company")).text)).toBe("Pillow Works");
});

test("forms from another site, and from a sender that says nothing, are refused", async () => {
  await using site = await openQuietSite();
  const companyId = await addCompany(site);
  const browser = await openContact(site, companyId);
  const other = await inviteContact(site, await addCompany(site, "Quilt Works", "QUILT-27"), hr);
  const before = await readEverything(site.database);
  const forms = [
    { intent: "company-log-in", email: hr },
    { intent: "company-code", code: "123456" },
    { intent: "company-link", token: "x" },
    { intent: "company-switch", contact: String(other) },
    { intent: "company-log-out" },
  ];
  for (const form of forms) {
    for (const headers of [{ Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }, {}]) {
      expect((await browser.post("/company", form, headers)).status, form.intent).toBe(403);
    }
  }
  expect(await readEverything(site.database)).toEqual(before);
});

test("a contact sees their own company alone, whatever ids they send", async () => {
  await using site = await openQuietSite();
  const [pillow, quilt] = [await addCompany(site), await addCompany(site, "Quilt Works", "QUILT-27")];
  const browser = await openContact(site, pillow);
  const foreign = await inviteContact(site, quilt, "boss@quilt.example");
  await live(site);
  const paths = ["/company", `/company?id=${quilt}`, `/company?company=${quilt}`, "/company/poster"];
  for (const path of [...paths, `/company/poster?company=${quilt}`, `/company/invoices/C-0001-1?company=${quilt}`]) {
    for (const each of [path, toDataPath(path)]) expect((await browser.get(each)).text).not.toMatch(/quilt/i);
  }
  expect((await browser.get(`/company/collections.csv?company=${quilt}`)).text).not.toMatch(/quilt/i);
  for (const contact of [String(foreign), "0", "x", ""]) {
    expect((await browser.post("/company", { intent: "company-switch", contact })).status).toBe(403);
  }
  expect(readHeading((await browser.get("/company")).text)).toBe("Pillow Works");
});

test("posters and emails from before 1.0.0 lead to what they named", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const sees = await browser.get("/company?view=what-your-employer-sees");
  expect([sees.status, sees.location]).toEqual([301, "/company/what-your-employer-sees"]);
  expect((await browser.get("/company?view=poster&agreed=x")).location).toBe("/company/poster?agreed=x");
  expect((await browser.get("/company?view=poster")).location).toBe("/company/poster");
});

test("an address with two companies goes from one to the other", async () => {
  await using site = await openQuietSite();
  const browser = await openContact(site, await addCompany(site));
  const other = await inviteContact(site, await addCompany(site, "Quilt Works", "QUILT-27"), hr);
  expect(readWords((await browser.get("/company")).text)).toContain("Your other companies Quilt Works");
  expect((await browser.post("/company", { intent: "company-switch", contact: String(other) })).location).toBe(
    "/company",
  );
  expect(readHeading((await browser.get("/company")).text)).toBe("Quilt Works");
  expect(readWords((await browser.get("/company/poster")).text)).toContain("QUILT-27");
});

test("a session ends after thirty minutes, and the page asks for the address again", async () => {
  await using site = await openQuietSite();
  const browser = await openContact(site, await addCompany(site));
  site.clock.advance(29 * MINUTE_IN_MS);
  expect(readHeading((await browser.get("/company")).text)).toBe("Pillow Works");
  site.clock.advance(31 * MINUTE_IN_MS);
  for (const path of ["/company", "/company/poster", "/company/invoices/C-0001-1"]) {
    expect(readHeading((await browser.get(path)).text)).toBe("Your company's page");
  }
  expect((await browser.get("/company/collections.csv")).status).toBe(403);
  expect((await browser.post("/company", { intent: "company-switch", contact: "1" })).status).toBe(403);
});

describe("what the page shows", () => {
  test("says what was agreed, and counts nothing before the first month has ended", async () => {
    await using site = await openQuietSite();
    const browser = await openContact(site, await addCompany(site));
    const words = readWords((await browser.get("/company")).text);
    expect(words).toContain("Seats paid 50, for £1,500.00 a year");
    expect(words).toContain("PILLOW-27 It will work once the Direct Debit is set up.");
    expect(words).toContain("We count at the end of each month.");
    expect(words).toContain("Nothing collected yet.");
    expect((await browser.get("/company/invoices/C-0001-1")).status).toBe(404);
    const nothing = await browser.get("/company/dreams");
    expect([nothing.status, readHeading(nothing.text)]).toEqual([404, "We couldn't find that"]);
    expect(linkNamed(nothing.text, "Go to your company's page")).toBe("/company");
  });

  test("has the counted months, an invoice for each collection, and a file of them", async () => {
    const INVOICE_SENDER = "Nest Ltd, 1 Burrow Lane, Exeter EX1 1AA";
    const env = { INVOICE_SENDER, VAT_NUMBER: "GB 123 4567 82" };
    await using site = await openSite(env, { ...withoutContent, startsAt: "2026-11-20T03:00:00.000Z" });
    const companyId = await addCompany(site);
    const browser = await openContact(site, companyId);
    await live(site);
    const at = site.clock();
    const year = { companyId, amountInPence: 150_000, createdAt: at, updatedAt: at };
    await site.db
      .insertInto("collections")
      .values({ ...year, period: 0, state: "pending", dueAt: new Date("2026-11-20T03:00:00.000Z") })
      .execute();
    const months = [
      { companyId, month: "2026-09", joined: 15, seatsTaken: 15 },
      { companyId, month: "2026-10", joined: 0, seatsTaken: 20 },
    ];
    await site.db.insertInto("companyMonths").values(months).execute();
    const words = readWords((await browser.get("/company")).text);
    expect(words).toContain(
      "20 or more of your 50 seats were taken at the end of October 2026. 15 or more people have joined since September 2026.",
    );
    expect(words).toContain("October 2026 fewer than five 20 or more September 2026 15 or more 15 or more");
    expect(words).toContain("Invoice, year 1 20 November 2026 £1,500.00 On its way from your bank");
    const invoice = await browser.get("/company/invoices/C-0001-1");
    expect(readHeading(invoice.text)).toBe("Invoice");
    expect(readWords(invoice.text)).toContain(
      `Nest Ltd 1 Burrow Lane Exeter EX1 1AA VAT number GB 123 4567 82 Invoice Due by 20 November 2026 Number C-000${companyId}-1 Date 20 November 2026 To Pillow Works For 50 accounts, year 1 First day 20 November 2026 Last day 19 November 2027 Paid by Direct Debit State On its way from your bank Including VAT at 20% £250.00 Amount £1,500.00`,
    );
    for (const [state, status] of [
      ["paid-out", "Paid"],
      ["cancelled", "Cancelled"],
      ["failed", "Not paid: the collection failed"],
      ["charged-back", "Returned by your bank"],
      ["again", "Due by 20 November 2026"],
      ["pending", "Due by 20 November 2026"],
    ] as const) {
      await site.db.updateTable("collections").set({ state }).execute();
      expect(readWords((await browser.get("/company/invoices/C-0001-1")).text)).toContain(`Invoice ${status} Number`);
    }
    const file = await browser.get("/company/collections.csv");
    expect(file.text).toBe(
      // Without the byte order mark, which the response's reader removes (`server/platform/csv.test.ts` has it).
      "Company number,Company,Year,From,To,Amount in pounds,State\r\n" +
        `${companyId},Pillow Works,1,2026-11-20,2027-11-19,1500.00,on its way\r\n`,
    );
    expect(file.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(file.headers.get("Content-Disposition")).toBe('attachment; filename="collections-2026-11-20.csv"');
    expect(file.headers.get("Cache-Control")).toBe("private, no-store");
  });

  test("has a poster with the code, where to sign up, and where to read what the employer sees", async () => {
    await using site = await openQuietSite();
    const browser = await openContact(site, await addCompany(site));
    const { text } = await browser.get("/company/poster");
    expect(readHeading(text)).toBe("Sleep better. Pillow Works pays.");
    const words = readWords(text);
    for (const part of ["dormouse.test/signup", "PILLOW-27", "dormouse.test/company/what-your-employer-sees"]) {
      expect(words).toContain(part);
    }
    // On a narrow screen it breaks between its groups.
    expect(text).toContain("PILLOW-<wbr/>27");
    expect(text).toMatch(
      /<svg[^>]*aria-label="QR code of dormouse.test\/signup with the code"[^>]*><rect[^>]*\/?>(?:<\/rect>)?<path d="M/,
    );
    const [, intranet = ""] = /<textarea[^>]*>([^<]*)/.exec(text) ?? [];
    for (const part of [
      "Sleep better. Pillow Works pays.",
      "http://dormouse.test/signup?step=1&amp;code=PILLOW-27",
      "the code PILLOW-27",
      "dormouse.test/company/what-your-employer-sees",
    ]) {
      expect(intranet).toContain(part);
    }
    expect(text).toContain(drawQrCode("http://dormouse.test/signup?step=1&code=PILLOW-27").path);
  });
});

test("what an employer sees is for everybody to read and to find, and its figures are made up", async () => {
  await using site = await openQuietSite();
  const { status, text, headers } = await site.openBrowser().get("/company/what-your-employer-sees");
  expect([status, readHeading(text), headers.get("X-Robots-Tag")]).toEqual([200, "What your employer sees", "all"]);
  expect(readWords(text)).toContain("October 2026 5 or more 20 or more September 2026 15 or more 15 or more");
  expect(readWords(text)).toContain("Sample Ltd");
  const contact = await openContact(site, await addCompany(site));
  expect(readWords((await contact.get("/company/what-your-employer-sees")).text)).not.toContain("Pillow Works");
});

test("a member who joins by a code is told in the welcome where to read it; one who pays is not", async () => {
  await using site = await openQuietSite();
  const withCode = createNewcomer(site, { email: "bo@example.org" });
  await withCode.reachPayment({ accountType: "corporate", code: "DORMOUSE-DEMO" });
  await withCode.pay();
  const alone = createNewcomer(site, { email: "cy@example.org" });
  await alone.reachPayment();
  await alone.pay({ card: "paid" });
  await site.pass(HOUR_IN_MS);
  const welcomes = site.emails.filter(({ subject }) => subject.startsWith("Welcome to"));
  expect(welcomes.map(({ to, text }) => [to, text.includes("company/what-your-employer-sees")])).toEqual([
    ["bo@example.org", true],
    ["cy@example.org", false],
  ]);
});
