import { expect, test } from "vitest";

import { DAY_IN_MS } from "../../server/platform/clock.ts";
import { lena, findMember } from "../helpers/account-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { linkNamed, readWords, tagWith } from "../helpers/page.ts";
import { openQuietSite, openSite, withoutContent } from "../helpers/site.ts";

test("the audit log is filtered by who, act, member and days, all of them in the address", async () => {
  await using site = await openSite({}, { ...withoutContent, startsAt: "2026-11-20T12:00:00.000Z" });
  const { id } = await findMember(site, lena);
  const desk = await openDesk(site, "support");
  const other = await openDesk(site, "owner");
  await desk.act(`/desk/members/${id}`, "member reset");
  await other.act(`/desk/members/${id}`, "member note", { text: "Rang twice" });
  site.clock.advance(DAY_IN_MS);
  const later = await openDesk(site, "owner", "late@desk.example");
  await later.act(`/desk/members/${id}`, "member note", { text: "Rang again" });
  const read = async (search: string) => {
    const { text } = await later.get(`/desk/audit?${search}`);
    const rows = [...text.matchAll(/<tr>.*?<\/tr>/g)].slice(1).map(([row]) => readWords(row).replace(" Reason", ""));
    return rows.map((row) => /\S+@desk\.example [A-Z]\S+ [a-z]+/.exec(row)?.[0]);
  };
  const [reset, note, lateNote] = [
    "support@desk.example Sent a",
    "owner@desk.example Left a",
    "late@desk.example Left a",
  ];
  const began = (name: string) => `${name}@desk.example Accepted an`;
  expect(await read("")).toEqual([lateNote, began("late"), note, reset, began("owner"), began("support")]);
  expect(await read("by=support%40desk.example")).toEqual([reset, began("support")]);
  expect(await read("act=member+note")).toEqual([lateNote, note]);
  expect(await read(`member=${id}`)).toEqual([lateNote, note, reset]);
  expect(await read(`member=${encodeURIComponent(lena)}&act=member+note`)).toEqual([lateNote, note]);
  expect(await read("from=2026-11-21")).toEqual([lateNote, began("late")]);
  expect(await read("act=member+note&to=2026-11-20")).toEqual([note]);
  expect(await read("act=member+note&from=2026-11-20&to=2026-11-21")).toEqual([lateNote, note]);
  expect(await read("act=member+praise")).toEqual([]);

  const { text } = await later.get("/desk/audit?act=member+note&from=2026-11-21&by=late%40desk.example");
  expect(tagWith(text, "input", 'value="2026-11-21"')).toContain('name="from"');
  expect(tagWith(text, "option", 'selected=""')).toContain('value="member note"');
  expect(linkNamed(text, "Clear")).toBe("/desk/audit");
  const { text: member } = await later.get(`/desk/members/${id}`);
  expect(linkNamed(member, "In the audit log")).toBe(`/desk/audit?member=${id}`);
});

test("what cannot be asked of the audit log is said beside its field, and nothing is listed", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  for (const [search, error] of [
    ["member=nobody%40x.example", "No member has this number or email."],
    ["from=yesterday", "Enter a day such as 2026-11-20."],
    ["to=2026-13-01", "Enter a day such as 2026-11-20."],
    ["from=2026-11-20&to=2026-11-19", "Choose a day that isn't before the first day."],
  ] as const) {
    const { status, text } = await desk.get(`/desk/audit?${search}`);
    expect(status, search).toBe(200);
    expect(readWords(text), search).toContain(error);
    expect(text, search).toContain("<title>Error: Who did what");
    expect(text, search).not.toContain("<table");
  }
  expect(readWords((await desk.get("/desk/audit?act=member+praise")).text)).toContain("Nothing matches.");
});

test("pages of a filtered log stay filtered", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const rows = Array.from({ length: 60 }, () => ({ operator: "night desk", action: "mail test" as const, facts: {} }));
  for (const row of rows) await site.services.audit.record(row);
  const { text } = await desk.get("/desk/audit?by=night+desk");
  const next = linkNamed(text, "Next") ?? "";
  expect(next).toMatch(/^\/desk\/audit\?by=night\+desk&before=\d+$/);
  const second = (await desk.get(next)).text;
  expect(second.match(/Sent a test email/g)?.length).toBeGreaterThanOrEqual(10);
  expect(readWords(second)).not.toContain("Accepted an invitation to the desk support@");
  expect(linkNamed(second, "First page")).toBe("/desk/audit?by=night+desk");
});
