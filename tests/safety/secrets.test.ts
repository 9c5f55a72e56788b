import { expect, test } from "vitest";

import { ada, changePassword, logIn, findMember } from "../helpers/account-page.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { readValue } from "../helpers/page.ts";
import { type Answer, type Site, openQuietSite } from "../helpers/site.ts";

/** How each form accepts a new password: 303 or, at sign-up, the next step. */
const forms: [name: string, set: (site: Site, password: string) => Promise<Answer>][] = [
  [
    "sign-up",
    (site, password) =>
      createNewcomer(site, { email: `n${password.length}@example.org` }).enterDetails({
        password,
        passwordConfirmation: password,
      }),
  ],
  [
    "a change",
    async (site, password) => changePassword(await logIn(site, ada), { password, passwordConfirmation: password }),
  ],
];

const tooShort = ["7 chars", "🌙🦔🌧🍵🕯🧸🐁", "1234567"];
const tooCommon = ["password1", "dormouse2026!", "12345678", "qwertyuiop"];
const fine = [
  "eightowl",
  "nine owls",
  " spaces at the ends ",
  "🌙🦔🌧🍵🕯🧸🐁🐘",
  "x7".padEnd(64, "sleep well "),
  "x7".padEnd(1024, "sleep well "),
];

test.each(forms)(
  "the rules for a password are the same at %s: eight characters of any kind, and none that is common",
  async (_name, set) => {
    await using strict = await openQuietSite();
    for (const password of [...tooShort, ...tooCommon]) {
      expect((await set(strict, password)).status, password).toBe(400);
    }
    for (const password of fine) {
      await using site = await openQuietSite();
      expect((await set(site, password)).status, password).toBe(303);
    }
  },
);

test("every byte of a long password counts, and neither edges nor capitals are changed", async () => {
  await using site = await openQuietSite();
  const long = "x7 sleep well ".repeat(6).slice(0, 72);
  const set = { password: `${long}A `, passwordConfirmation: `${long}A ` };
  expect((await changePassword(await logIn(site, ada), set)).status).toBe(303);
  const tryIt = async (password: string) =>
    (await site.openBrowser().post("/login", { intent: "log-in", email: ada, password })).status;
  for (const near of [long, `${long}A`, `${long}B `, `${long}a `, ` ${long}A `])
    expect(await tryIt(near), near).toBe(400);
  expect(await tryIt(`${long}A `)).toBe(303);
});

test("password fields hide what is typed, allow pasting and managers, and never come back filled", async () => {
  await using site = await openQuietSite();
  const visitor = site.openBrowser();
  const member = await logIn(site, ada);
  const pages = [
    ...(await Promise.all(["/login", "/signup?step=1"].map((path) => visitor.get(path)))),
    await member.get("/?account=password"),
    await member.get("/?account=close"),
  ];
  const fields = pages.flatMap(({ text }) =>
    [...text.matchAll(/<input[^>]*name="\w*[pP]assword\w*"[^>]*>/g)].map(([tag]) => tag),
  );
  expect(fields.length).toBeGreaterThan(6);
  for (const tag of fields) {
    expect(tag).toContain('type="password"');
    expect(tag).toMatch(/autocomplete="(?:current|new)-password"/i);
    expect(tag).not.toMatch(/ onpaste| readonly| maxlength="(?!1024")/i);
    expect(readValue(tag, /name="(\w+)"/.exec(tag)?.[1] ?? "") ?? "").toBe("");
  }
});

test("a thousand sessions have a thousand tokens of 256 bits, in which every sign is as frequent as any other", async () => {
  await using site = await openQuietSite();
  const { id } = await findMember(site, ada);
  const tokens = new Set<string>();
  const signs = new Map<string, number>();
  for (let count = 0; count < 1000; count += 1) tokens.add((await site.services.sessions.start(id)).token);
  expect(tokens.size).toBe(1000);
  for (const token of tokens) {
    expect(token).toMatch(/^[\w-]{43}$/);
    // The last character carries only four bits.
    for (const sign of token.slice(0, -1)) signs.set(sign, (signs.get(sign) ?? 0) + 1);
  }
  // 656 each are expected with a deviation of 25: six deviations do not happen.
  expect(signs.size).toBe(64);
  for (const [sign, count] of signs) expect(Math.abs(count - 656), sign).toBeLessThan(150);
});
