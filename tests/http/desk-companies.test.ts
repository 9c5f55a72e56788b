import { expect, test } from "vitest";

import { companies as table } from "../../server/refusals.ts";
import { addCompany, openContact } from "../helpers/company-page.ts";
import { download, openDesk, REASON } from "../helpers/desk.ts";
import { insertMembers } from "../helpers/member-rows.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { errorsAt, readHeading, linkNamed, readValue, readWords } from "../helpers/page.ts";
import { openQuietSite, openSite, withoutContent, type Site } from "../helpers/site.ts";
import { emailsTo, linkIn } from "../helpers/mailbox.ts";

const fields = {
  name: "Pillow Works",
  email: "boss@pillow.example",
  accounts: "50",
  price: "1500.00",
  code: "pillow-27",
};

async function sent(site: Site, to: string): Promise<string[]> {
  await site.services.outbox.deliver();
  return emailsTo(to, site.emails).map(({ subject }) => subject);
}

test("an owner adds a company, whose page to agree on is sent, and sent again by support", async () => {
  await using site = await openQuietSite();
  const owner = await openDesk(site);
  const added = await owner.act("/desk/companies", "company create", fields);
  expect([added.status, added.location]).toEqual([303, "/desk/companies/1"]);
  const page = await owner.get("/desk/companies/1");
  expect(readHeading(page.text)).toBe("Pillow Works");
  expect(readWords(page.text)).toContain(
    "State no Direct Debit yet Code pillow-27 Seats taken 0 of 50 Price a year £1,500.00",
  );
  expect(readWords(page.text)).toContain("We've emailed boss@pillow.example a page to set up the Direct Debit.");
  const support = await openDesk(site, "support");
  expect(await support.actAndRead("/desk/companies/1", "company link")).toMatch(
    /^Sent to boss@pillow\.example\. The page works until \d\d\/\d\d\/\d{4} \d\d:\d\d\.$/,
  );
  const mandate = "Direct Debit for Pillow Works";
  expect(await sent(site, "boss@pillow.example")).toEqual([mandate, "The Dormouse page of Pillow Works", mandate]);
  const list = readWords((await support.get("/desk/companies")).text);
  expect(list).toContain("Pillow Works no Direct Debit yet pillow-27 0 of 50 £1,500.00 –");
  expect(list).not.toContain("Add a company");
});

test("a contact who has agreed sees the code, the poster and the way to the page, and gets them once the mandate holds", async () => {
  await using site = await openQuietSite();
  const owner = await openDesk(site);
  await owner.act("/desk/companies", "company create", fields);
  await site.services.outbox.deliver();
  const contact = site.openBrowser();
  const debit = linkIn(emailsTo(fields.email, site.emails).find(({ subject }) => subject.startsWith("Direct Debit")));
  const bank = { intent: "agree", accountHolderName: "Pillow", accountNumber: "31415926", sortCode: "60-16-13" };
  const { location } = await contact.post(debit, bank);
  const agreed = await contact.get(location ?? "");
  expect([agreed.status, readHeading(agreed.text)]).toEqual([200, "Your Direct Debit is set up"]);
  expect(readWords(agreed.text)).toContain("pillow-27");
  const poster = await contact.get(linkNamed(agreed.text, "Poster to print") ?? "");
  expect(readHeading(poster.text)).toBe("Sleep better. Pillow Works pays.");
  expect(poster.text).toContain("QR code of dormouse.test/signup");
  const page = linkNamed(agreed.text, "Open your company's page") ?? "";
  expect(readHeading((await contact.get(page)).text)).toBe("Your company's page");
  // Without a log-in nothing else of the company shows, and nothing at all with another token.
  expect(agreed.text + poster.text).not.toMatch(/1,?500/);
  const forged = (location ?? "").replace(/agreed=1\./, "agreed=2.");
  expect(readHeading((await contact.get(forged)).text)).toBe("Your company's page");

  await site.services.jobs.run("look-after-companies");
  await site.services.jobs.run("look-after-companies");
  expect((await sent(site, fields.email)).filter((subject) => subject.endsWith("can join"))).toHaveLength(1);
  const mail = emailsTo(fields.email, site.emails).at(-1);
  for (const each of ["pillow-27", "/company/poster", "/company\n"]) expect(mail?.text).toContain(each);
  const [invited] = await site.services.companyPage.listContacts(1);
  expect(invited?.email).toBe(fields.email);
});

