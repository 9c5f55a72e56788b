import { expect, test } from "vitest";

import { DAY_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { formatDate, formatDay, formatRecent } from "../../server/platform/format.ts";
import { addMonths } from "../../server/platform/london-calendar.ts";
import { ada, lena, logIn, findMember } from "../helpers/account-page.ts";
import { API_KEY, createApiClient } from "../helpers/api-client.ts";
import { type Desk, openDesk } from "../helpers/desk.ts";
import { codeIn, emailsTo, linkIn } from "../helpers/mailbox.ts";
import { createNewcomer, nora, reachPayment } from "../helpers/newcomer.ts";
import { readHeading, linkNamed, readWords } from "../helpers/page.ts";
import { openQuietSite, openSite, type Site, withoutContent } from "../helpers/site.ts";

const find = async (desk: Desk, query: string) => readWords((await desk.get(`/desk/members?${query}`)).text);

const toMemberPath = async (site: Site, email: string) => `/desk/members/${(await findMember(site, email)).id}`;

/** A member who has paid £60 for a year. */
async function joinNora(site: Site) {
  const newcomer = await reachPayment(site);
  await newcomer.pay({ card: "paid" });
  return { newcomer, path: await toMemberPath(site, nora.email) };
}

test("members are found by part of a name or address, by receipt, by company, and sign-ups by address", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const { path } = await joinNora(site);
  await createNewcomer(site, { email: "late@example.org" }).enterDetails();
  await site.services.outbox.deliver();
  expect(await find(desk, "q=ovel")).toContain("Ada Lovell");
  expect(await find(desk, "q=ovel")).not.toContain("Nora Penn");
  expect(await find(desk, "q=nora%40exam")).toContain("Nora Penn");
  expect(await find(desk, "q=ad")).toContain("Type at least three letters.");
  expect(await find(desk, "q=xyzzy")).toContain("No members match.");
  const whole = await desk.get("/desk/members?q=D-2026-000001");
  expect([whole.status, whole.location]).toEqual([302, path]);
  const { text } = await desk.get("/desk/members?q=000001");
  expect(linkNamed(text, "The member of receipt D-2026-000001")).toBe(path);
  expect(text).not.toContain("No members match.");
  const signUp = await desk.get("/desk/members?q=late%40example.org");
  expect(readWords(signUp.text)).toContain("Unfinished sign-up , since");
  const draft = linkNamed(signUp.text, "Unfinished sign-up") ?? "";
  const email = emailsTo("late@example.org", site.emails).at(-1);
  const { text: page } = await desk.get(draft);
  expect(readWords(page)).toContain("Address verified not yet");
  expect(readWords(page)).toContain("Confirm your email address late@example.org");
  expect(readWords(page)).toContain("A code and a link for the address");
  for (const secret of [codeIn(email), new URL(linkIn(email)).searchParams.get("verify") ?? ""]) {
    expect(secret).not.toBe("");
    expect(page).not.toContain(secret);
  }
});

test("a company's members are those with a seat of its code", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const { companies, codes, transact } = site.services;
  const links = { returnUrl: "http://x.example/a", exitUrl: "http://x.example/b" };
  const terms = { contactEmail: "hr@pillow.example", accounts: 5, priceInPence: 100_000 };
  const made = await companies.create({ name: "Pillow Works", ...terms }, links);
  if (!made.ok) throw new Error(made.reason);
  await site.db.updateTable("companies").set({ state: "live" }).execute();
  const { id } = await findMember(site, lena);
  await transact((trx) => codes.takeSeat({ code: made.code, memberId: id }, trx));
  const found = await desk.get("/desk/members?q=pillow+w");
  const path = linkNamed(found.text, "The members with Pillow Works") ?? "";
  const words = readWords((await desk.get(path)).text);
  expect(words).toContain("With Pillow Works");
  expect(words).toContain(lena);
  expect(words).not.toContain(ada);
  expect(readWords((await desk.get(await toMemberPath(site, lena))).text)).toContain(
    `Seat on code ${made.code} Company Pillow Works`,
  );
  for (const other of ["99", "x"]) expect((await desk.get(`/desk/members?company=${other}`)).status).toBe(404);
});

