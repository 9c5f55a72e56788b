import { describe, expect, test } from "vitest";

import { engines } from "../helpers/databases.ts";
import { addCompany, inviteContact, openContact } from "../helpers/company-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { insertMembers } from "../helpers/member-rows.ts";
import { readWords } from "../helpers/page.ts";
import { type Answer, type Browser, openSite, type Site, withoutContent } from "../helpers/site.ts";
import { toDataPath } from "../safety/addresses.ts";

/**
 * No answer of a company's page contains a member's data (docs/decisions/0019-a-company-sees-fives.md). A company is
 * filled with recognisable members, and every answer is searched in every state.
 */

const MEMBERS = 17;

/** No contract has this day or time. */
const joinedAt = new Date("2026-10-13T10:17:43.213Z");
const instants = ["2026-10-13", "13/10/2026", "13 October", "11:17", "10:17:43", String(joinedAt.getTime())];

/** Nothing else has these numbers. */
const firstId = 7_770_001;

const toName = (index: number) => `Canary${String.fromCharCode(97 + index)}`;
const traces = new RegExp(
  `canary|canaries\\.example|77700\\d\\d|Firefox|Android|sea of canaries|seats_taken|argon`,
  "i",
);

/** Members on every seat but one, each with a session, a favourite and many facts. */
async function fillWithCanaries(site: Site, companyId: number): Promise<void> {
  const { db } = site;
  // Before October, which is counted.
  await db
    .updateTable("companies")
    .set({ createdAt: new Date("2026-09-01T09:00:00.000Z") })
    .where("id", "=", companyId)
    .execute();
  const code = await db.selectFrom("codes").select("id").where("companyId", "=", companyId).executeTakeFirstOrThrow();
  const ids = Array.from({ length: MEMBERS }, (_, index) => firstId + index);
  const person = { passwordHash: "$argon2id$canary", accountType: "corporate", createdAt: joinedAt } as const;
  const members = ids.map((id, index) => {
    const name = { firstName: toName(index), lastName: `Of the canaries ${index}` };
    return { ...person, ...name, id, email: `${toName(index)}@canaries.example` };
  });
  await insertMembers(site, members);
  await db
    .insertInto("seats")
    .values(ids.map((id) => ({ memberId: id, codeId: code.id, takenAt: joinedAt })))
    .execute();
  await db.updateTable("codes").set({ seatsTaken: MEMBERS }).where("id", "=", code.id).execute();
  const session = { createdAt: joinedAt, seenAt: joinedAt, expiresAt: new Date("2030-01-01T00:00:00.000Z") };
  const sessions = ids.map((id) => ({
    ...session,
    tokenHash: `canary ${id}`,
    memberId: id,
    device: "Firefox on Android",
  }));
  await db.insertInto("sessions").values(sessions).execute();
  await db
    .insertInto("favourites")
    .values(ids.map((id) => ({ memberId: id, kind: "read" as const, itemId: 1001, savedAt: joinedAt })))
    .execute();
  const term = { planType: 3, startsAt: joinedAt, endsAt: new Date("2027-10-13T10:17:43.213Z") };
  await db
    .insertInto("subscriptions")
    .values(ids.map((id) => Object.assign({ memberId: id }, term)))
    .execute();
}

async function addCollections({ db }: Site, companyId: number): Promise<void> {
  const at = new Date("2026-09-01T09:00:00.000Z");
  const row = { companyId, amountInPence: 150_000, createdAt: at, updatedAt: at };
  await db
    .insertInto("collections")
    .values([
      { ...row, period: 0, state: "paid-out", dueAt: at },
      { ...row, period: 1, state: "due", dueAt: new Date("2027-09-01T09:00:00.000Z") },
    ])
    .execute();
}

/** As a page and as data for script. */
const paths = [
  "/company",
  "/company?step=code",
  "/company/poster",
  "/company/invoices/C-0001-1",
  "/company/invoices/C-0001-2",
  "/company/invoices/C-0001-3",
  "/company/what-your-employer-sees",
  "/company/dreams",
  "/company?token=x",
  `/company?id=${firstId}&member=${firstId}`,
  "/company/collections.csv",
  `/company/collections.csv?company=${firstId}`,
];

/** A page may show what its own request sent: the typed address, the number in the query. */
const typed = `${toName(0)}@canaries.example`;
const withoutEcho = (text: string) => text.replaceAll(typed, "").replaceAll(`=${firstId}`, "");

const states = ["setting-up", "live", "grace", "stopped"] as const;

async function look(browser: Browser): Promise<[string, Answer][]> {
  const answers: [string, Answer][] = [];
  for (const path of paths.flatMap((each) => [each, toDataPath(each)])) answers.push([path, await browser.get(path)]);
  return answers;
}

/** Every form too, as a page and by script. */
async function lookEverywhere(browser: Browser): Promise<[string, Answer][]> {
  const answers = await look(browser);
  const forms = [
    { intent: "company-log-in", email: typed },
    { intent: "company-code", code: "000000" },
    { intent: "company-link", token: "x" },
    { intent: "company-switch", contact: String(firstId) },
    { intent: "dreams" },
  ];
  for (const form of forms) {
    for (const path of ["/company", "/company.data"]) answers.push([form.intent, await browser.post(path, form)]);
  }
  return answers;
}

