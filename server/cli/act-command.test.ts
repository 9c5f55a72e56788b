import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { type Office, openOffice } from "../../tests/helpers/office.ts";
import { giveGift } from "../../tests/helpers/gifts.ts";
import { startDraft } from "../../tests/saga/visitor.ts";
import { after, DAY_IN_MS } from "../platform/clock.ts";
import { toDay } from "../platform/format.ts";
import { type ActName, actNames, acts } from "../operations/acts/acts.ts";
import { desk, emailCodes, gifts } from "../refusals.ts";

/** Each act's command as an operator types it, in turn on one demo; `refused`: by this sentence. */
type Sample = { name: ActName; rest: string[]; refused?: string | RegExp };

const company = ["--name", "Pillow Works", "--email", "hr@pillow.example", "--accounts", "50", "--price", "1500.00"];
const TOO_SOON = /^We've just sent an email\. /;

const samples = (dataDir: string, gateway: string): Sample[] => [
  { name: "member name", rest: ["1", "--first-name", "Ada", "--last-name", "Lovelace"] },
  { name: "member reset", rest: ["member@dormouse.example"] },
  { name: "member address", rest: ["1", "--email", "ada.new@dormouse.example", "--mailbox", "read"] },
  { name: "member verification", rest: ["1"], refused: TOO_SOON },
  { name: "member sessions", rest: ["1"] },
  { name: "member newsletter-end", rest: ["1"] },
  { name: "member term", rest: ["1", "--months", "1"] },
  { name: "member deactivate", rest: ["2"] },
  { name: "member restore", rest: ["2"] },
  { name: "member activate", rest: ["3"] },
  { name: "member refund", rest: ["1", "--order", "99"], refused: desk["not-their-order"] },
  {
    name: "member refund-part",
    rest: ["1", "--order", "99", "--amount", "10"],
    refused: desk["not-their-order"],
  },
  { name: "member renewal-link", rest: ["3"] },
  { name: "member export", rest: ["1", "--out", join(dataDir, "ada.json")] },
  { name: "member merge-code", rest: ["1", "--other", "lapsed@dormouse.example"] },
  {
    name: "member merge",
    rest: ["1", "--other", "lapsed@dormouse.example", "--code", "000 000", "--yes"],
    refused: emailCodes["wrong-code"],
  },
  { name: "member note", rest: ["1", "--text", "Rang about a receipt."] },
  { name: "member note-remove", rest: ["1", "1"] },
  { name: "list csv", rest: ["active", "--out", join(dataDir, "active.csv")] },
  { name: "sign-up verification", rest: ["newcomer@dormouse.example"], refused: TOO_SOON },
  { name: "gift send-again", rest: ["1"], refused: gifts["not-sent"] },
  { name: "gift change-address", rest: ["1", "--name", "Bea", "--email", "bea@here.example"] },
  { name: "gift dismiss", rest: ["1"], refused: gifts["no-question"] },
  { name: "gift end", rest: ["1"] },
  { name: "code create", rest: ["--code", "QUILT-27", "--seats", "2"] },
  { name: "code extend", rest: ["quilt-27", "--seats", "3"] },
  { name: "code free-seat", rest: ["DORMOUSE-FULL", "--member", "2"] },
  { name: "code revoke", rest: ["QUILT-27"] },
  { name: "company create", rest: company },
  { name: "company contract", rest: ["Pillow Works", "--accounts", "60", "--price", "1800.00"] },
  { name: "company details", rest: ["Pillow Works", "--email", "office@pillow.example"] },
  { name: "company link", rest: ["Pillow Works"] },
  { name: "company invite", rest: ["1", "second@pillow.example"] },
  { name: "company note", rest: ["Pillow Works", "--text", "Asked for more seats."] },
  { name: "company note-remove", rest: ["Pillow Works", "2"] },
  { name: "company remove-contact", rest: ["1", "second@pillow.example"] },
  { name: "mail resend", rest: ["1"] },
  { name: "mail resend-all", rest: [] },
  { name: "mail acknowledge", rest: ["all"] },
  { name: "mail acknowledge-all", rest: [] },
  { name: "operator add", rest: ["olive@example.org", "--name", "Olive", "--role", "owner"] },
  { name: "operator invite", rest: ["olive@example.org"] },
  { name: "operator role", rest: ["olive@example.org", "support"] },
  { name: "operator remove", rest: ["olive@example.org"] },
  { name: "job run", rest: ["count-days"] },
  { name: "webhook retry", rest: [gateway, "evt_1"] },
  { name: "catalogue refresh", rest: [] },
  { name: "catalogue accept-empty", rest: [] },
  { name: "member close", rest: ["3"] },
  { name: "member erase", rest: ["2", "--yes"] },
];

async function prepare({ services }: Office): Promise<void> {
  const gateway = services.payments.webhookGateway.name;
  const event = { gateway, eventId: "evt_1", kind: "payment", subject: "pi_1", attempts: 21 };
  const receivedAt = services.clock();
  await services.transact((trx) =>
    trx
      .insertInto("webhookEvents")
      .values({ ...event, receivedAt })
      .execute(),
  );
  await startDraft({ services }, { email: "newcomer@dormouse.example" });
  const day = toDay(after(services.clock(), DAY_IN_MS));
  await giveGift({ services }, { day });
}

describe("the command of every act", () => {
  test("answers programs, and leaves the act's line with its operator and its reason", async () => {
    await using office = await openOffice();
    await prepare(office);
    const all = samples(office.dataDir, office.services.payments.webhookGateway.name);
    expect(all.map(({ name }) => name).toSorted()).toEqual(actNames.filter((name) => acts[name].command).toSorted());
    for (const { name, rest, refused } of all) {
      const last = (await office.services.audit.list(1))[0]?.id ?? 0;
      const { audit, command } = acts[name];
      const reason = command?.hasNoReason ? [] : ["--reason", "They wrote to us"];
      const { code, stdout, stderr } = await office.run(...name.split(" "), ...rest, ...reason, "--json");
      const lines = (await office.services.audit.list(9)).filter(({ id }) => id > last);
      if (refused !== undefined) {
        expect([code, stdout, lines], name).toEqual([1, "", []]);
        expect(stderr, name).toMatch(refused);
        continue;
      }
      expect({ code, stderr }, name).toEqual({ code: 0, stderr: "" });
      expect(JSON.parse(stdout), name).toBeTypeOf("object");
      const action = typeof audit === "string" ? name : audit.as;
      expect(lines, name).toMatchObject([
        { operator: "Olive Operator", action, ...(reason[1] && { reason: reason[1] }) },
      ]);
    }
  });

  test("opens nothing for an option that it does not have, or a reason that is too long", async () => {
    await using office = await openOffice();
    for (const { name, rest } of samples("", "cards")) {
      const words = [...name.split(" "), ...rest];
      expect(await office.run(...words, "--nonsense"), name).toMatchObject({
        code: 2,
        stderr: "There is no option --nonsense. See --help.\n",
      });
    }
    expect(await office.run("member", "sessions", "1", "--reason", "x".repeat(501))).toMatchObject({
      code: 2,
      stderr: "--reason must be 500 characters or fewer.\n",
    });
  });
});
