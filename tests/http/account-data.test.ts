import { expect, test } from "vitest";

import { ada, logIn, openQuietSite, tom } from "../helpers/account-page.ts";
import { linkNamed } from "../helpers/page.ts";

test("a member downloads what is held about them, and nobody else's", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  expect(linkNamed((await browser.get("/?account=data")).text, "Download my data")).toBe("/account-data");
  const answer = await browser.get("/account-data");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(answer.headers.get("Content-Disposition")).toMatch(
    /^attachment; filename="dormouse-my-data-\d{4}-\d\d-\d\d\.json"$/,
  );
  expect(answer.headers.get("Cache-Control")).toMatch(/no-store/);
  const held = JSON.parse(answer.text) as { member: { email: string }; subscriptions: unknown[]; sessions: unknown[] };
  expect(held.member.email).toBe(ada);
  expect(held.subscriptions).toHaveLength(1);
  expect(held.sessions).toHaveLength(1);
  expect(answer.text).not.toContain(tom);
  expect(answer.text).not.toContain("argon2");
  expect(await site.openBrowser().get("/account-data")).toMatchObject({
    status: 302,
    location: "/signup?to=%2Faccount-data",
  });
});
