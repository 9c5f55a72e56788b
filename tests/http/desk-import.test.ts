import { expect, test } from "vitest";

import { desk as table } from "../../server/refusals.ts";
import { ada } from "../helpers/account-page.ts";
import { type Desk, download, openDesk, REASON } from "../helpers/desk.ts";
import { readWords } from "../helpers/page.ts";
import { openRemoteSite } from "../helpers/provider.ts";
import { openQuietSite, type Site } from "../helpers/site.ts";

const path = "/desk/members?import=file";
const bcrypt = "$2y$10$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK";
const file = `email,name,password_hash,plan,end\nzoe@shop.example,Zoe Marsh,${bcrypt},Yearly,2030-01-31\nben@shop,Ben,,,\n${ada},,,,\n`;

type Sending = { text?: string; work?: string; reason?: string };

function send({ browser }: Pick<Desk, "browser">, { text = file, work = "bring", reason = REASON }: Sending = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ intent: "members-file", work, reason })) body.set(name, value);
  body.set("file", new File([text], "shop.csv", { type: "text/csv" }));
  return browser.request(path, { method: "POST", body, headers: { Origin: browser.origin } });
}

const runJob = (site: Site) => site.services.jobs.run("import-members");

test("an owner sends a file, a job brings its members, and the desk says what became of them", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  expect((await desk.get("/desk/members")).text).toContain("Import members from a file");
  expect(await send(desk)).toMatchObject({ status: 303, location: path });
  expect(readWords((await desk.get(path)).text)).toContain("shop.csv");
  expect(await site.services.accounts.findByEmail("zoe@shop.example")).toBeUndefined();
  await runJob(site);
  const member = await site.services.accounts.findByEmail("zoe@shop.example");
  expect(member).toMatchObject({ firstName: "Zoe" });
  expect(await site.services.membership.findAccess(member?.id ?? 0)).toMatchObject({ isActive: true });
  const { text } = await desk.get(path);
  expect(readWords(text)).toContain("1 new, 0 updated, 1 unchanged, 1 refused");
  const report = await download(desk, path, "members-file-1");
  expect(report.text).toContain("email,name,password_hash,plan,end,reason\r\n");
  expect(report.text).toContain("ben@shop,Ben,,,,“ben@shop” isn't an email address.\r\n");
  expect(report.text).not.toContain("zoe@");
  const lines = await site.services.audit.list(3);
  expect(lines.map(({ action, operator, reason }) => [action, operator, reason])).toEqual([
    ["list csv", desk.operator.email, REASON],
    ["members import", desk.operator.email, undefined],
    ["members file", desk.operator.email, REASON],
  ]);
  const stored = await site.db.selectFrom("memberFiles").select("bytes").executeTakeFirstOrThrow();
  expect(stored.bytes, "the file itself is forgotten").toBeNull();
});

test("no password comes from the desk: an operator who knows it could log in as the member", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  await send(desk, { work: "mail" });
  await runJob(site);
  const credentials = { email: "zoe@shop.example", password: "plain-hedge-at-dusk", address: "203.0.113.9" };
  expect(await site.services.logIn(credentials)).toMatchObject({ ok: false });
  await site.services.outbox.deliver();
  const email = site.emails.find(({ to }) => to === "zoe@shop.example");
  expect(email?.text).toContain("choose a new password");
});

test("a rehearsal says line by line what would happen, and changes nothing", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  await send(desk, { work: "rehearse" });
  await runJob(site);
  expect(await site.services.accounts.findByEmail("zoe@shop.example")).toBeUndefined();
  const { text } = await download(desk, path, "members-file-1");
  expect(text).toContain('2,zoe@shop.example,"a new member, who chooses a new password, Yearly until 31/01/2030"\r\n');
  expect(text).toContain("3,,refused: “ben@shop” isn't an email address.\r\n");
  expect(text).toContain(`4,${ada},nothing to do\r\n`);
});

test.each<[string, Sending, string]>([
  ["no file", { text: "" }, "Please choose a CSV file."],
  ["no reason", { reason: " " }, table["reason-missing"]],
  ["another work", { work: "nonsense" }, "Please choose what to do with the file."],
  ["no addresses", { text: "name\nAda\n" }, "one of them must be email"],
])("a form with %s is refused with a sentence, and what was typed stays", async (_what, sending, sentence) => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const { status, text } = await send(desk, sending);
  expect(status).toBe(400);
  expect(readWords(text)).toContain(sentence);
  if (sending.reason === undefined) expect(text).toContain(REASON);
  expect(await site.services.memberFiles.list(1)).toEqual([]);
});

test("only owners see and send it, and nobody where a provider keeps the members", async () => {
  await using site = await openQuietSite();
  const [owner, support] = [await openDesk(site), await openDesk(site, "support")];
  expect((await support.get(path)).text).not.toContain("Import members");
  expect((await send(support)).status).toBe(403);
  expect((await send({ browser: site.openBrowser() })).status).toBe(403);
  await send(owner);
  await runJob(site);
  for (const { get } of [support, owner]) expect((await get("/desk/members-file-1.csv")).status).toBe(403);
  expect((await support.act("/desk/members", "list csv", { item: "members-file-1" })).status).toBe(403);
  expect((await owner.get("/desk/members-file-x.csv")).status).toBe(404);
  expect((await site.services.memberFiles.list(9)).length).toBe(1);
  await using remote = await openRemoteSite();
  const elsewhere = await openDesk(remote);
  expect((await elsewhere.get(path)).text).not.toContain("Import members");
  expect((await send(elsewhere)).status).toBe(403);
});
