import { expect, test } from "vitest";

import { after, MINUTE_IN_MS, SECOND_IN_MS } from "../../server/platform/clock.ts";
import { desk as table } from "../../server/refusals.ts";
import { ada, findMember } from "../helpers/account-page.ts";
import { type Desk, openDesk, OPERATOR_PASSWORD } from "../helpers/desk.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { readHeading, readWords } from "../helpers/page.ts";
import { openSite, type Site, withoutContent } from "../helpers/site.ts";

const password = OPERATOR_PASSWORD;

async function openWithAda() {
  const site = await openSite({}, withoutContent);
  const desk = await openDesk(site);
  const { id } = await findMember(site, ada);
  return Object.assign(site, { desk, memberId: id, path: `/desk/members/${id}` });
}

/** Returns the file's address. */
async function makeFile({ path }: { path: string }, desk: Desk): Promise<string> {
  const { status, location } = await desk.act(path, "member export", { password });
  expect([status, location?.split("=")[0]]).toEqual([303, `${path}?export`]);
  return location ?? "";
}

test("an owner fetches what is held about a member once, and then it is gone", async () => {
  await using site = await openWithAda();
  const address = await makeFile(site, site.desk);
  const file = await site.desk.get(address);
  expect(file.status).toBe(200);
  expect(file.headers.get("Content-Disposition")).toMatch(/^attachment; filename="member-\d+-\d{4}-\d\d-\d\d\.json"$/);
  expect(file.headers.get("Cache-Control")).toBe("no-store");
  const held = JSON.parse(file.text) as { member: { email: string }; operatorActions: { action: string }[] };
  expect(held.member.email).toBe(ada);
  expect(held.operatorActions.map(({ action }) => action)).toContain("member export");
  const again = await site.desk.get(address);
  expect([again.status, again.text.includes(ada)]).toEqual([403, false]);
  expect(readWords(again.text)).toContain(table["export-over"]);
});

test("a file is for the owner who made it and the member it was made for, and only for two minutes", async () => {
  await using site = await openWithAda();
  const other = await openDesk(site, "owner", "other@desk.example");
  const support = await openDesk(site, "support");
  const address = await makeFile(site, site.desk);
  expect((await support.get(address)).status).toBe(403);
  expect(readHeading((await site.openBrowser().get(address)).text)).toBe("Log in to the desk");
  expect((await other.get(address)).status).toBe(403);
  expect((await site.desk.get(address.replace(site.path, "/desk/members/2"))).status).toBe(403);
  expect((await site.desk.get(address)).status, "a refused fetch uses no pass up").toBe(200);
  const late = await makeFile(site, site.desk);
  site.clock.advance(2 * MINUTE_IN_MS + SECOND_IN_MS);
  expect((await site.desk.get(late)).status).toBe(403);
  for (const wrong of ["", "x", "A".repeat(32)]) {
    expect((await site.desk.get(`${site.path}?export=${wrong}`)).status).toBe(403);
  }
});

test("an erasure leaves nothing of the person, keeps the orders, and says so", async () => {
  await using site = await openSite({}, withoutContent);
  const desk = await openDesk(site);
  const newcomer = createNewcomer(site);
  await newcomer.reachPayment();
  await newcomer.pay({ card: "paid" });
  const { id } = await findMember(site, newcomer.email);
  const path = `/desk/members/${id}`;
  expect((await desk.act(path, "member erase", {})).status).toBe(400);
  const { status, location } = await desk.act(path, "member erase", { password });
  expect([status, location]).toEqual([303, "/desk/members"]);
  const words = readWords((await desk.get("/desk/members")).text);
  expect(words).toContain(
    `Member ${id} is erased. Orders that stay without a name: 1. Please erase them at the card gateway`,
  );
  expect((await desk.get(path)).status).toBe(404);
  expect(await site.services.accounts.findByEmail(newcomer.email)).toBeUndefined();
  const [line] = await site.services.audit.list(1);
  expect(line).toMatchObject({
    action: "member erase",
    memberId: id,
    reason: "Erasure",
    operator: desk.operator.email,
  });
  const [order] = await site.db.selectFrom("orders").selectAll().where("state", "=", "completed").execute();
  expect(order).toMatchObject({ email: "", firstName: "" });
});

test("a closed account can be exported and erased", async () => {
  await using site = await openWithAda();
  await site.desk.act(site.path, "member close");
  const file = await site.desk.get(await makeFile(site, site.desk));
  expect((JSON.parse(file.text) as { member: { closedEmail: string } }).member.closedEmail).toBe(ada);
  expect((await site.desk.act(site.path, "member erase", { password })).location).toBe("/desk/members");
});

test("a link to renew goes to the member's own address alone, and opens the choice of plans", async () => {
  await using site = await openWithAda();
  const until = after(site.clock(), 70 * 24 * 60 * MINUTE_IN_MS);
  const message = await site.desk.actAndRead(site.path, "member renewal-link");
  expect(message).toMatch(
    new RegExp(`^Link sent to ${ada}\\. It works until \\d\\d/\\d\\d/${until.getFullYear()}\\.$`),
  );
  const [mail, ...others] = await readLinks(site);
  expect([mail?.to, others]).toEqual([ada, []]);
  const [, token = ""] = /\/signup\?renew=([\w.-]+)/.exec(mail?.text ?? "") ?? [];
  expect((await site.desk.get(site.path)).text).not.toContain(token);
  const opened = await site.openBrowser().get(`/signup?renew=${token}`);
  expect([200, 303]).toContain(opened.status);
  expect(readWords(opened.text)).not.toContain("too old");
});

async function readLinks(site: Site) {
  await site.services.outbox.deliver();
  return site.emails.filter(({ subject }) => subject === "Your link to choose a plan");
}