test("a member's page says why they have access, what they paid, and what was written to them", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const { path } = await joinNora(site);
  await site.services.outbox.deliver();
  const { text } = await desk.get(path);
  const words = readWords(text);
  expect(readHeading(text)).toBe("Nora Penn");
  expect(words).toMatch(/Why £60 on \d\d\/\d\d\/\d{4}, until \d\d\/\d\d\/\d{4}, receipt D-\d{4}-000001\./);
  expect(words).toContain("£60.00");
  for (const email of ["Receipt", "Welcome"]) expect(words).toContain(email);
  expect(words).toContain("delivered");
  expect(words).not.toContain("argon2");
  expect(readWords((await desk.get(await toMemberPath(site, lena))).text)).toContain("The last term ended on");
  expect((await desk.get("/desk/members/999")).status).toBe(404);
  expect((await desk.get("/desk/members/x")).status).toBe(404);
});

test("what a member keeps, reads, watches and searches for is on no page of the desk", async () => {
  await using site = await openSite();
  const member = await logIn(site, ada);
  const item = site.services.catalogue.findPage("read", 1)?.cards[0];
  await member.post("/favourites", { save: `read-${item?.id}` });
  await member.post("/positions", { open: `read-${item?.id}` });
  const desk = await openDesk(site);
  for (const path of [await toMemberPath(site, ada), "/desk/members?q=lovell", "/desk/audit"]) {
    for (const { text } of [await desk.get(path), await desk.get(path.replace("/desk", "/desk.data"))]) {
      expect(text).not.toContain(item?.title ?? "");
      expect(text).not.toMatch(/favourit|"positions?"|searched/i);
    }
  }
});

test("an open dispute is the first thing on the page, with the gateway's page that answers it in gold", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const { path } = await joinNora(site);
  const { id: paymentId, orderId } = await site.db.selectFrom("payments").selectAll().executeTakeFirstOrThrow();
  const at = site.clock();
  const dispute = { gatewayId: "dp_1", orderId, paymentId, state: "open", createdAt: at, updatedAt: at };
  await site.db.insertInto("disputes").values(dispute).execute();
  const sentence = "The member's bank disputes £60.00, receipt D-2026-000001. Answer it at";
  const plain = (await desk.get(path)).text;
  expect(readWords(plain)).toContain(`${sentence} the card gateway.`);
  expect(linkNamed(plain, "Answer the dispute")).toBeUndefined();

  site.services.dashboards.cards = {
    title: "Nest Pay",
    paymentUrl: (id) => `https://nest.example/payments/${id}`,
    disputeUrl: (id) => `https://nest.example/disputes/${id}`,
  };
  const { text } = await desk.get(path);
  expect(readWords(text)).toContain(`${sentence} Nest Pay.`);
  expect(linkNamed(text, "Answer the dispute (opens in a new tab)")).toBe("https://nest.example/disputes/dp_1");
  expect(text).toContain('href="https://nest.example/payments/pay_');
});

test("an order given back shows as such to operators and to the member, who loses access and is told", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const { newcomer, path } = await joinNora(site);
  expect(await desk.actAndRead(path, "member refund", { item: "1" })).toContain("£60 is being refunded");
  const words = readWords((await desk.get(path)).text);
  expect(words).toContain("Plan: Yearly £60.00 refunded");
  expect(words).not.toContain("Refund £60.00");
  expect(words).toContain("Refund on its way nora@example.org");
  // It stays ended: it was refunded.
  expect(words).not.toContain("Restore access that was ended");
  await site.pass(MINUTE_IN_MS);
  expect(await newcomer.listSubjects()).toContain("Your refund of £60 is on its way");
  await newcomer.browser.logIn(nora.email);
  expect((await site.services.membership.findAccess((await findMember(site, nora.email)).id)).isActive).toBe(false);
});

