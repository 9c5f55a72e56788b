import { readFile, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { after, DAY_IN_MS } from "../server/platform/clock.ts";
import { formatDate } from "../server/platform/format.ts";
import { openOffice } from "./helpers/office.ts";
import { from, pay } from "./saga/visitor.ts";

describe("members", () => {
  test("members are listed, found and shown", async () => {
    await using office = await openOffice();
    const [table, found, nobody, second] = await Promise.all([
      office.run("member", "list"),
      office.ask("member", "list", "--search", "LOVELL"),
      office.run("member", "list", "--search", "nobody"),
      office.run("member", "list", "--limit", "2", "--page", "2"),
    ]);
    expect(table.stdout).toMatch(
      /^ID +NAME +E-MAIL +TYPE +ACCESS\n\d +Lena Marsh +lapsed@dormouse\.example +individual +none\n/,
    );
    expect(table.stdout).toMatch(/Ada Lovell +member@dormouse\.example +individual +until \d\d\/\d\d\/\d{4} \d\d:\d\d/);
    expect(table.stdout).toContain("\n3 of 3, page 1\n");
    expect(second.stdout).toContain("\n1 of 3, page 2\n");
    expect(nobody.stdout).toBe("No members match.\n");
    expect(found).toEqual({
      total: 1,
      page: 1,
      limit: 50,
      members: [
        {
          id: 1,
          email: "member@dormouse.example",
          firstName: "Ada",
          lastName: "Lovell",
          accountType: "individual",
          createdAt: expect.any(String),
          eraseAt: null,
          isActive: true,
          accessEndsAt: expect.any(String),
        },
      ],
    });
    const [byEmail, byNumber, team, strangers] = await Promise.all([
      office.run("member", "show", "MEMBER@dormouse.example"),
      office.run("member", "show", "1"),
      office.ask("member", "show", "team@dormouse.example"),
      Promise.all(["99", "nobody@dormouse.example"].map((who) => office.run("member", "show", who))),
    ]);
    expect(byEmail).toEqual(byNumber);
    expect(byEmail.stdout).toMatch(/^Name +Ada Lovell$/m);
    expect(byEmail.stdout).toMatch(/^12 months +.* an operator/m);
    expect(team).toMatchObject({
      accountType: "corporate",
      seats: [{ code: "DORMOUSE-FULL" }],
      receipts: [],
      actions: [],
    });
    expect(strangers.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, "There is no member with the number 99.\n"],
      [1, "There is no member with the address nobody@dormouse.example.\n"],
    ]);
  });

  test("who paid with a card is found by its last four digits and a day", async () => {
    await using office = await openOffice();
    const { services, run, ask } = office;
    const { id = 0 } = (await services.accounts.findByEmail("member@dormouse.example")) ?? {};
    const { token = "" } = (await services.signUp.startRenewal(services.renewalLinks.make(id), from)) ?? {};
    await services.signUp.choosePlan(token, 3);
    await pay(office, token);
    await services.jobs.run("note-cards");
    const today = formatDate(services.clock());
    expect((await run("member", "card", "4242", today)).stdout).toMatch(
      /^ID +NAME +RECEIPT +AMOUNT +PAID\n\d+ +Ada Lovell +D-/,
    );
    expect(await ask("member", "card", "4242", today)).toMatchObject({ payments: [{ amountInPence: 6000 }] });
    expect((await run("member", "card", "0000", today)).stdout).toBe("No payments found.\n");
    for (const wrong of [
      ["424", today],
      ["4242", "31/02/2026"],
    ]) {
      expect((await run("member", "card", ...wrong)).code).toBe(2);
    }
  });

  test("a renewal link is the same as the app's own", async () => {
    await using office = await openOffice({ ORIGIN: "https://demo.example.org", BASE_PATH: "/club/" });
    const { url, expiresAt } = await office.ask<{ url: string; expiresAt: string }>("member", "renewal-link", "3");
    const [, token = ""] = /^https:\/\/demo\.example\.org\/club\/signup\?renew=(.*)$/.exec(url) ?? [];
    expect(await office.services.signUp.findRenewal(token)).toMatchObject({ firstName: "Lena" });
    expect(Date.parse(expiresAt)).toBeGreaterThan(after(office.services.clock(), 60 * DAY_IN_MS).getTime());
    expect(await office.services.audit.listFor(3)).toMatchObject([{ action: "member renewal-link" }]);
  });

  test("an export is one JSON, printed or in a new file that only its owner reads", async () => {
    await using office = await openOffice({ DORMOUSE_OPERATOR: "" });
    const file = join(office.dataDir, "ada.json");
    const printed = await office.run("member", "export", "1");
    const written = await office.ask("member", "export", "1", "--out", file);
    expect(written).toEqual({ memberId: 1, email: "member@dormouse.example", file });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const records = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
    expect(records).toMatchObject({ member: { email: "member@dormouse.example" }, subscriptions: [{ planType: 3 }] });
    expect({ ...(JSON.parse(printed.stdout) as object), exportedAt: "", operatorActions: [] }).toEqual({
      ...records,
      exportedAt: "",
      operatorActions: [],
    });
    const [again, nowhere] = await Promise.all([
      office.run("member", "export", "1", "--out", file),
      office.run("member", "export", "1", "--out", join(office.dataDir, "no-folder", "ada.json")),
    ]);
    expect(again).toMatchObject({ code: 1, stdout: "", stderr: `${file} already exists. Name a new file.\n` });
    expect(nowhere).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("We couldn't write the file"),
    });
    expect(await office.services.audit.listFor(1)).toMatchObject(
      Array.from({ length: 3 }, () => ({ operator: userInfo().username, action: "member export" })),
    );
  });

  test("a member is erased with --yes, and the command says what is kept", async () => {
    await using office = await openOffice();
    const { code, stdout } = await office.run("member", "erase", "team@dormouse.example", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("Member 2 is erased.");
    expect(stdout).toContain("- orders and payments, without a name: 0");
    expect(stdout).toContain(`- sent emails, as files in ${join(office.dataDir, "outbox")}`);
    expect(await office.run("member", "show", "2")).toMatchObject({ code: 1 });
    expect((await office.services.codes.find("DORMOUSE-FULL"))?.seatsTaken).toBe(0);
    expect(await office.services.audit.listFor(2)).toMatchObject([
      { operator: "Olive Operator", action: "member erase" },
    ]);
    const erased = await office.ask("member", "erase", "1", "--yes");
    const mailFolder = join(office.dataDir, "outbox");
    expect(erased).toMatchObject({ memberId: 1, kept: { orders: 0, customersAtGateway: [], actions: 1, mailFolder } });
  });
});
