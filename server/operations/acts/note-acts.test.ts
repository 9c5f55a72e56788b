import { describe, expect, test } from "vitest";

import { act, olive, toOutcome } from "../../../tests/helpers/acts.ts";
import { addMember, home, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { desk, notes as table } from "../../refusals.ts";
import type { ActName } from "./acts.ts";

const links = { returnUrl: home.site, exitUrl: home.site };
const terms = { contactEmail: "boss@pillow.example", accounts: 50, priceInPence: 150_000 };

describe.each(engines)("notes on %s", (engine) => {
  test.each(["member", "company"] as const)("about a %s have who and when, the newest first, and go", async (of) => {
    await using app = await openApp({ engine });
    const { notes, companies } = app.services;
    const member = await addMember(app);
    const made = await companies.create({ name: "Pillow Works", ...terms }, links);
    if (!made.ok) throw new Error(made.reason);
    const subject = of === "member" ? member.id : made.company.id;
    const about = of === "member" ? { memberId: subject } : { companyId: subject };
    const [add, remove] = [`${of} note`, `${of} note-remove`] as [ActName, ActName];
    const write = (text: string) => act(app, add, { subject, fields: { text } });
    const first = toOutcome(await write(" Rang about\r\nher receipt.\u200b ")) as { note: number };
    const notedAt = app.clock();
    app.clock.advance(DAY_IN_MS);
    await write("Rang again.");
    expect(await notes.listFor(about)).toMatchObject([
      { text: "Rang again.", notedAt: app.clock() },
      { id: first.note, text: "Rang about\nher receipt.", operator: olive.operator, notedAt },
    ]);
    // A company and a member with the same number do not share notes.
    const other = of === "member" ? { companyId: subject } : { memberId: subject };
    expect(await notes.listFor(other)).toEqual([]);
    const foreign = of === "member" ? "company note-remove" : "member note-remove";
    expect(toOutcome(await act(app, foreign, { subject: 1, item: first.note }))).toBe(table["no-note"]);

    expect(toOutcome(await act(app, remove, { subject, item: first.note }))).toEqual({ removed: first.note });
    for (const item of [first.note, "0", "x", ""]) {
      expect(toOutcome(await act(app, remove, { subject, item }))).toBe(table["no-note"]);
    }
    expect(await notes.listFor(about)).toHaveLength(1);
    const entries = await app.services.audit.list(9);
    expect(entries.map(({ action }) => action)).toEqual([remove, add, add]);
    expect(JSON.stringify(entries)).not.toContain("Rang");
  });

  test("a note needs words, and not too many", async () => {
    await using app = await openApp({ engine });
    const { id: subject } = await addMember(app);
    const write = async (text: string) => toOutcome(await act(app, "member note", { subject, fields: { text } }));
    for (const nothing of ["", "  \n ", "\u200b"]) expect(await write(nothing)).toBe(table["note-missing"]);
    expect(await write("a".repeat(4001))).toBe(table["note-long"]);
    expect(await write("a".repeat(4000))).toMatchObject({ note: expect.any(Number) });
  });

  test("a closed account can be noted, and its notes are exported until the erasure takes them", async () => {
    await using app = await openApp({ engine });
    const { notes, personalData, jobs } = app.services;
    const { id: memberId, email } = await addMember(app);
    await act(app, "member close", { subject: memberId });
    await act(app, "member note", { subject: memberId, fields: { text: "Closed on the phone." } });
    const { notes: exported } = await personalData.gather({ memberId, email });
    expect(exported).toEqual([{ text: "Closed on the phone.", notedAt: app.clock() }]);
    app.clock.advance(14 * DAY_IN_MS);
    await jobs.run("erase-closed-accounts");
    expect(await notes.listFor({ memberId })).toEqual([]);
    expect(toOutcome(await act(app, "member note", { subject: memberId, fields: { text: "Late." } }))).toBe(
      desk["no-account"],
    );
  });
});