test("a new address that an owner has asked for waits for the old one, which agrees or keeps the account", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const path = await toMemberPath(site, ada);
  const fresh = "ada.new@dormouse.example";
  const ask = async () => {
    site.clock.advance(MINUTE_IN_MS);
    await desk.actAndRead(path, "member address", { email: fresh, mailbox: "lost" });
    await site.services.outbox.deliver();
    return linkIn(emailsTo(ada, site.emails).at(-1));
  };
  /** Uses a link in another browser; returns the heading of the next page. */
  const press = async (link: string, intent: string) => {
    const browser = site.openBrowser();
    const page = await browser.get(link);
    expect(page.status).toBe(200);
    const [token = ""] = /(?<=name="token" value=")[^"]+/.exec(page.text) ?? [];
    const { location } = await browser.post("/login", { intent, token });
    return readHeading((await browser.get(location ?? "")).text);
  };
  const first = await ask();
  expect(readWords((await site.openBrowser().get(first)).text)).toContain(fresh);
  expect(await press(first, "keep-link")).toBe("Your email stays the same");
  expect((await site.openBrowser().get(first)).status).toBe(404);

  const second = await ask();
  const proof = linkIn(emailsTo(fresh, site.emails).at(-1));
  const own = await logIn(site, ada);
  await own.get(proof);
  expect(await press(`/login?confirm=${new URL(proof).searchParams.get("token")}`, "confirm-link")).toBe(
    "Your email is confirmed",
  );
  expect(readWords((await own.get("/?account=open")).text)).toMatch(/you can log in with it from \d/);
  expect((await findMember(site, ada)).email).toBe(ada);
  expect(readWords((await desk.get(path)).text)).toMatch(/Old address can object until \d/);
  expect(await press(second, "answer-link")).toBe("You've changed your email");
  expect((await findMember(site, fresh)).email).toBe(fresh);
  await site.services.outbox.deliver();
  expect(emailsTo(ada, site.emails).at(-1)?.text).toContain("/login?undo=");
});

test("a closed account waits its fourteen days, is found by its address, and is opened by the member's own email", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const path = await toMemberPath(site, ada);
  const member = await logIn(site, ada);
  expect(await desk.actAndRead(path, "member close")).toMatch(/^Account closed. We'll erase it on/);
  expect((await member.get("/")).status).toBe(302);
  expect(await find(desk, "q=member%40dormouse")).toContain("closed, erased on");
  await site.services.outbox.deliver();
  const link = linkIn(emailsTo(ada, site.emails).at(-1));
  expect(await site.services.closure.reopen(new URL(link).searchParams.get("reopen") ?? "")).toBe("reopened");
  await desk.actAndRead(path, "member close");
  site.clock.advance(15 * DAY_IN_MS);
  await site.services.jobs.run("erase-closed-accounts");
  const again = await openDesk(site, "owner", "second@desk.example");
  expect((await again.get(path)).status).toBe(404);
  // The act stays; its reason is deleted with the member.
  const lines = (await site.services.audit.list(20)).filter(({ action }) => action === "member close");
  expect(lines.map(({ reason }) => reason)).toEqual([undefined, undefined]);
});

test("a term is given behind what is paid, and the page says by whom and why", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const path = await toMemberPath(site, lena);
  await desk.actAndRead(path, "member term", { months: "1", reason: "A month for the trouble" });
  const words = readWords((await desk.get(path)).text);
  expect(words).toMatch(/Added free by support@desk\.example on .*: A month for the trouble/);
});