test("what a new company cannot have is said at its field, and what was typed stays", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const answer = await desk.act("/desk/companies", "company create", { ...fields, price: "12.5" });
  expect([answer.status, errorsAt(answer.text, "price")]).toEqual([400, table["price-invalid"]]);
  expect(readValue(answer.text, "name")).toBe(fields.name);
  expect(await site.services.companies.list()).toEqual([]);
});

test("a contact is invited by support, sees the page, and loses it when they are removed", async () => {
  await using site = await openQuietSite();
  await addCompany(site);
  const desk = await openDesk(site, "support");
  const path = "/desk/companies/1";
  const email = "hr@pillow.example";
  expect(await desk.actAndRead(path, "company invite", { email })).toMatch(/^hr@pillow\.example can now see/);
  expect(await sent(site, email)).toEqual(["The Dormouse page of Pillow Works"]);
  const [contact] = await site.services.companyPage.listContacts(1);
  const browser = await openContact(site, 1, "second@pillow.example");
  const [, second] = await site.services.companyPage.listContacts(1);
  expect(readHeading((await browser.get("/company")).text)).toBe("Pillow Works");
  expect(await desk.actAndRead(path, "company remove-contact", { item: String(second?.id) })).toMatch(/^Removed\./);
  expect(readHeading((await browser.get("/company")).text)).toBe("Your company's page");
  expect((await site.services.companyPage.listContacts(1)).map(({ id }) => id)).toEqual([contact?.id]);
});

test("a code is made for some days, extended and ended", async () => {
  await using site = await openSite({}, { ...withoutContent, startsAt: "2026-11-20T03:00:00.000Z" });
  const desk = await openDesk(site);
  const make = { seats: "20", code: "QUILT-27", starts: "01/12/2026", ends: "2026-12-31" };
  const made = await desk.act("/desk/codes", "code create", make);
  expect(made.location).toBe("/desk/codes/QUILT-27");
  const path = made.location ?? "";
  expect(readWords((await desk.get(path)).text)).toContain(
    "Works now no, it hasn't started Seats taken 0 of 20 From 01/12/2026 Until 31/12/2026 Products 117",
  );
  expect(await desk.actAndRead(path, "code extend", { ends: "31/01/2027", seats: "30" })).toBe(
    "Extended. It works until 31/01/2027. Seats taken: 0 of 30.",
  );
  expect(await desk.actAndRead(path, "code extend", { ends: "For good" })).toMatch(/until you end it/);
  expect(await desk.actAndRead(path, "code revoke")).toMatch(/^Ended/);
  expect((await desk.get("/desk/codes/quilt-27")).status).toBe(200);
  expect((await desk.get("/desk/codes/NOBODYS")).status).toBe(404);
  expect((await desk.get("/desk/companies/99")).status).toBe(404);
});

test("a seat that is freed logs nothing out, but the member meets the end of their membership and may go on alone", async () => {
  await using site = await openQuietSite();
  const bo = createNewcomer(site, { email: "bo@example.org" });
  await bo.reachPayment({ accountType: "corporate", code: "DORMOUSE-DEMO" });
  await bo.pay();
  const member = await site.services.accounts.findByEmail("bo@example.org");
  const desk = await openDesk(site, "support");
  const path = "/desk/codes/DORMOUSE-DEMO";
  const shown = await desk.get(path);
  expect(shown.text).toContain(`href="/desk/members/${member?.id}"`);
  expect((await bo.browser.get("/?view=read")).text).not.toContain("subscription has ended");
  expect(await desk.actAndRead(path, "code free-seat", { item: String(member?.id) })).toBe(
    "The seat is free. We've emailed the member a link to renew and pay for themselves.",
  );
  expect(await sent(site, "bo@example.org")).toContain("Your membership has ended");
  expect((await site.services.membership.findAccess(member?.id ?? 0)).isActive).toBe(false);
  const mail = emailsTo("bo@example.org", site.emails).findLast(({ subject }) => subject.endsWith("has ended"));
  const link = /^http:\/\/dormouse\.test(\/signup\?renew=\S+)$/m.exec(mail?.text ?? "")?.[1] ?? "";
  expect((await bo.browser.get(link)).status).toBe(200);
  expect(readWords((await desk.get(path)).text)).toContain("Seats taken 0 of 1000");
});

