import { describe, expect, test } from "vitest";

import { openOffice } from "./helpers/office.ts";

describe("codes and companies", () => {
  test("a code works from its first day to its last, in London", async () => {
    await using office = await openOffice();
    const args = ["--code", "pillow-27", "--seats", "20", "--starts", "01/07/2027", "--ends", "2027-12-31"];
    expect(await office.ask("code", "create", ...args, "--products", "117,118")).toEqual({
      code: "pillow-27",
      isValid: false,
      fault: "not-started",
      seats: 20,
      seatsTaken: 0,
      startsAt: "2027-06-30T23:00:00.000Z",
      endsAt: "2027-12-31T23:59:59.999Z",
      revokedAt: null,
      createdAt: expect.any(String),
      products: [117, 118],
      company: null,
    });
    expect((await office.run("code", "show", "PILLOW-27")).stdout).toMatch(/^Until +31\/12\/2027 23:59$/m);
    expect(await office.run("code", "show", "NOBODYS")).toMatchObject({
      code: 1,
      stderr: "There is no code “NOBODYS”.\n",
    });
  });

  test("the lists are tables for people and one object for programs", async () => {
    await using office = await openOffice();
    const table = (await office.run("code", "list")).stdout.split("\n");
    expect(table[0]).toMatch(/^CODE +WORKS +SEATS +FROM +UNTIL +COMPANY$/);
    expect(table.find((line) => line.startsWith("DORMOUSE-FULL"))).toMatch(/no, no seats are left +1 of 1/);
    expect(table.find((line) => line.startsWith("DORMOUSE-OLD"))).toMatch(/no, it has ended/);
    const { codes } = await office.ask<{ codes: { code: string; isValid: boolean }[] }>("code", "list");
    expect(Object.fromEntries(codes.map(({ code, isValid }) => [code, isValid]))).toEqual({
      "DORMOUSE-DEMO": true,
      "DORMOUSE-FULL": false,
      "DORMOUSE-OLD": false,
      "DORMOUSE-ONE": true,
    });
    expect(await office.run("company", "list")).toEqual({ code: 0, stdout: "There are no companies.\n", stderr: "" });
  });

  test("a company gets a fresh page on request, by email too", async () => {
    await using office = await openOffice({ ORIGIN: "https://demo.example.org" });
    const create = ["company", "create", "--name", "Pillow Works", "--email", "hr@pillow.example", "--accounts", "5"];
    const made = await office.ask<{ authorisationUrl: string; id: number }>(
      ...create,
      "--price",
      "0.29",
      "--code",
      "PILLOW",
    );
    expect(Object.keys(made).toSorted()).toEqual(
      "accounts authorisationUrl code contactEmail createdAt expiresAt graceEndsAt id liveSince name next priceInPence seatsTaken state".split(
        " ",
      ),
    );
    expect(made).toMatchObject({ code: "PILLOW", priceInPence: 29, state: "setting-up" });
    expect(made.authorisationUrl).toMatch(/^https:\/\/demo\.example\.org\/demo-gateway\/debit\//);
    const link = await office.ask<{ authorisationUrl: string }>("company", "link", String(made.id), "--mail");
    expect(link.authorisationUrl).not.toBe(made.authorisationUrl);
    const emails = await office.services.outbox.list({ limit: 9 });
    expect(emails.map(({ kind, to }) => [kind, to])).toEqual([
      ["company-mandate", "hr@pillow.example"],
      ["company-invitation", "hr@pillow.example"],
      ["company-mandate", "hr@pillow.example"],
    ]);

    expect(await office.services.companies.list()).toHaveLength(1);
  });

  test("a contact is invited to a company's page, listed and removed", async () => {
    await using office = await openOffice({ ORIGIN: "https://demo.example.org" });
    const create = ["--name", "Pillow Works", "--email", "boss@pillow.example", "--accounts", "5", "--price", "9.00"];
    await office.run("company", "create", ...create);
    const invite = ["company", "invite", "pillow works", "Hr@pillow.example"];
    const invited = await office.run(...invite);
    expect([invited.code, invited.stdout.trim()]).toEqual([
      0,
      "Pillow Works: Hr@pillow.example can now see the company's page. We've emailed them.",
    ]);
    const [mail] = await office.services.outbox.list({ limit: 1 });
    expect([mail?.kind, mail?.to]).toEqual(["company-invitation", "Hr@pillow.example"]);
    expect((await office.run("company", "contacts", "1")).stdout).toMatch(
      /^E-MAIL +INVITED\nboss@pillow\.example +\d\d\/.*\nHr@pillow\.example +\d\d\//,
    );
    const removed = await office.ask("company", "contacts", "1", "--remove", "hr@PILLOW.example");
    expect(removed).toMatchObject({ name: "Pillow Works", removed: { email: "Hr@pillow.example" } });
    await office.run("company", "contacts", "1", "--remove", "boss@pillow.example");
    expect((await office.run("company", "contacts", "1")).stdout).toBe(
      "No one can see the page of Pillow Works yet.\n",
    );
    expect((await office.services.audit.list(9)).map(({ action }) => action)).toEqual([
      "company contact removed",
      "company contact removed",
      "company invite",
      "company create",
    ]);
  });

  test("a company whose page could not be opened is recorded, and the command says how to go on", async () => {
    const nowhere = { GOCARDLESS_ACCESS_TOKEN: "sandbox_a", GOCARDLESS_API_BASE: "http://127.0.0.1:1" };
    await using office = await openOffice(nowhere);
    const create = ["company", "create", "--name", "P", "--email", "a@b.example", "--accounts", "5", "--price", "1.00"];
    const { code, stdout, stderr } = await office.run(...create, "--code", "PILLOW");
    const [company] = await office.services.companies.list();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^a company was added without its page, company \d+: GoCardless cannot be reached/);
    expect(stdout).toContain("Added P with its code PILLOW, but we couldn't send its Direct Debit page");
    expect(stdout).toContain(`\`company link ${company?.id} --mail\``);
  });
});
