import { expect, test } from "vitest";

import { createAuthenticator, type Lie } from "../helpers/authenticator.ts";
import { type Desk, openDesk, OPERATOR_PASSWORD } from "../helpers/desk.ts";
import { readHeading, readWords } from "../helpers/page.ts";
import { openQuietSite, type Site } from "../helpers/site.ts";

const access = "/desk/access";
const password = OPERATOR_PASSWORD;
const here = { host: "dormouse.test", origin: "http://dormouse.test" };

/** With a passkey that the desk does not know yet. */
async function openPasskey(site: Site) {
  const desk = await openDesk(site);
  const key = createAuthenticator({ ...here, user: `operator ${desk.operator.id}` });
  const send = (form: Record<string, string>) => desk.browser.post("/desk/passkeys", form);
  const begin = async (intent: string, form: Record<string, string> = {}): Promise<string> => {
    const { status, text } = await send({ intent, ...form });
    expect(status, text).toBe(200);
    return (JSON.parse(text) as { options: { challenge: string } }).options.challenge;
  };
  return {
    ...desk,
    send,
    begin,
    async add(lie?: Lie) {
      const challenge = await begin("begin-adding", { password });
      return send({ intent: "add", name: "A phone", response: key.register(challenge, lie) });
    },
    async logIn(lie?: Lie) {
      const response = key.sign(await begin("begin-log-in"), lie);
      return { response, answer: await send({ intent: "log-in", response }) };
    },
    key,
  };
}

async function listPasskeys({ services }: Site, { operator }: Pick<Desk, "operator">): Promise<string[]> {
  return (await services.operators.listPasskeys(operator.id)).map(({ name }) => name);
}

test("a passkey is added with the password, logs in without one, and each of its answers works once", async () => {
  await using site = await openQuietSite();
  const desk = await openPasskey(site);
  expect((await desk.add()).status).toBe(200);
  expect(await listPasskeys(site, desk)).toEqual(["A phone"]);

  await desk.browser.post("/desk", { intent: "log-out" });
  expect(readHeading((await desk.get(access)).text)).toBe("Log in to the desk");
  const { response, answer } = await desk.logIn();
  expect(answer.status).toBe(200);
  expect(readHeading((await desk.get(access)).text)).toBe("Your access");
  expect(await site.services.audit.list(2)).toMatchObject([
    { operator: desk.operator.email, action: "desk log-in", facts: { by: "passkey" } },
    { operator: desk.operator.email, action: "desk passkey added" },
  ]);

  await desk.browser.post("/desk", { intent: "log-out" });
  expect((await desk.send({ intent: "log-in", response })).status).toBe(400);
  expect(readHeading((await desk.get(access)).text)).toBe("Log in to the desk");
});

test("a session that was left open adds no passkey and shows no recovery codes: both need the password", async () => {
  await using site = await openQuietSite();
  const desk = await openPasskey(site);
  for (const form of [{}, { password: "not-my-password" }]) {
    const { status, text } = await desk.send({ intent: "begin-adding", ...form });
    expect([status, text]).toEqual([400, expect.stringContaining("That's not your password for the desk.")]);
  }
  const missing = await desk.act(access, "access recovery", { password: "" });
  expect([missing.status, readWords(missing.text)]).toEqual([
    400,
    expect.stringContaining("Enter your password for the desk."),
  ]);
  const wrong = await desk.act(access, "access recovery", { password: "not-my-password" });
  expect([wrong.status, readWords(wrong.text)]).toEqual([
    400,
    expect.stringContaining("That's not your password for the desk."),
  ]);
  expect(wrong.text).not.toContain("not-my-password");

  // Anyone may request the options of a log-in.
  const response = desk.key.register(await desk.begin("begin-log-in"));
  expect((await desk.send({ intent: "add", name: "A phone", response })).status).toBe(400);
  expect(await listPasskeys(site, desk)).toEqual([]);
});

test("a form that waited for a new log-in is unfolded again, without the password that was in it", async () => {
  await using site = await openQuietSite();
  const desk = await openPasskey(site);
  await desk.add();
  await site.db.deleteFrom("operatorSessions").execute();
  expect((await desk.act(access, "access recovery", { password })).status).toBe(303);
  await desk.logIn();
  const { text } = await desk.get(access);
  expect(text).toMatch(/<details[^>]* open[^>]*><summary[^>]*>Make new recovery codes/);
  expect(text).not.toContain(password);
});

test("guesses of the password are limited, as those of a log-in are", async () => {
  await using site = await openQuietSite();
  const desk = await openPasskey(site);
  const guess = { intent: "begin-adding", password: "not-my-password" };
  for (let count = 0; count < 10; count += 1) expect((await desk.send(guess)).status).toBe(400);
  const { status, headers } = await desk.send({ ...guess, password });
  expect([status, headers.get("Retry-After")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  const codes = await desk.act(access, "access recovery", { password });
  expect([codes.status, readWords(codes.text)]).toEqual([400, expect.stringContaining("Too many attempts.")]);
});

const lies: [what: string, lie: Lie][] = [
  ["made on another site's page", { origin: "https://evil.example" }],
  ["made for another host", { host: "evil.example" }],
  ["made without asking for a finger, a face or a PIN", { flags: 0x01 }],
];

test.each(lies)("a passkey %s is not added, and its answer logs no one in", async (_, lie) => {
  await using site = await openQuietSite();
  const desk = await openPasskey(site);
  expect((await desk.add(lie)).status).toBe(400);
  expect(await listPasskeys(site, desk)).toEqual([]);
  expect((await desk.add()).status).toBe(200);
  expect((await desk.logIn(lie)).answer.status).toBe(400);
  expect((await desk.logIn()).answer.status).toBe(200);
});

test("a copied key, whose counter is behind, logs no one in; nor does a key that the desk does not know", async () => {
  await using site = await openQuietSite();
  const desk = await openPasskey(site);
  await desk.add();
  expect((await desk.logIn({ counter: 9 })).answer.status).toBe(200);
  expect((await desk.logIn({ counter: 9 })).answer.status).toBe(400);
  const response = createAuthenticator({ ...here, user: `operator ${desk.operator.id}` }).sign(
    await desk.begin("begin-log-in"),
  );
  expect((await desk.send({ intent: "log-in", response })).status).toBe(400);
});
