import { expect, test } from "vitest";

import { ada, lena, logIn, tom } from "../helpers/account-page.ts";
import { createNewcomer, reachPayment } from "../helpers/newcomer.ts";
import { readWords } from "../helpers/page.ts";
import { openSite, openQuietSite } from "../helpers/site.ts";

/** Addresses with content for a member, as pages, as data for script, and as files. */
const contentPaths = [
  "/",
  "/?view=watch",
  "/?view=read&page=1",
  "/?view=learn",
  "/?view=read&item=1001",
  "/?view=watch&item=2001&play=1",
  "/?q=snoring",
  "/dashboard?view=read&item=1001",
];
const dataPaths = [
  "/_.data",
  "/_.data?view=read&item=1001",
  "/dashboard.data?view=watch",
  "/_.data?q=snoring&_routes=routes%2Fmember%2Fdashboard",
];
const filePaths = [
  "/media/sleep-cycles.webp",
  "/media/breathe-with-the-moon.mp4",
  "/media/breathe-with-the-moon.webm",
  "/media/breathe-with-the-moon.vtt",
  "/media/sleep-cycles.webp.data",
];

/** Words that are only in content. */
const contentWords = [
  "turn the brightness down",
  "A moon grows",
  "Breathe with the moon",
  "Sample text of the demo library",
];

const everyPath = [...contentPaths, ...dataPaths, ...filePaths];

test("a lapsed member gets no content, from whatever address", async () => {
  await using site = await openSite();
  const browser = await logIn(site, lena);
  for (const path of everyPath) {
    const answer = await browser.get(path);
    for (const words of contentWords) expect(answer.text, path).not.toContain(words);
    if (contentPaths.includes(path)) {
      expect(answer.text, path).toContain("No active subscription.");
      expect(answer.text).toContain("Contact us");
      expect(answer.text).toContain("Log Out");
      expect(answer.text).not.toContain('aria-label="Sections"');
    }
    if (filePaths.includes(path)) expect(answer.status, path).toBe(403);
  }
});

test("access ends with the subscription, in the middle of a session", async () => {
  await using site = await openSite();
  const browser = site.openBrowser();
  const member = await site.services.accounts.register({
    email: "short@dormouse.example",
    password: "sleep-well-tonight",
    firstName: "Sue",
    lastName: "Short",
    accountType: "individual",
  });
  await browser.logIn("short@dormouse.example");
  expect((await browser.get("/?view=read")).text).toContain("No active subscription.");
  const startsAt = site.clock();
  const endsAt = new Date(startsAt.getTime() + 3_600_000);
  await site.services.membership.grant({ memberId: member?.id ?? 0, planType: 1, startsAt, endsAt });
  expect((await browser.get("/?view=read")).text).toContain("Featured Articles");
  site.clock.advance(3_600_000);
  expect((await browser.get("/?view=read")).text).toContain("No active subscription.");
});

test("a payment opens the servers whose clocks are behind, too", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  for (const secondsBack of [10, 2 * 60 * 60]) {
    site.clock.advance(-secondsBack * 1000);
    expect((await visitor.browser.get("/")).text).not.toContain("No active subscription.");
    const membership = readWords((await visitor.browser.get("/?account=membership")).text);
    expect(membership).toMatch(/Yearly, until \d+ \w+ \d{4}. Doesn't renew\./);
  }
});

test("a sign-up opens nothing before it is paid, and everything after", async () => {
  await using site = await openSite();
  const visitor = createNewcomer(site);
  const expectNothing = async () => {
    for (const path of everyPath) {
      const answer = await visitor.browser.get(path);
      expect(answer.status, path).not.toBe(200);
      for (const words of contentWords) expect(answer.text, path).not.toContain(words);
    }
  };
  await expectNothing();
  await visitor.reachPayment();
  await visitor.pay({ card: "declined" });
  await expectNothing();
  const { location } = await visitor.pay({ card: "authentication" });
  await expectNothing();
  await visitor.browser.post(location ?? "", { intent: "complete" });
  // A restored browser has its session.
  await expectNothing();
  await visitor.browser.get("/signup?step=4");
  expect((await visitor.browser.get("/?view=read&item=1001")).text).toContain("turn the brightness down");
  expect((await visitor.browser.get("/media/sleep-cycles.webp")).status).toBe(200);
});

test("an active member gets the file, whole and by parts", async () => {
  await using site = await openSite();
  const browser = await logIn(site, tom);
  const whole = await browser.get("/media/breathe-with-the-moon.mp4");
  expect(whole.status).toBe(200);
  expect(whole.headers.get("Content-Type")).toBe("video/mp4");
  expect(whole.headers.get("Cache-Control")).toBe("private, max-age=86400");
  const part = await browser.get("/media/breathe-with-the-moon.mp4", { Range: "bytes=4-7" });
  expect(part).toMatchObject({ status: 206, text: "ftyp" });
  expect(part.headers.get("Content-Range")).toMatch(/^bytes 4-7\/\d+$/);
  expect((await browser.get("/media/breathe-with-the-moon.mp4", { Range: "bytes=99999999-" })).status).toBe(416);
  const captions = await browser.get("/media/breathe-with-the-moon.vtt");
  expect([captions.status, captions.headers.get("Content-Type")]).toEqual([200, "text/vtt; charset=utf-8"]);
  expect(captions.text).toMatch(/^WEBVTT\n\n/);
  expect((await browser.get("/media/nothing.webp")).status).toBe(404);
  const data = await browser.get("/media/breathe-with-the-moon.mp4.data");
  expect(data.text.length, "never whole in the framework's data format").toBeLessThan(1000);
  expect((await browser.get("/media/..%2Farticles%2F1001.md")).status).toBe(404);
});

test("a member has sixty-four files on their way at most, and more once one has ended or its reader has left", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const headers = { Cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; ") };
  const ask = async (init: RequestInit = {}) => {
    const request = new Request(`${browser.origin}/media/breathe-with-the-moon.mp4`, { headers, ...init });
    return (await site.handler(request, "198.51.100.1")).response;
  };
  const visit = new AbortController();
  const [first] = [await ask(), await ask({ signal: visit.signal })];
  for (let count = 2; count < 64; count += 1) expect((await ask()).status).toBe(200);

  const refused = await ask();
  expect([refused.status, refused.headers.get("Retry-After"), refused.headers.get("Cache-Control")]).toEqual([
    429,
    "10",
    "no-store",
  ]);
  expect((await ask({ method: "HEAD" })).status, "no file is sent for a HEAD").toBe(200);
  expect((await first.bytes()).byteLength).toBe(Number(first.headers.get("Content-Length")));
  expect((await ask()).status, "one has been read to its end").toBe(200);
  expect((await ask()).status).toBe(429);
  visit.abort();
  await expect.poll(async () => (await ask()).status, { message: "a reader has left" }).toBe(200);
});
