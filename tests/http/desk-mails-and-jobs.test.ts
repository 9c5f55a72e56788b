import { expect, test } from "vitest";

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
  expect(words).toContain("waiting");
  expect(words).not.toContain("other@dormouse.example");
  expect(readWords((await desk.get("/desk/emails?to=nobody@dormouse.example")).text)).toContain("None.");
});
