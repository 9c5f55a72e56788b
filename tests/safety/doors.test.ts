import { expect, test } from "vitest";

import { parseItemKey } from "../../server/content/items/kinds.ts";
import { ada, logIn, tom } from "../helpers/account-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { readEverything } from "../helpers/full-database.ts";
import { openSite, type Answer, type Browser, openQuietSite } from "../helpers/site.ts";
import { toDataPath, fillPattern, patterns } from "./addresses.ts";
import { walkSite } from "./crawl.ts";
import { emailAddresses } from "./fuzz-people.ts";
import { expectSafeHeaders } from "./sound.ts";

/**
 * Each route's answer to a visitor, to a member whose membership is over, and to an active one, as a page and as data
 * for script (where a redirect is a 202). A new route needs a line here, except for the desk's, which are for operators
 * alone.
 */
const whoSees: Record<string, [visitor: number, lapsed: number, member: number]> = {
  "/": [302, 200, 200],
  "/dashboard": [302, 200, 200],
  "/signup": [200, 302, 302],
  "/signmeup": [302, 302, 302],
  "/login": [200, 302, 302],
  "/give": [200, 200, 200],
  "/given": [404, 404, 404],
  "/gift": [200, 200, 200],
  "/gift-letter": [302, 302, 302],
  "/passkeys": [404, 404, 404],
  "/account-data": [302, 200, 200],
  "/favourites": [302, 302, 302],
  "/awake": [302, 302, 302],
  "/nights/:topic": [302, 302, 200],
  "/kept/:key?": [403, 403, 200],
  "/positions": [302, 302, 302],
  "/media/:name": [403, 403, 200],
  "/newsletter": [404, 404, 404],
  "/privacy": [200, 200, 200],
  "/terms": [200, 200, 200],
  "/avatars/:hash": [404, 404, 404],
  "/demo-gateway/methods": [404, 404, 404],
  "/demo-gateway/card/:id": [404, 404, 404],
  "/demo-gateway/authenticate/:id": [404, 404, 404],
  "/demo-gateway/debit/:id": [404, 404, 404],
  "/webhooks/:sender": [405, 405, 405],
  "/api/*": [401, 401, 401],
  "/payment-return": [303, 303, 303],
  // The log-in, here and in place of each screen.
  "/desk": [200, 200, 200],
  ...Object.fromEntries(
    patterns
      .filter(({ pattern }) => pattern.startsWith("/desk/"))
      .map(({ pattern }): [string, [number, number, number]] => [pattern, [403, 403, 403]]),
  ),
  "/desk/passkeys": [404, 404, 404],
  "/company": [200, 200, 200],
  "/company/poster": [403, 403, 403],
  "/company/invoices/:number": [403, 403, 403],
  "/company/what-your-employer-sees": [200, 200, 200],
  "/company/collections.csv": [403, 403, 403],
  "/company/*": [404, 404, 404],
  "/healthz": [200, 200, 200],
  "/readyz": [200, 200, 200],
  "/urgent-help": [403, 403, 200],
  "/suggestions": [403, 403, 200],
  "/*": [404, 404, 404],
};
const samples: Record<string, string> = {
  "/nights/:topic": "cant-get-to-sleep",
  "/kept/:key?": "read-1001",
  "/media/:name": "sleep-cycles.webp",
  "/avatars/:hash": "a".repeat(64),
  "/api/*": "media/getreads",
};

test("each route is guarded for its audience, as a page and as data, with the right headers", async () => {
  await using site = await openSite({ API_KEY: "a-key-that-is-hard-to-guess" });
  // The first operator: there is no desk before.
  await openDesk(site);
  const people = [site.openBrowser(), await logIn(site, "lapsed@dormouse.example"), await logIn(site, ada)];
  const seen: typeof whoSees = {};
  for (const { pattern } of patterns) {
    const path = fillPattern(pattern, [samples[pattern] ?? "x"]);
    const answers = await Promise.all(people.map((browser) => browser.get(path)));
    const data = await Promise.all(people.map((browser) => browser.get(toDataPath(path))));
    for (const answer of [...answers, ...data]) expectSafeHeaders(answer.headers, path);
    seen[pattern] = answers.map(({ status }) => status) as [number, number, number];
    const asData = (status: number) => {
      // A file has no data format.
      if (pattern === "/media/:name" && status === 200) return 404;
      // A quiet page is a document alone.
      if (/^\/(?:awake|nights|kept|newsletter)/.test(pattern)) return 204;
      return status === 302 || status === 303 ? 202 : status;
    };
    const expected = seen[pattern].map(asData);
    expect(
      data.map(({ status }) => status),
      path,
    ).toEqual(expected);
  }
  expect(seen).toEqual(whoSees);
});

test("GET and HEAD change no row on any route", async () => {
  await using site = await openSite();
  const people = [site.openBrowser(), await logIn(site, ada), await logIn(site, "lapsed@dormouse.example")];
  const before = await readEverything(site.database);
  for (const browser of people) {
    const { pages } = await walkSite(browser, emailAddresses);
    for (const [address, { status }] of pages) {
      const answer = await browser.request(address, { method: "HEAD" });
      expect([address, answer.status, answer.text]).toEqual([address, status, ""]);
    }
  }
  expect(await readEverything(site.database)).toEqual(before);
});

