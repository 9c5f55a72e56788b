import { expect, test } from "vitest";

import { forms } from "../../server/refusals.ts";
import { ada, logIn } from "../helpers/account-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { readHeading, readWords } from "../helpers/page.ts";
import { type Answer, type Browser, openSite, type Site } from "../helpers/site.ts";
import { fillPattern, patterns } from "../safety/addresses.ts";

/** The headers of a page request and of a form. */
const asPage = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const asForm = { ...asPage, Origin: "http://dormouse.test", "Sec-Fetch-Site": "same-origin" };

/** For the names in a path: existing and missing things. */
const samples: Record<string, string[]> = {
  "/kept/:key?": ["nothing", "read-1001", "read-999999", "awake"],
  "/media/:name": ["nothing.webp", "sleep-cycles.webp"],
  "/api/*": ["nothing", "media/getreads", "openapi.json"],
  "/webhooks/:sender": ["nothing", "cms", "cards"],
};

const paths = patterns.flatMap(({ pattern }) =>
  (samples[pattern] ?? ["nothing"]).map((value) => fillPattern(pattern, [value, "nothing"])),
);

/** Each is refused somewhere: as no form, for what it names, or for its sender. */
const someForms = [
  { intent: "nothing" },
  { save: "read-1001", keep: "nothing", from: "/" },
  { save: "read-999999", open: "read-999999", intent: "scheme", scheme: "noon" },
];

const malformed = [
  "/login%0dx",
  "/login%0ax",
  "/login%E2%80%A8x",
  "/login%00",
  "/%0d%0a",
  "/media/%0dx",
  "/kept/a%00b",
  "/desk%0a",
];

/** A page of ours, with one heading and nothing for programs or developers. */
function expectPage({ status, headers, text }: Answer, what: string): void {
  expect(headers.get("Content-Type"), what).toBe("text/html; charset=utf-8");
  expect(readHeading(text), what).toMatch(/^\S/);
  expect(readWords(text), what).not.toMatch(/Error:|[{}]|Unexpected Server|undefined/);
  expect(headers.get("X-Content-Type-Options"), what).toBe("nosniff");
  // A proxy's own page lacks it: see `public/service-worker.js`.
  expect(headers.has("X-Dormouse"), what).toBe(status >= 500);
  if (status === 503) expect(headers.get("Retry-After"), what).toMatch(/^\d+$/);
}

const people: Record<string, (site: Site) => Promise<Browser>> = {
  visitor: async (site) => site.openBrowser(),
  "lapsed member": (site) => logIn(site, "lapsed@dormouse.example"),
  member: (site) => logIn(site, ada),
  operator: async (site) => (await openDesk(site)).browser,
};

test.each(Object.entries(people))(
  "each refusal to a %s, on each route, is a page without script",
  async (_who, open) => {
    await using site = await openSite({ API_KEY: "a-key-that-is-hard-to-guess" });
    const browser = await open(site);
    const seen = new Set<number>();
    const check = (answer: Answer, what: string) => {
      if (answer.status < 400) return;
      seen.add(answer.status);
      expectPage(answer, `${answer.status} ${what}`);
    };
    for (const path of paths) {
      check(await browser.get(`${path}?item=999999&view=read&company=9`, asPage), `GET ${path}`);
      check(await browser.request(path, { method: "PUT", headers: asForm }), `PUT ${path}`);
      check(await browser.request(path, { method: "PROPFIND", headers: asForm }), `PROPFIND ${path}`);
      for (const fields of someForms) check(await browser.post(path, fields, asForm), `POST ${path} ${fields.intent}`);
      check(await browser.post(path, {}, { ...asPage, Origin: "https://evil.example" }), `from elsewhere ${path}`);
    }
    expect([...seen]).toEqual(expect.arrayContaining([400, 401, 403, 404, 405]));
    expect(site.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  },
);

test.each(malformed)("%s is an address that does not exist, for all browsers", async (path) => {
  await using site = await openSite();
  for (const browser of [site.openBrowser(), await logIn(site, ada)]) {
    const answer = await browser.get(path, asPage);
    expect([404, 403]).toContain(answer.status);
    expectPage(answer, path);
    expect(readWords(answer.text)).not.toContain("No route");
  }
});

test("the page of a refusal says why, in the chosen scheme, and leads on", async () => {
  await using site = await openSite();
  const lapsed = await logIn(site, "lapsed@dormouse.example");
  lapsed.cookies.set("dormouse-scheme", "dawn");
  const answer = await lapsed.post("/favourites", { save: "read-1001", from: "/" }, asForm);
  expect(answer.status).toBe(403);
  expect(readWords(answer.text)).toContain(forms["no-subscription"]);
  expect(answer.text).toContain('data-scheme="dawn"');
  expect(answer.text).toContain('href="/">Go to the dashboard</a>');
  const head = await lapsed.request("/favourites", { method: "HEAD", headers: asPage });
  expect(head.text).toBe("");
});

test.each([
  ["script of ours", "/demo-gateway/methods", { Accept: "*/*" }, /^application\/json/],
  ["a picture's element", "/media/x.webp", { Accept: "image/avif,image/webp,*/*;q=0.8" }, /^application\/json/],
  ["a program that refuses HTML", "/media/x.webp", { Accept: "text/html;q=0, */*" }, /^application\/json/],
  [
    "a program with the key of the API",
    "/api/nothing",
    { Accept: "text/html, */*; q=.2", "X-Api-Key": "x" },
    /^text\/plain/,
  ],
  ["a balancer", "/webhooks/stripe", {}, /^text\/plain/],
])("%s gets its refusal as before", async (...row) => {
  const [, path, headers, type] = row;
  await using site = await openSite();
  const answer = await site.openBrowser().request(path, {
    method: path === "/demo-gateway/methods" ? "POST" : "GET",
    ...(path === "/demo-gateway/methods" && { body: new URLSearchParams() }),
    headers: { Origin: "http://dormouse.test", Cookie: "dormouse-session=x", ...headers },
  });
  expect(answer.headers.get("Content-Type") ?? "text/plain").toMatch(type);
});