test("a given term moves the one end that the desk, the member, the export and the API read", async () => {
  await using site = await openSite({ API_KEY }, withoutContent);
  const desk = await openDesk(site, "support");
  const { newcomer, path } = await joinNora(site);
  const { id } = await findMember(site, nora.email);
  const readEnds = async () => {
    const [, access = ""] = /Access until (\S+)/.exec(readWords((await desk.get(path)).text)) ?? [];
    const [, listed = ""] = /individual until (\S+)/.exec(await find(desk, "q=nora%40exam")) ?? [];
    const account = readWords((await newcomer.browser.get("/?account=membership")).text);
    const [, own = ""] = /Yearly, until (\d+ \w+ \d{4})\. Doesn(?:'|&#x27;)t renew/.exec(account) ?? [];
    const exported = (await site.services.personalData.gather({ memberId: id, email: nora.email })).access;
    const client = createApiClient(site);
    const token = await client.grabToken(nora.email, nora.password);
    const { json } = await client.call("getcurrentuser", { id }, { token });
    const [{ subscription_ends_at: over = "" }] = json as [{ subscription_ends_at?: string }];
    const others = [exported.isActive && exported.endsAt, new Date(over)].map((end) => end && formatDate(end));
    return { ends: new Set([access, listed, ...others]), own };
  };
  const [paid, given] = [12, 13].map((months) => addMonths(site.clock(), months)) as [Date, Date];
  const readsAs = (end: Date) => ({ ends: new Set([formatDate(end)]), own: formatDay(end) });
  expect(await readEnds()).toEqual(readsAs(paid));
  expect(await desk.actAndRead(path, "member term", { months: "1", reason: "For the trouble" })).toContain(
    formatDate(given),
  );
  expect(await readEnds()).toEqual(readsAs(given));
  const words = readWords((await desk.get(path)).text);
  expect(words).toMatch(
    new RegExp(`Why £60 on .* until ${formatDate(paid)}, receipt .* Then: Added free by .* until ${formatDate(given)}`),
  );
});

test("a member whose paid term was given back reads when a given one begins", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const { newcomer, path } = await joinNora(site);
  const [begins, ends] = [12, 13].map((months) => addMonths(site.clock(), months)) as [Date, Date];
  await desk.actAndRead(path, "member term", { months: "1" });
  await desk.actAndRead(path, "member refund", { item: "1" });
  expect(readWords((await desk.get(path)).text)).toContain(
    `The next term starts on ${formatDate(begins)} and ends on ${formatDate(ends)}.`,
  );
  await newcomer.browser.logIn(nora.email);
  const account = readWords((await newcomer.browser.get("/?account=membership")).text);
  expect(account).toContain(`Your membership starts on ${formatDay(begins)} and ends on ${formatDay(ends)}.`);
});

test("a note is on the page of its member with who and when, as it was typed, and leaves it", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const path = await toMemberPath(site, ada);
  const text = "Rang <b>twice</b>.\r\nWants a receipt.";
  expect(await desk.actAndRead(path, "member note", { text })).toBe("Note saved.");
  const page = (await desk.get(path)).text;
  expect(page).toContain("Rang &lt;b&gt;twice&lt;/b&gt;.\nWants a receipt.");
  const at = formatRecent(site.clock(), site.clock());
  expect(readWords(page)).toContain(`support@desk.example, ${at} Remove the note of ${at}`);
  const [, item = ""] = /name="item" value="(\d+)"/.exec(page) ?? [];
  expect(await desk.actAndRead(path, "member note-remove", { item })).toBe("Note removed.");
  expect((await desk.get(path)).text).not.toContain("twice");
});

test("a payment is found by the card's last four digits and a day of its statement", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const { path } = await joinNora(site);
  await site.services.jobs.run("note-cards");
  const today = formatDate(site.clock());
  const { text } = await desk.get(`/desk/members?q=${encodeURIComponent(`4242 ${today}`)}`);
  expect(readWords(text)).toContain(`Paid with the card ending 4242 up to ${today}`);
  expect(linkNamed(text, `Nora Penn, £60.00, on ${today}, D-${today.slice(-4)}-000001`)).toBe(path);
  expect(readWords((await desk.get(path)).text)).toContain("paid, card ending 4242");
  const day = site.clock().toISOString().slice(0, 10);
  expect(await find(desk, `q=4242+${day}`)).toContain("Nora Penn, £60.00");
  expect(await find(desk, `q=4243+${day}`)).toContain("No payment on this day or the three days before.");
  expect(await find(desk, "q=4242+31%2F02%2F2026")).toContain("No members match.");
});
