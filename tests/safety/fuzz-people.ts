import { expect } from "vitest";

import { after, DAY_IN_MS } from "../../server/platform/clock.ts";
import { toDay } from "../../server/platform/format.ts";
import { ada, lena, logIn, PASSWORD, save, tom } from "../helpers/account-page.ts";
import { addCompany, openContact } from "../helpers/company-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { linkIn } from "../helpers/mailbox.ts";
import { findGiftCode, giftDetails, giveGift } from "../helpers/gifts.ts";
import { createNewcomer, nora } from "../helpers/newcomer.ts";
import { askFor, reachPassword } from "../helpers/reset-page.ts";
import type { Browser, Site } from "../helpers/site.ts";
import { patterns } from "./addresses.ts";
import { walkSite, type Walk } from "./crawl.ts";

/** A person's cookies, and every page, form and address that they see. */
export type Person = {
  name: string;
  isActive: boolean;
  cookies: Record<string, string>;
  walk: Walk;
  /** Undoes what they may have done to themselves: logged out, closed their account, changed their address. */
  restore(): Promise<void>;
};

/** Only emails link to these pages. */
export const emailAddresses = [
  "/signup?verify=x",
  "/signup?renew=x",
  "/login?undo=x",
  "/login?confirm=x",
  "/login?enter=x",
  "/login?reopen=x",
  "/login?reset=2&token=x",
];

/** A gift that has its day to come, and can't be cancelled any more: the path of its giver's page. */
async function giveLater(site: Site): Promise<string> {
  const day = toDay(after(site.clock(), 60 * DAY_IN_MS));
  const { giverToken } = await giveGift(site, { ...giftDetails, day });
  site.clock.advance(15 * DAY_IN_MS);
  return `/given?gift=${giverToken}`;
}

/** Without a session: visitors, and each step of sign-ups and resets. */
export async function listVisitors(site: Site): Promise<Person[]> {
  const given = await giveLater(site);
  const [fresh, unproved, choosing, paying] = ["1", "2", "3", "4"].map((each) =>
    createNewcomer(site, {
      email: `nora${each}@example.org`,
      browser: site.openBrowser({ address: `198.51.100.1${each}` }),
    }),
  ) as [Newcomer, Newcomer, Newcomer, Newcomer];
  await unproved.enterDetails();
  const { link } = await unproved.readEmail();
  await choosing.enterDetails();
  await choosing.typeCode();
  await paying.reachPayment();
  const bank = (await paying.pay({ card: "authentication" })).location ?? "";
  const sheet = await giveGift(site, { ...giftDetails, isSheet: true, day: "", recipientEmail: "" });
  const code = await findGiftCode(site, sheet.id);
  const giving = site.openBrowser({ address: "198.51.100.15" });
  const form = { planType: "3", giverName: "Tom", giverEmail: "tom@giver.example", recipientName: "Wren", by: "sheet" };
  await giving.post("/give", { intent: "give", ...form });
  const taking = createNewcomer(site, {
    email: "nora5@example.org",
    browser: site.openBrowser({ address: "198.51.100.16" }),
  });
  await taking.browser.post("/signup?step=1", { ...nora, email: taking.email, giftCode: code });
  const [asking, choosingPassword] = [site.openBrowser(), site.openBrowser()];
  await askFor(asking, tom);
  await reachPassword(site, choosingPassword);
  return [
    await see("visitor", fresh.browser, [...emailAddresses, link]),
    await see("unproved", unproved.browser, ["/signup?step=2", "/signup?step=3"]),
    await see("choosing", choosing.browser, ["/signup?step=2"]),
    await see("paying", paying.browser, ["/signup?step=3", bank]),
    await see("giving", giving, ["/give?step=3", given, `/gift?code=${code}`]),
    await see("taking up", taking.browser, ["/signup?step=3"]),
    await see("forgetful", asking, ["/login?reset=2"]),
    await see("choosing a password", choosingPassword, ["/login?reset=3"]),
  ];
}

type Newcomer = ReturnType<typeof createNewcomer>;

/** With a favourite, a second device and an unproved address. */
export async function seeMember(site: Site): Promise<Person> {
  await logIn(site, ada, "198.51.100.2");
  const browser = await logIn(site, ada, "198.51.100.3");
  await browser.post("/favourites", { save: "watch-2001", from: "/" });
  expect((await save(browser, { email: "new@dormouse.example", currentPassword: PASSWORD })).status).toBe(303);
  await site.services.outbox.deliver();
  const mail = site.emails.findLast(({ to }) => to === "new@dormouse.example");
  const parts = ["open", "membership", "password", "passkeys", "devices", "stopped", "newsletter", "data", "close"].map(
    (part) => `/?account=${part}`,
  );
  const person = await see("member", browser, [...parts, linkIn(mail)]);
  return { ...person, isActive: true, restore: await createRestore(site, ada) };
}

/** A member whose membership is over. */
export async function seeLapsed(site: Site): Promise<Person> {
  const browser = await logIn(site, lena);
  return { ...(await see("lapsed", browser, ["/?account=devices"])), restore: await createRestore(site, lena) };
}

/** An owner, on every screen of the desk. */
export async function seeOperator(site: Site): Promise<Person> {
  const { browser } = await openDesk(site);
  const screens = patterns.map(({ pattern }) => pattern).filter((pattern) => pattern.startsWith("/desk"));
  const person = await see("operator", browser, [
    ...screens.filter((pattern) => !pattern.includes(":")),
    "/desk/members/1",
    "/desk/codes/DORMOUSE-DEMO",
    "/desk/content/read-1001",
  ]);
  return { ...person, isActive: true, restore: await restoreRows(site, "operatorSessions") };
}

/** A company's contact, on its page. */
export async function seeContact(site: Site): Promise<Person> {
  const browser = await openContact(site, await addCompany(site));
  const person = await see("contact", browser, ["/company", "/company/poster"]);
  return { ...person, restore: await restoreRows(site, "contactSessions") };
}

/** Restores the present sessions after a log-out. */
async function restoreRows({ database: { db } }: Site, table: "operatorSessions" | "contactSessions") {
  const rows = await db.selectFrom(table).selectAll().execute();
  return async () => {
    await db
      .insertInto(table)
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  };
}

async function createRestore({ database: { db } }: Site, email: string): Promise<Person["restore"]> {
  const account = await db.selectFrom("members").selectAll().where("email", "=", email).executeTakeFirstOrThrow();
  const sessions = await db.selectFrom("sessions").selectAll().where("memberId", "=", account.id).execute();
  const { id, ...columns } = account;
  return async () => {
    await db.updateTable("members").set(columns).where("id", "=", id).execute();
    const back = db.insertInto("sessions").values(sessions);
    await back.onConflict((conflict) => conflict.column("tokenHash").doNothing()).execute();
  };
}

async function see(name: string, browser: Browser, starts: string[]): Promise<Person> {
  const walk = await walkSite(
    browser,
    starts.map((each) => each.replace(browser.origin, "")),
  );
  return { name, isActive: false, cookies: Object.fromEntries(browser.cookies), walk, restore: async () => undefined };
}
