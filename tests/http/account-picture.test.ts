import { expect, test } from "vitest";

import { ada, drawPng, lena, logIn, findMember, pictureNamed, save } from "../helpers/account-page.ts";
import { errorsAt, readSummary, readValue, readWords } from "../helpers/page.ts";
import { openQuietSite } from "../helpers/site.ts";

test("a picture is kept, shown in the bar, and can be removed, which leaves the initials", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const { id } = await findMember(site, ada);
  expect(await save(browser, {}, { picture: await pictureNamed("me.png") })).toMatchObject({
    location: "/?account=open&flash=saved",
  });
  const hash = await site.services.avatars.findHash(id);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  for (const path of ["/", "/?account=open"]) {
    expect((await browser.get(path)).text).toContain(`src="/avatars/${hash}"`);
  }
  const removed = await browser.post("/?account=open", { intent: "remove-picture" });
  expect(removed).toMatchObject({ status: 303, location: "/?account=open&flash=picture-removed" });
  const { text } = await browser.get(removed.location ?? "");
  expect(text).not.toContain("/avatars/");
  expect(text.match(/data-initials="AL"/g)).toHaveLength(2);
  expect(await site.services.avatars.findHash(id)).toBeUndefined();
});

test("without an active subscription a picture stays as it is", async () => {
  await using site = await openQuietSite();
  const { id } = await findMember(site, lena);
  await site.services.avatars.save(id, await drawPng());
  const hash = await site.services.avatars.findHash(id);
  const removed = await (await logIn(site, lena)).post("/?account=open", { intent: "remove-picture" });
  expect(removed.status).toBe(403);
  expect(removed.text).toContain("You need an active subscription to change this.");
  expect(hash).toBeDefined();
  expect(await site.services.avatars.findHash(id)).toBe(hash);
});

test("a file that is no picture is refused with a sentence, and the old picture stays", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const { id } = await findMember(site, ada);
  await save(browser, {}, { picture: await pictureNamed("me.png") });
  const hash = await site.services.avatars.findHash(id);
  for (const [name, bytes, sentence] of [
    ["notes.txt", new TextEncoder().encode("not a picture"), "File type is not supported"],
    ["empty.png", new Uint8Array(0), "File size is too small"],
    ["large.png", new Uint8Array(5 * 1024 * 1024 + 1), "File size is too big"],
    ["broken.png", (await drawPng()).slice(0, 60), "We can't read this picture. Please choose another."],
  ] as const) {
    const answer = await save(browser, { firstName: "Zoë" }, { picture: new File([bytes], name) });
    expect(answer.status, name).toBe(400);
    expect(readSummary(answer.text)).toEqual([["picture", sentence]]);
    expect(errorsAt(answer.text, "picture")).toBe(sentence);
    expect(readValue(answer.text, "firstName")).toBe("Zoë");
    expect(await site.services.avatars.findHash(id)).toBe(hash);
  }
});

test("uploading too many pictures is refused with a sentence", async () => {
  await using site = await openQuietSite();
  const { id } = await findMember(site, ada);
  const small = new Uint8Array(0);
  await Promise.all(Array.from({ length: 30 }, () => site.services.avatars.save(id, small)));
  const answer = await save(await logIn(site, ada), {}, { picture: await pictureNamed("ada.png") });
  expect(answer.status).toBe(429);
  expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(errorsAt(answer.text, "picture")).toBe("Too many attempts. Please wait 60 minutes, then try again.");
  expect(await site.services.avatars.findHash(id)).toBeUndefined();
});

test("a picture is saved although the details sent with it are refused, and the page says so", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const answer = await save(browser, { firstName: "" }, { picture: await pictureNamed("me.png") });
  expect(answer.status).toBe(400);
  expect(readWords(answer.text)).toContain("Your picture is saved.");
  expect(answer.text).toContain('src="/avatars/');
});
