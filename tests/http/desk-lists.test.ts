import { expect, test } from "vitest";

import { after, DAY_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { formatDate } from "../../server/platform/format.ts";
import { listNames, lists } from "../../server/operations/lists/list-table.ts";
import { desk as deskTable, lists as table } from "../../server/refusals.ts";
import { ada, findMember, lena } from "../helpers/account-page.ts";
import { openDesk, REASON } from "../helpers/desk.ts";
import { insertMembers } from "../helpers/member-rows.ts";
import { linkNamed, readWords } from "../helpers/page.ts";
import { openQuietSite, type Site } from "../helpers/site.ts";
import { openRemoteSite } from "../helpers/provider.ts";
import { toDataPath } from "../safety/addresses.ts";

const path = "/desk/members?list=ends-this-week";

/** Ada's access ends in three days. */
async function endSoon(site: Site): Promise<Date> {
  const { id: memberId } = await findMember(site, ada);
  const endsAt = after(site.clock(), 3 * DAY_IN_MS);
  await site.db.updateTable("subscriptions").set({ endsAt }).where("memberId", "=", memberId).execute();
  return endsAt;
}

test("each screen offers its lists, and shows the one that its address names", async () => {
  await using site = await openQuietSite();
  const endsAt = await endSoon(site);
  const desk = await openDesk(site, "support");
  for (const name of listNames) {
    const { screen, label, note } = lists[name];
    const { status, text } = await desk.get(`/desk/${screen}?list=${name}`);
    expect(status, name).toBe(200);
    expect(text).toContain(`<h2>${label}</h2>`);
    expect(readWords(text)).toContain(note);
    expect(text).toContain(`<option value="${name}" selected="">${label}</option>`);
    expect((await desk.get(`/desk/${screen}`)).text).toContain(`<option value="${name}">${label}</option>`);
    // Another screen has other lists.
    const other = screen === "members" ? "codes" : "members";
    expect((await desk.get(`/desk/${other}?list=${name}`)).status, name).toBe(404);
  }
  const { text } = await desk.get(path);
  expect(readWords(text)).toContain(`${ada} individual – ${formatDate(endsAt)}`);
  expect(readWords(text)).not.toContain(lena);
  expect(linkNamed(text, "Ada Lovell")).toBe(`/desk/members/${(await findMember(site, ada)).id}`);
  // A form without a choice, and an unknown list.
  expect(readWords((await desk.get("/desk/members?list=")).text)).toContain("The newest");
  expect((await desk.get("/desk/members?list=nonsense")).status).toBe(404);
  expect(text).not.toContain("Download the whole list");
});

test("a long list goes on by a link and repeats nothing", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const now = site.clock();
  const names = Array.from({ length: 120 }, (_, number) => ({ firstName: `No${number}`, lastName: "Many" }));
  const ids = await insertMembers(site, names);
  const toEnd = (memberId: number) => after(now, DAY_IN_MS + (memberId % 3));
  const terms = ids.map((memberId) => ({ memberId, planType: 3, startsAt: now, endsAt: toEnd(memberId) }));
  await site.db.insertInto("subscriptions").values(terms).execute();
  const seen: string[] = [];
  let next: string | undefined = path;
  while (next) {
    const { text } = await desk.get(next);
    seen.push(...(text.match(/No\d+ Many(?=<)/g) ?? []));
    next = linkNamed(text, "Next");
  }
  expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
  expect((await desk.get(`${path}&after=nonsense`)).status).toBe(200);
});

test("an owner downloads a list as a file, for a reason that the audit log keeps", async () => {
  await using site = await openQuietSite();
  const endsAt = await endSoon(site);
  const desk = await openDesk(site, "owner");
  expect((await desk.get(path)).text).toContain("Download the whole list (CSV)");
  const refused = await desk.act(path, "list csv", { item: "ends-this-week", reason: " " });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(deskTable["reason-missing"])]);
  const { status, location } = await desk.act(path, "list csv", { item: "ends-this-week" });
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/desk\/ends-this-week\.csv\?pass=/)]);
  const [entry] = await site.services.audit.list(1);
  expect(entry).toMatchObject({ action: "list csv", reason: REASON, facts: { list: "Ends this week" } });

  const file = await desk.get(location ?? "");
  const day = (instant: Date) => instant.toISOString().slice(0, 10);
  expect([file.status, file.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(file.headers.get("Content-Disposition")).toBe(
    `attachment; filename="ends-this-week-${day(site.clock())}.csv"`,
  );
  expect(file.headers.get("Cache-Control")).toBe("no-store");
  const { id } = await findMember(site, ada);
  expect(file.text.split("\r\n").slice(1)).toEqual([
    expect.stringMatching(new RegExp(`^Ada Lovell,${ada},individual,,${day(endsAt)},\\d{4}-\\d\\d-\\d\\d,${id}$`)),
    "",
  ]);

  // The pass is for this list and this owner, for two minutes.
  const pass = new URL(location ?? "", site.services.site).search;
  expect((await desk.get(`/desk/active.csv${pass}`)).status).toBe(403);
  const wrong = await desk.get("/desk/ends-this-week.csv");
  expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining("This download has expired.")]);
  const other = await openDesk(site, "owner", "other@desk.example");
  const support = await openDesk(site, "support");
  for (const browser of [other.browser, support.browser, site.openBrowser()]) {
    expect((await browser.get(location ?? "")).status).toBe(403);
    expect((await browser.get(toDataPath(location ?? ""))).status).not.toBe(200);
  }
  expect((await desk.get("/desk/nonsense.csv")).status).toBe(404);
  site.clock.advance(2 * MINUTE_IN_MS);
  expect((await desk.get(location ?? "")).status).toBe(403);
});

test("support sees lists and takes none as a file", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  expect((await desk.act(path, "list csv", { item: "ends-this-week" })).status).toBe(403);
  expect((await site.services.audit.list(1))[0]?.action).not.toBe("list csv");
});

test("where a provider holds the members there are no lists of them", async () => {
  await using site = await openRemoteSite();
  const desk = await openDesk(site, "owner");
  expect((await desk.get("/desk/members")).text).not.toContain("List by state");
  expect((await desk.get(path)).status).toBe(404);
  const { text } = await desk.act("/desk/members", "list csv", { item: "active" });
  expect(text).toContain(table["held-elsewhere"]);
});
