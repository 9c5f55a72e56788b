import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { readEverything } from "../helpers/full-database.ts";
import { logIn, findMember, pictureNamed, save, tom } from "../helpers/account-page.ts";
import { area, quarters, svg } from "../helpers/pictures.ts";
import { openSite, type Site } from "../helpers/site.ts";
import { anyLook } from "./fuzz-cases.ts";
import { anyForm, anyUpload } from "./fuzz-forms.ts";
import { listVisitors, seeLapsed, seeMember, type Person } from "./fuzz-people.ts";
import { createSender, heapInMb, toRuns, type Sender } from "./fuzz-send.ts";

let site: Site;
/** 20,150 requests in all, with those of `fuzz-api.deep.test.ts` and `fuzz-webhooks.test.ts`. */
let sender: Sender;
let heapWarm: number;
let visitors: Person[];
let members: Person[];
const restore = () => Promise.all(members.map((each) => each.restore()));

beforeAll(async () => {
  site = await openSite();
  sender = createSender(site);
  await saveOfTom();
  visitors = await listVisitors(site);
  members = [await seeMember(site), await seeLapsed(site)];
});
afterAll(() => site[Symbol.asyncDispose]());

/** Tables of members' rows; no page adds rows to the last ones. */
const ofMembers = ["members", "subscriptions", "sessions", "favourites", "avatars", "codes", "companies", "audit"];
const closed = ["favourites", "avatars", "codes", "companies", "audit"];

/** Tables that the work changed wrongly: new members may come of sign-ups, but earlier rows must not change. */
async function listChanges(work: () => Promise<void>): Promise<string[]> {
  const before = await readEverything(site.database);
  await work();
  const after = await readEverything(site.database);
  const isGone = (table: string) => before[table]?.some((row) => !after[table]?.includes(row));
  const isLonger = (table: string) => before[table]?.length !== after[table]?.length;
  return [...ofMembers.filter(isGone), ...closed.filter(isLonger)];
}

test("every GET of a visitor is answered, and changes nothing of a member's", async () => {
  const looks = fc.asyncProperty(anyLook(visitors), sender.send);
  expect(await listChanges(() => fc.assert(looks, toRuns(4500)))).toEqual([]);
  heapWarm = heapInMb();
}, 600_000);

test("every POST of a visitor is answered, and changes nothing of a member's", async () => {
  const sent = fc.asyncProperty(anyForm(visitors), sender.send);
  expect(await listChanges(() => fc.assert(sent, toRuns(4000)))).toEqual([]);
}, 600_000);

/** The bystander's favourite, picture, session and email. */
async function saveOfTom(): Promise<void> {
  const browser = await logIn(site, tom);
  await browser.post("/favourites", { save: "read-1001", from: "/" });
  const shown = { shownFirstName: "Tom", shownLastName: "Fenwick", shownEmail: tom };
  const details = { firstName: "Tom", lastName: "Fenwick", email: tom, ...shown };
  expect((await save(browser, details, { picture: await pictureNamed("tom.png") })).status).toBe(303);
}

async function listOfTom(): Promise<string[]> {
  const { id } = await findMember(site, tom);
  const everything = await readEverything(site.database);
  const his = Object.values(everything)
    .flat()
    .filter((row) => row.includes(`["member_id",${id}]`));
  return [...his, ...(everything.members ?? []).filter((row) => row.includes(`["id",${id}]`))];
}

test("every request of a member is answered, and changes nothing of another member's", async () => {
  const before = await listOfTom();
  expect(before.length).toBeGreaterThan(4);
  const cases = fc.oneof({ weight: 2, arbitrary: anyLook(members) }, { weight: 3, arbitrary: anyForm(members) });
  await fc.assert(fc.asyncProperty(cases, sender.send).beforeEach(restore), toRuns(3000));
  expect(await listOfTom()).toEqual(before);
}, 600_000);

/** A member may send thirty in an hour. */
const PICTURE_EVERY_MS = 2 * 60_000;

test("every uploaded file is refused or redrawn, and only its pixels come back", async () => {
  const raster = [quarters(40, 20).png(), area(24, 24).jpeg(), area(9, 9).webp(), area(9, 9).gif()];
  const originals = await Promise.all(raster.map((each) => each.toBuffer()));
  const sent = fc.asyncProperty(anyUpload(members, [...originals, svg("<rect width='9' height='9'/>")]), sender.send);
  const saved = sender.statuses.get(303) ?? 0;
  const waitAndRestore = () => {
    site.clock.advance(PICTURE_EVERY_MS);
    return restore();
  };
  await fc.assert(sent.beforeEach(waitAndRestore), toRuns(150));
  expect(sender.statuses.get(303)).toBeGreaterThan(saved);
}, 600_000);

/** Compiled code and caches grow for a while; a leak of each request would be more. */
const GROWTH_MAX_IN_MB = 12;

test("a long fuzz run does not grow memory", () => {
  for (const status of [200, 202, 302, 303, 400, 403, 404, 405]) {
    expect(sender.statuses.get(status), `answers with ${status}`).toBeGreaterThan(100);
  }
  expect(heapInMb() - heapWarm).toBeLessThan(GROWTH_MAX_IN_MB);
});
