import { expect, test } from "vitest";

import { ada, lena, logIn, tom } from "../helpers/account-page.ts";
import { readHeading, readTitle, readWords } from "../helpers/page.ts";
import { type Browser, openSite } from "../helpers/site.ts";
import { toDataPath } from "../safety/addresses.ts";

const path = "/nights/cant-get-to-sleep";

const change = (browser: Browser, fields: Record<string, string>) =>
  browser.post(path, { intent: "nights", ...fields });

/** Labels such as "Night 1, opened". */
async function readNights(browser: Browser): Promise<string[]> {
  const { text } = await browser.get(path);
  return [...text.matchAll(/<p class="night">(.*?)<\/p>/g)].map(([, label = ""]) => readWords(label));
}

const fresh = ["Night 1 , tonight", ...[2, 3, 4, 5, 6, 7].map((night) => `Night ${night}`)];

test("the guide to a topic leads to its nights, which say what they cannot promise and when to see a GP", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const guide = await browser.get("/?q=can%27t+sleep");
  expect(guide.text).toContain(
    `href="${path.replaceAll("&", "&amp;")}">A seven-night course · one small step each night</a>`,
  );
  const { status, text, headers } = await browser.get(path);
  expect([status, readTitle(text), readHeading(text)]).toEqual([
    200,
    "Seven nights: Can't get to sleep – Dormouse",
    "Seven nights: Can't get to sleep",
  ]);
  expect(headers.get("Cache-Control")).toMatch(/private|no-store/);
  expect(readWords(text)).toMatch(
    /Nobody is counting\..*Night 1 , tonight Breathe with the moon Don.t try to sleep tonight\..*What this can't promise.*When to see a GP.*Samaritans/,
  );
  expect(await readNights(browser)).toEqual(fresh);
  expect((await browser.get("/?q=menopause")).text).not.toContain("/nights/");
});

test("opening a night marks it and leads to its item, skipping leads to the next, and others have marks of their own", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const opened = await change(browser, { open: "watch-2001" });
  expect(opened).toMatchObject({ status: 303, location: expect.stringMatching(/\/\?view=watch&item=2001$/) });
  const skipped = await change(browser, { skip: "read-1001" });
  expect(skipped).toMatchObject({ status: 303, location: expect.stringMatching(/cant-get-to-sleep#next$/) });
  // In another order.
  await change(browser, { open: "read-1011" });
  expect((await readNights(browser)).filter((label) => label.includes(","))).toEqual([
    "Night 1 , opened",
    "Night 2 , skipped",
    "Night 3 , tonight",
    "Night 6 , opened",
  ]);
  expect(await readNights(await logIn(site, tom))).toEqual(fresh);
  // A night's mark does not mark its text as read.
  expect(readWords((await browser.get("/?q=can%27t+sleep")).text)).not.toContain("Read.");
});

test("after the last night all are there to open again; beginning again can be undone", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const [nights] = site.services.catalogue.listNights();
  for (const { kind, id } of nights?.nights ?? []) await change(browser, { open: `${kind}-${id}` });
  await change(browser, { skip: "watch-2001" });
  const { text } = await browser.get(path);
  expect(readWords(text)).toContain("That's all of them. You can open any of them again. Start again");
  expect(text).not.toContain('name="skip"');

  const again = await change(browser, { again: "" });
  expect(await readNights(browser)).toEqual(fresh);
  const page = await browser.get(again.location ?? "");
  expect(readWords(page.text)).toContain("You're back at the first night. Undo");
  const [, undo = ""] = /<button [^>]*?value="([^"]*)" name="undo"/.exec(page.text) ?? [];
  await change(browser, { undo });
  expect(await readNights(browser)).toEqual([1, 2, 3, 4, 5, 6, 7].map((night) => `Night ${night} , opened`));
  // Nothing is left to undo.
  expect((await browser.get(again.location ?? "")).text).not.toContain('name="undo"');
});

test("a member who wants nothing remembered gets links and no marks", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await change(browser, { open: "watch-2001" });
  await browser.post("/?account=stopped", { intent: "positions-switch", wanted: "off" });
  const { text } = await browser.get(path);
  expect(text).toContain('<a href="/?view=watch&amp;item=2001">Breathe with the moon</a>');
  expect(text).not.toMatch(/name="(?:open|skip|again|undo)"/);
  expect(readWords(text)).toContain("Your nights aren't marked, because your progress is off.");
  // A page from before the switch still opens its item.
  expect(await change(browser, { open: "watch-2001" })).toMatchObject({ status: 303 });
  expect(await site.database.db.selectFrom("nights").selectAll().execute()).toEqual([]);
});

test("nights that there are not, items of no night, visitors and lapsed members are refused, and nothing is written", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  expect((await browser.get("/nights/menopause")).status).toBe(404);
  for (const fields of [{ open: "read-1012" }, { skip: "watch-0" }, { open: "" }, { undo: "read-1012:opened" }])
    expect((await change(browser, fields)).status, JSON.stringify(fields)).toBe(404);
  expect((await browser.post("/nights/snow", { intent: "nights", again: "" })).status).toBe(404);
  const visitor = site.openBrowser();
  expect((await visitor.get(path)).location).toMatch(/\/signup\?to=/);
  expect((await change(visitor, { open: "watch-2001" })).location).toMatch(/\/login\?to=/);
  const lapsed = await logIn(site, lena);
  expect((await lapsed.get(path)).location).toBe("/");
  expect((await change(lapsed, { open: "watch-2001" })).status).toBe(403);
  expect(await site.database.db.selectFrom("nights").selectAll().execute()).toEqual([]);
});

test("script is led to the page as a document, and the page has no script of its own but the one that keeps", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { status, headers } = await browser.get(toDataPath(path));
  expect([status, headers.get("X-Remix-Redirect"), headers.get("X-Remix-Reload-Document")]).toEqual([
    204,
    path,
    "true",
  ]);
  const page = await browser.get(path);
  expect(page.text.match(/<script[^>]*>/g)).toEqual(['<script type="module" async="" src="/keep.js">']);
});