/** Of an answer for script: its first line is a list in which `{"_3": 4}` names key and value by place. */
function keysIn({ text }: Answer): string[] {
  const line = text.split("\n")[0] ?? "";
  if (!line.startsWith("[")) return [];
  const list = JSON.parse(line) as unknown[];
  const objects = list.filter(
    (each): each is object => typeof each === "object" && each !== null && !Array.isArray(each),
  );
  return objects.flatMap((each) => Object.keys(each).map((key) => String(list[Number(key.slice(1))])));
}

/** Every permitted key of the page's data. */
const allowedKeys = // The framework's, by route, and the error of an address that is not there.
  (
    "data root routes/company/layout routes/company/home routes/company/poster routes/company/invoice " +
    "routes/company/what-your-employer-sees routes/company/collections company-not-found status error redirect revalidate reload replace " +
    // Conform's, of a form that was refused, with the fields of the log-in.
    "form result intent initialValue fields email " +
    // The frame's.
    "scheme productName hasSession name " +
    // The contract.
    "figures company state seatsPaid price next code codeState collections year begins amount path others id companyName " +
    // The counted months.
    "seats sentence chart summary points words marks first last note months month joined seatsTaken " +
    // Poster and invoice, and the form as a whole, whose key is empty.
    "address backPath link seesAddress qrCode size facts label value contactEmail " +
    // The letterhead.
    "sheet letterhead companyNumber vatNumber total "
  ).split(" ");

describe.each(engines)("on %s", (engine) => {
  test("no answer has anything of a member, in whatever state the company is", async () => {
    await using site = await openSite({}, { ...withoutContent, engine, startsAt: "2026-11-20T03:00:00.000Z" });
    const companyId = await addCompany(site);
    const contact = await openContact(site, companyId);
    await inviteContact(site, await addCompany(site, "Quilt Works", "QUILT-27"), "hr@pillow.example");
    await fillWithCanaries(site, companyId);
    const before = await lookEverywhere(contact);
    await addCollections(site, companyId);
    await site.services.jobs.run("count-company-months");
    const all = [...before];
    for (const state of states) {
      const graceEndsAt = state === "grace" ? new Date("2026-12-04T03:00:00.000Z") : null;
      await site.db.updateTable("companies").set({ state, graceEndsAt }).where("id", "=", companyId).execute();
      all.push(...(await lookEverywhere(contact)), ...(await lookEverywhere(site.openBrowser())));
    }
    await site.db
      .updateTable("codes")
      .set({ seats: MEMBERS, endsAt: null })
      .where("companyId", "=", companyId)
      .execute();
    all.push(...(await lookEverywhere(contact)));
    await site.services.codes.revoke("PILLOW-27");
    all.push(...(await lookEverywhere(contact)));

    for (const [path, { text, headers }] of all) {
      const seen = withoutEcho(text + JSON.stringify([...headers].filter(([name]) => name !== "set-cookie")));
      expect(traces.exec(seen)?.[0], path).toBeUndefined();
      for (const instant of instants) expect(seen.includes(instant), `${path}: ${instant}`).toBe(false);
    }
    // The page shows the counts and nothing finer: seventeen are “15 or more”.
    const home = readWords(all.findLast(([path]) => path === "/company")?.[1].text ?? "");
    expect(home).toContain("15 or more");
    expect(home).not.toMatch(/\b1[67]\b/);
    expect([...new Set(all.flatMap(([, answer]) => keysIn(answer)))].toSorted()).toEqual(allowedKeys.toSorted());
    // An operator may see them, so the search does find them.
    const desk = await openDesk(site, "support");
    const { text } = await desk.get("/desk/codes/PILLOW-27");
    expect([traces.test(text), text.includes("13/10/2026")]).toEqual([true, true]);
  });

  test("a member more or less inside a five, or a code that is full, changes no answer by a byte", async () => {
    await using site = await openSite({}, { ...withoutContent, engine, startsAt: "2026-11-20T03:00:00.000Z" });
    const companyId = await addCompany(site);
    const contact = await openContact(site, companyId);
    await site.db.updateTable("companies").set({ state: "live" }).execute();
    await fillWithCanaries(site, companyId);
    await site.services.jobs.run("count-company-months");
    const read = async () =>
      (await look(contact)).map(([path, { status, text }]) => [path, status, text.replaceAll(/nonce="[^"]*"/g, "")]);
    const before = await read();
    await site.db.updateTable("codes").set({ seats: MEMBERS }).where("companyId", "=", companyId).execute();
    expect(await read()).toEqual(before);
    await site.services.transact((trx) => site.services.codes.freeSeat({ code: "PILLOW-27", memberId: firstId }, trx));
    await site.services.jobs.run("count-company-months");
    expect(await read()).toEqual(before);
  });
});
