import { expect, test } from "vitest";

import { area, BLUE, RED } from "../helpers/pictures.ts";
import { type Browser, type Site, openQuietSite } from "../helpers/site.ts";

const ADA = "member@dormouse.example";
const TEAM = "team@dormouse.example";
const LAPSED = "lapsed@dormouse.example";

async function givePicture({ services }: Site, email: string, colour = RED): Promise<string> {
  const member = await services.accounts.findByEmail(email);
  const saved = await services.avatars.save(member?.id ?? 0, await area(60, 40, colour).png().toBuffer());
  if (!saved.ok) throw new Error(saved.reason);
  return saved.hash;
}

async function openBrowser(site: Site, email: string): Promise<Browser> {
  const browser = site.openBrowser();
  await browser.logIn(email);
  return browser;
}

test.each([ADA, LAPSED])("%s sees their own picture, which is inert and kept for good", async (email) => {
  await using site = await openQuietSite();
  const hash = await givePicture(site, email);
  const browser = await openBrowser(site, email);
  const { status, headers, text } = await browser.get(`/avatars/${hash}`);
  expect(status).toBe(200);
  expect(text.slice(0, 4)).toBe("RIFF");
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "image/webp",
    "cache-control": "private, max-age=31536000, immutable",
    "content-disposition": 'inline; filename="avatar.webp"',
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
  });
  const answer = await browser.request(`/avatars/${hash}`, { method: "HEAD" });
  expect(answer).toMatchObject({ status: 200, text: "" });
});

test("another member's picture is a 404, and a visitor finds none", async () => {
  await using site = await openQuietSite();
  const [hers, theirs] = [await givePicture(site, ADA), await givePicture(site, TEAM, BLUE)];
  expect(hers).not.toBe(theirs);
  const browser = await openBrowser(site, ADA);
  const unknown = await browser.get(`/avatars/${"0".repeat(64)}`);
  expect(unknown).toMatchObject({ status: 404, text: "There is no such picture." });
  expect(unknown.headers.get("Cache-Control")).toBe("private, no-store");
  expect(await browser.get(`/avatars/${theirs}`)).toMatchObject({ status: 404, text: unknown.text });
  for (const hash of [hers, theirs, "0".repeat(64)]) {
    expect(await site.openBrowser().get(`/avatars/${hash}`)).toMatchObject({ status: 404, text: unknown.text });
  }
});

test("an old picture is a 404 after a new one, a removed one at once, and all after the session", async () => {
  await using site = await openQuietSite();
  const old = await givePicture(site, ADA);
  const browser = await openBrowser(site, ADA);
  const fresh = await givePicture(site, ADA, BLUE);
  expect((await browser.get(`/avatars/${old}`)).status).toBe(404);
  expect((await browser.get(`/avatars/${fresh}`)).status).toBe(200);

  const cookies = new Map(browser.cookies);
  await browser.post("/", { intent: "log-out" });
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  expect((await browser.get(`/avatars/${fresh}`)).status).toBe(404);

  await browser.logIn(ADA);
  expect((await browser.get(`/avatars/${fresh}`)).status).toBe(200);
  const member = await site.services.accounts.findByEmail(ADA);
  await site.services.avatars.remove(member?.id ?? 0);
  expect((await browser.get(`/avatars/${fresh}`)).status).toBe(404);
});

const paths = [
  "",
  "/",
  "/..",
  "/../../etc/passwd",
  "/..%2f..%2fetc%2fpasswd",
  "/%2e%2e/",
  "/%00",
  "/%",
  "/%ff",
  "/%F0%9F%98%80",
  "/a/b",
  "/' or 1=1 --",
  "/*",
  `/${"a".repeat(5000)}`,
  `/${"A".repeat(64)}`,
  "/undefined",
  "/HASH.webp",
  "/ HASH",
  "/HASH%00",
  "/HASH%0a",
  "/HASHHASH",
];

test("malformed picture addresses are 404, and other methods change nothing", async () => {
  await using site = await openQuietSite();
  const hash = await givePicture(site, ADA);
  const browser = await openBrowser(site, ADA);
  for (const path of paths) {
    const answer = await browser.get(`/avatars${path.replaceAll("HASH", hash)}`);
    expect([200, 302, 400, 404], path).toContain(answer.status);
    expect(answer.headers.get("Content-Type")).not.toBe("image/webp");
    expect(answer.text).not.toMatch(/^RIFF|root:/);
  }
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const answer = await browser.request(`/avatars/${hash}`, { method, headers: { Origin: browser.origin } });
    expect(answer.status, method).toBeGreaterThanOrEqual(400);
    expect(answer.status, method).toBeLessThan(500);
  }
  expect((await browser.get(`/avatars/${hash}`)).status).toBe(200);
  expect(site.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("a data request gets the member's own picture or nothing", async () => {
  await using site = await openQuietSite();
  const theirs = await givePicture(site, TEAM, BLUE);
  const browser = await openBrowser(site, ADA);
  const answer = await browser.get(`/avatars/${theirs}.data`);
  expect(answer.text).not.toContain("RIFF");
  expect(answer.status).toBe(404);
});

test("logging out makes the browser forget what it kept, but not its cookies", async () => {
  await using site = await openQuietSite();
  for (const path of ["/", "/_.data"]) {
    const browser = await openBrowser(site, ADA);
    await browser.post("/", { intent: "scheme", scheme: "dawn" });
    const answer = await browser.post(path, { intent: "log-out" });
    expect(answer.headers.get("Clear-Site-Data")).toBe('"cache", "storage"');
    expect([...browser.cookies]).toEqual([["dormouse-scheme", "dawn"]]);
  }
});

test("a log-in notes the browser in words, and so does the list of devices", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const userAgent = "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
  const fields = new URLSearchParams({ intent: "log-in", email: ADA, password: "sleep-well-tonight" });
  await browser.request("/login", {
    method: "POST",
    body: fields,
    headers: { Origin: browser.origin, "User-Agent": userAgent },
  });
  const member = await site.services.accounts.findByEmail(ADA);
  const [token] = browser.cookies.values();
  expect(await site.services.sessions.list(member?.id ?? 0, token)).toMatchObject([
    { device: "Firefox on Linux", isThis: true },
  ]);
});
