import { expect, test } from "vitest";

import { deskHealth as table } from "../../server/refusals.ts";
import { ada } from "../helpers/account-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { readWords } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

const openQuietSite = () => openSite({}, withoutContent);

test("all emails to an address are found, however it is written, and no others", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const mail = { subject: "Hello", text: "Hello.", html: "" };
  const add = (key: string, to: string) => site.services.outbox.add({ key, kind: "welcome", to, mail }, site.db);
  await add("one", ada);
  await site.services.outbox.deliver();
  await add("two", ada);
  await add("three", "other@dormouse.example");
  const words = readWords((await desk.get(`/desk/emails?to=${encodeURIComponent(ada.toUpperCase())}`)).text);
  expect(words.match(/Welcome member@dormouse\.example/g)).toHaveLength(2);
  expect(words).toContain("delivered");
  expect(words).toContain("waits");
  expect(words).not.toContain("other@dormouse.example");
  expect(readWords((await desk.get("/desk/emails?to=nobody@dormouse.example")).text)).toContain("None.");
});

test("a test email goes out at once and is kept nowhere, and a mail server that refuses it is quoted", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const to = "postmaster@dormouse.example";
  const message = await desk.actAndRead("/desk/emails", "mail test", { email: to });
  expect(message).toContain(`A test was sent to ${to}.`);
  expect(site.emails.filter((email) => email.to === to).map(({ subject }) => subject)).toEqual([
    "A test email from Dormouse",
  ]);
  expect((await site.services.outbox.list({ limit: 9 })).filter((email) => email.to === to)).toEqual([]);
  const refused = await desk.act("/desk/emails", "mail test", { email: "no address" });
  expect([refused.status, readWords(refused.text).includes(table["test-address"])]).toEqual([400, true]);
});

test("a job runs now, and an unknown one is refused with the names of all", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  expect(await desk.actAndRead("/desk/jobs", "job run", { item: "count-days" })).toBe("count-days is done.");
  const runs = (await site.services.jobs.list()).find(({ name }) => name === "count-days");
  expect(runs?.lastRun?.result).toBe("done");
  const { status, text } = await desk.act("/desk/jobs", "job run", { item: "sleep" });
  expect(status).toBe(400);
  expect(readWords(text)).toContain("There is no job “sleep”. There are send-mail");
});