test("every page of a member has Log Out", async () => {
  await using site = await openSite();
  for (const email of [ada, "lapsed@dormouse.example"]) {
    const { pages } = await walkSite(await logIn(site, email));
    const documents = [...pages].filter(
      // Awake now shows one piece, a guide's nights a few, with a link to all others. A company's page, sign-up and the
      // public documents are no member's.
      ([address, { text, status }]) =>
        status === 200 &&
        text.startsWith("<!") &&
        !/^\/(?:awake|nights|login|company|signup|give|gift|privacy|terms)/.test(address),
    );
    expect(documents.length).toBeGreaterThan(4);
    for (const [address, { text }] of documents) expect(text, address).toContain('name="intent" value="log-out"');
  }
});

/** Between members and app: it stores whatever it may, for all requests alike. */
function openCache() {
  const saved = new Map<string, Answer>();
  return async (browser: Browser, address: string): Promise<Answer> => {
    const found = saved.get(address);
    if (found) return found;
    const answer = await browser.get(address);
    if (!/private|no-store/.test(answer.headers.get("Cache-Control") ?? "")) saved.set(address, answer);
    return answer;
  };
}

test("two members behind one cache each see their own pages", async () => {
  await using site = await openSite();
  const [first, second] = [await logIn(site, ada), await logIn(site, tom)];
  const ask = openCache();
  const { pages } = await walkSite(first);
  for (const address of [...pages.keys()].flatMap((each) => [each, toDataPath(each)])) {
    await ask(first, address);
    const { text } = await ask(second, address);
    for (const hers of ["Ada Lovell", ada]) expect(text, address).not.toContain(hers);
  }
});

/** Every permitted field name of a page's data. A person has to approve a new one. */
const allowed = new Set(
  `root data routes/member/dashboard routes/door/login routes/door/signup json scheme productName
  site agency name url origin memberName avatar screen heading favourited from account
  row flash path closePath memberId profile firstName lastName email pendingEmail pendingUntil canChange contactEmail capabilities canChangePassword canLogInWithoutPassword hasLink isSent hasPasskeys offersPasskey passkeys isFresh isPasswordOff turnsOn canClose canRenew canCancel canGetNewsletter canGive holdsAll newsletter gifts
  membership text company renewalToken isSoldElsewhere cancellable until receipts receiptCount refund devices shown hasOthers id lastUsed isThis unsent isRemembering
  number paidOn amount isActive
  started key left position index
  kind listed featured latest cards page pageCount title author date picture isFilm isSilent silence isForHelp hasHelp length durationInSeconds isRecording sound playMinutes m4a type text src alt width height widths ground scene isChosen
  item isPlaying recommended bodyHtml transcriptHtml reviewed sampleNote video listings favourites total
  term order counts results nearest perhaps quiet searched isPastHelp guide intro first sounds nights isPlayable played startAt readAt steps why recordings mark hasAwake canSearch suggestion day reviewedDay sections section filters watch listen read learn excerpt anchor age isLiteral corrected also isForeign others near isNear path from isAll seconds more heading links cue undo
  line contact tel card contacts opening about note
  progress percent tab groups topic`.split(/\s+/),
);

/** Columns' names, in code and in raw SQL. The member's number is allowed: forms carry it. */
const secrets = [
  "passwordHash",
  "password_hash",
  "offPasswordHash",
  "emailKey",
  "email_key",
  "tokenHash",
  "token_hash",
  "member_id",
  "$argon2",
];

test("page data has only the fields that its screen shows", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await browser.post("/positions", { keep: "watch-2001", seconds: "60", duration: "300", age: "0" });
  const parts = ["open", "membership", "password", "devices", "stopped", "newsletter", "data", "close"].map(
    (part) => `/?account=${part}`,
  );
  const names = new Set<string>();
  for (const address of [
    "/",
    "/?view=watch",
    "/?view=read&item=1001",
    "/?view=favourites",
    "/?q=sleep",
    "/?q=menopause",
    ...parts,
  ]) {
    const { text } = await browser.get(toDataPath(address));
    const values = JSON.parse(text.split("\n")[0] ?? "") as unknown[];
    // In the framework's format an object has numbers for its names and values.
    for (const value of values) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
      for (const key of Object.keys(value)) names.add(String(values[Number(key.slice(1))]));
    }
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
  // A member's progress has the item's key as its name.
  expect([...names].filter((name) => !allowed.has(name) && !parseItemKey(name))).toEqual([]);
});

const extras = {
  id: "1",
  memberId: "1",
  role: "admin",
  hasActiveSubscription: "true",
  isAdmin: "1",
  price: "0",
  amountInPence: "0",
  planType: "3",
  state: "completed",
  "__proto__.isActive": "true",
  "constructor[prototype][isActive]": "true",
};

test("extra form fields lead to no membership, lower price or other account", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, "lapsed@dormouse.example");
  const before = await readEverything(site.database);
  for (const intent of ["scheme", "devices", "email-cancel"])
    await browser.post("/?account=open", { intent, scheme: "dawn", ...extras });
  const after = await readEverything(site.database);
  for (const table of ["members", "subscriptions", "orders", "payments", "codes"])
    expect(after[table]).toEqual(before[table]);
  expect(({} as { isActive?: string }).isActive).toBeUndefined();
  expect((await browser.get("/?view=read")).text).toContain("No active subscription.");
});
