import { expect, test } from "vitest";

import { ada, lena, logIn, tom } from "../helpers/account-page.ts";
import { readHeading, readWords } from "../helpers/page.ts";
import { openSite } from "../helpers/site.ts";
import { toDataPath } from "../safety/addresses.ts";

test("an item to keep is its title, author, day, text and transcript, and names no member", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { status, text, headers } = await browser.get("/kept/watch-2001");
  expect(status).toBe(200);
  expect(readHeading(text)).toBe("Breathe with the moon");
  expect(readWords(text)).toContain(" Transcript ");
  expect(headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'; /);
  for (const path of ["/kept/watch-2001", "/kept/read-1001", "/kept/awake", "/kept"])
    expect((await browser.get(path)).text, path).not.toMatch(/Ada|Lovell|member@/);
});

test("the files of an item are named once each, in one width", async () => {
  await using site = await openSite();
  const { text, headers } = await (await logIn(site, ada)).get("/kept/read-1001");
  const files = headers.get("X-Kept-Files")?.split(",") ?? [];
  expect(files).toEqual([expect.stringMatching(/^\/media\/[\w-]+\.webp$/)]);
  for (const file of files) expect(text).toContain(` src="${file}"`);
  expect(text).not.toContain("srcset");
});

test("Awake now is kept whole: every piece once, each leading to the next", async () => {
  await using site = await openSite();
  const { text } = await (await logIn(site, ada)).get("/kept/awake");
  const titles = [...text.matchAll(/<h1>([^<]+)<\/h1>/g)].map(([, title]) => title);
  const pieces = site.services.catalogue.listAwake().filter(({ kind }) => kind === "read");
  expect(new Set(titles).size).toBe(pieces.length);
  expect(titles.length).toBe(new Set(titles).size);
  const ids = [...text.matchAll(/id="(piece-\d+)"/g)].map(([, id]) => `#${id}`);
  const targets = [...text.matchAll(/href="(#piece-\d+)"/g)].map(([, target]) => target);
  expect(targets).toEqual([...ids.slice(1), ids[0]]);
});

test("what is kept is only given to members with access, and what is not there is not found", async () => {
  await using site = await openSite();
  for (const path of ["/kept/read-1001", "/kept/awake"]) {
    expect((await site.openBrowser().get(path)).status).toBe(403);
    expect((await (await logIn(site, lena)).get(path)).status).toBe(403);
  }
  const browser = await logIn(site, ada);
  for (const key of ["read-1", "read-", "owner", "watch-1001", "x-1", "read-5001", "nothing"]) {
    const { status, text } = await browser.get(`/kept/${key}`);
    expect([status, readHeading(text)], key).toEqual([404, "We couldn't find that page"]);
    expect(text).toContain('<a href="/kept">');
  }
});

test("every page of a member says whose it is: one name for one member, and none without access", async () => {
  await using site = await openSite();
  const readOwner = async (email: string, path: string) =>
    (await (await logIn(site, email)).get(path)).headers.get("X-Kept-For");
  const hers = await readOwner(ada, "/");
  expect(hers).toMatch(/^[\w-]{43}$/);
  for (const path of ["/?view=read", toDataPath("/"), "/kept/read-1001", "/?view=dreams"])
    expect(await readOwner(ada, path), path).toBe(hers);
  expect(await readOwner(tom, "/")).not.toBe(hers);
  expect(await readOwner(lena, "/")).toBe("none");
  expect((await site.openBrowser().get("/login")).headers.get("X-Kept-For")).toBeNull();
});

test("My Account leads to the list", async () => {
  await using site = await openSite();
  const { text } = await (await logIn(site, ada)).get("/?account=data");
  expect(text).toContain('<a href="/kept">See saved pages</a>');
});

test("the list is for everybody, and says that nothing is kept until a browser knows better", async () => {
  await using site = await openSite();
  const browser = site.openBrowser();
  for (const { status, text } of [await browser.get("/kept"), await browser.post("/kept", {})]) {
    expect(status).toBe(200);
    expect(readWords(text)).toContain("Nothing saved yet.");
    expect(text).toMatch(/<!--kept-->.*<!--\/kept-->/);
  }
});
