import { describe, expect, test } from "vitest";

import { operators as table } from "../../server/refusals.ts";
import { engines } from "../helpers/databases.ts";
import { openDesk, OPERATOR_PASSWORD, readQuestion, REASON } from "../helpers/desk.ts";
import { readHeading, readWords } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

const path = "/desk/access";
const password = OPERATOR_PASSWORD;

const openQuietSite = () => openSite({}, withoutContent);

test("an owner adds an operator, whose link is shown once and begins their log-in", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const fields = { email: "newton@desk.example", name: "Newton", role: "support" };
  for (const wrong of [{}, { password: "not-this-one" }]) {
    expect((await desk.act(path, "operator add", { ...fields, ...wrong })).status).toBe(400);
  }
  expect(await site.services.operators.list()).toHaveLength(1);
  const { text } = await desk.act(path, "operator add", { ...fields, password });
  const [, token = ""] = /desk\?invitation=([\w-]{32})</.exec(text) ?? [];
  expect(readHeading((await site.openBrowser().get(`/desk?invitation=${token}`)).text)).toBe("Welcome to the desk");
  const page = await desk.get(path);
  expect(page.text).not.toContain(token);
  expect(readWords(page.text)).toContain("Newton newton@desk.example support");
  const again = await desk.act(path, "operator add", { ...fields, email: "NEWTON@desk.example", password });
  expect(readWords(again.text)).toContain(table["operator-known"]);
});

test("support sees no operators and may do nothing about them", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  expect(readWords((await desk.get(path)).text)).not.toContain("Operators of the desk");
});

test("the last owner who has begun stays one, whoever else is invited", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  await openDesk(site, "support");
  await site.services.operators.add({ email: "invited@desk.example", name: "Invited", role: "owner" });
  const item = String(desk.operator.id);
  for (const [intent, fields] of [
    ["operator role", { role: "support" }],
    ["operator remove", {}],
  ] as const) {
    const answer = await desk.act(path, intent, { item, password, ...fields });
    expect([answer.status, readWords(answer.text).includes(table["last-owner"])]).toEqual([400, true]);
  }
  expect((await site.services.operators.find(desk.operator.email))?.role).toBe("owner");
});

test("an owner reads that it is they before they lower or remove themselves, and cannot invite themselves", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const other = await openDesk(site, "owner", "other@desk.example");
  const item = String(desk.operator.id);
  const form = { item, password, reason: REASON };
  const invited = await desk.act(path, "operator invite", { item, password });
  expect([invited.status, readWords(invited.text).includes(table["not-yourself"])]).toEqual([400, true]);
  const lowered = await desk.browser.post(path, { ...form, intent: "operator role", role: "support" });
  expect(readQuestion(lowered.text)).toContain("That is you: only another owner can make you an owner again.");
  const removed = await desk.browser.post(path, { ...form, intent: "operator remove" });
  expect(readQuestion(removed.text)).toContain("That is you: only another owner can let you in again.");
  expect((await site.services.operators.list()).map(({ role }) => role)).toEqual(["owner", "owner"]);
  // Another operator does not learn that it is they.
  const foreign = await other.browser.post(path, { ...form, intent: "operator remove" });
  expect(readQuestion(foreign.text)).not.toContain("That is you");
  await desk.act(path, "operator remove", { item, password });
  expect(readHeading((await desk.get(path)).text)).toBe("Log in to the desk");
  const [line] = await site.services.audit.list(1);
  expect(line).toMatchObject({ action: "operator remove", facts: { operator: desk.operator.id } });
});

test("a new invitation ends what an operator had, and the one who made it sees its link once", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const other = await openDesk(site, "support", "other@desk.example");
  const { text } = await desk.act(path, "operator invite", { item: String(other.operator.id), password });
  expect(text).toMatch(/desk\?invitation=[\w-]{32}</);
  expect(text).toMatch(/href="mailto:[^"?]*@[^"?]*\?subject=[^"]*invitation%3D[\w-]{32}"/);
  expect(readHeading((await other.get("/desk")).text)).toBe("Log in to the desk");
  expect((await site.services.operators.find("other@desk.example"))?.isActive).toBe(false);
});

describe.each(engines)("two owners on %s", (engine) => {
  test.each(["remove", "role"] as const)("who act on one another at once (%s) leave one of them", async (act) => {
    await using site = await openSite({}, { ...withoutContent, engine });
    const one = await openDesk(site, "owner", "one@desk.example");
    const two = await openDesk(site, "owner", "two@desk.example");
    const press = (desk: typeof one, about: typeof one) =>
      desk.act(path, `operator ${act}`, { item: String(about.operator.id), password, role: "support" });
    await Promise.all([press(one, two), press(two, one)]);
    const left = (await site.services.operators.list()).filter(({ role }) => role === "owner");
    expect(left).toHaveLength(1);
  });
});