test("the collections come as a file, for an owner who gives a reason, and the audit log keeps it", async () => {
  await using site = await openQuietSite();
  const [pillow, quilt] = [await addCompany(site, "=Pillow"), await addCompany(site, "Quilt", "QUILT-27")];
  const at = new Date("2026-11-20T03:00:00.000Z");
  const year = { period: 0, state: "confirmed", dueAt: at, createdAt: at, updatedAt: at };
  const rows = [pillow, quilt].map((id) => Object.assign({ companyId: id, amountInPence: 150_000 }, year));
  await site.db.insertInto("collections").values(rows).execute();
  const desk = await openDesk(site);
  const all = await download(desk, "/desk/companies", "collections");
  const [line] = await site.services.audit.list(1);
  expect(line).toMatchObject({ action: "list csv", reason: REASON, facts: { list: "Collections of all companies" } });
  expect([all.status, all.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(all.text.split("\r\n").slice(1)).toEqual([
    `${pillow},'=Pillow,1,2026-11-20,2027-11-19,1500.00,collected`,
    `${quilt},Quilt,1,2026-11-20,2027-11-19,1500.00,collected`,
    "",
  ]);
  const one = await download(desk, `/desk/companies/${quilt}`, `collections-${quilt}`);
  expect(one.text).not.toContain("Pillow");
  for (const wrong of ["99", "x", ""]) {
    expect((await desk.get(`/desk/collections-${wrong}.csv`)).status).toBe(404);
  }
  const support = await openDesk(site, "support");
  expect((await support.act("/desk/companies", "list csv", { item: "collections" })).status).toBe(403);
  expect((await support.get("/desk/companies")).text).not.toContain("collections of all companies");
  const contact = await openContact(site, pillow);
  for (const browser of [contact, site.openBrowser(), support.browser, desk.browser]) {
    for (const path of ["/desk/collections.csv", "/desk/collections-1.csv?pass=x"]) {
      expect((await browser.get(path)).status).toBe(403);
    }
  }
});

test("long lists of companies, codes and holders go on by a link, and repeat nothing", async () => {
  await using site = await openQuietSite();
  const { db, clock } = site;
  const now = clock();
  const names = Array.from({ length: 60 }, (_, index) => `Firm ${String(index).padStart(2, "0")}`);
  const company = { contactEmail: "x@y.example", accounts: 5, priceInPence: 100, createdAt: now };
  await db
    .insertInto("companies")
    .values(names.map((name) => ({ ...company, name, nameKey: name.toLowerCase(), state: "live" as const })))
    .execute();
  const code = { products: "117", seats: 99, seatsTaken: 0, startsAt: now, createdAt: now };
  const codes = names.map((name) => name.toUpperCase().replace(" ", "-"));
  await db
    .insertInto("codes")
    .values(codes.map((each) => Object.assign({ code: each, codeKey: each }, code)))
    .execute();
  const people = Array.from({ length: 60 }, (_, index) => `p${index}@x.example`);
  const members = await insertMembers(
    site,
    people.map((email) => ({ email })),
  );
  const { id } = await db.selectFrom("codes").select("id").where("code", "=", "FIRM-00").executeTakeFirstOrThrow();
  const seats = members.map((memberId) => ({ memberId, codeId: id, takenAt: now }));
  await db.insertInto("seats").values(seats).execute();

  const desk = await openDesk(site);
  const walk = async (path: string, expression: RegExp) => {
    const pages: string[][] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const { text } = await desk.get(next);
      pages.push([...new Set([...text.matchAll(expression)].map(([found]) => found))]);
      next = /href="([^"]*)"[^>]*rel="next"|rel="next"[^>]*href="([^"]*)"/
        .exec(text)
        ?.slice(1)
        .find(Boolean)
        ?.replaceAll("&amp;", "&");
    }
    return pages;
  };
  for (const [path, expression] of [
    ["/desk/companies", />Firm \d\d</g],
    ["/desk/codes/FIRM-00", /p\d+@x\.example/g],
  ] as const) {
    const pages = await walk(path, expression);
    expect(pages.map((page) => page.length)).toEqual([50, 10]);
    expect(new Set(pages.flat()).size).toBe(60);
  }
  const pages = await walk("/desk/codes", />(?:FIRM-\d\d|DORMOUSE-[A-Z]+)</g);
  expect(pages.map((page) => page.length)).toEqual([50, 14]);
  expect(pages[0]?.[0]).toBe(">FIRM-59<");
});
