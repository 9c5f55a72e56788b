import { expect, test } from "vitest";

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
});

test("support sees no operators and may do nothing about them", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  expect(readWords((await desk.get(path)).text)).not.toContain("Operators of the desk");
});

test("an owner who removes themselves is asked first, and then logged out", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  await openDesk(site, "owner", "other@desk.example");
  const item = String(desk.operator.id);
  const form = { item, password, reason: REASON, intent: "operator remove" };
  expect(readQuestion((await desk.browser.post(path, form)).text)).toContain("That's you");
  await desk.act(path, "operator remove", { item, password });
  expect(readHeading((await desk.get(path)).text)).toBe("Log in to the desk");
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
