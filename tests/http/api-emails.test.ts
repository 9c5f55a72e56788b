import { expect, test } from "vitest";

import { openApi, type ApiClient } from "../helpers/api-client.ts";
import { codeIn, emailsTo, linkIn } from "../helpers/mailbox.ts";

const ada = "member@dormouse.example";
const fresh = "a-quiet-hedge-at-dusk";

async function requestCode(client: ApiClient): Promise<string> {
  await client.call("resetPassword", { email: ada });
  return readCode(client);
}

async function readCode({ site }: ApiClient): Promise<string> {
  await site.services.outbox.deliver();
  return codeIn(emailsTo(ada, site.emails).at(-1));
}

async function changePassword({ site, findId }: ApiClient): Promise<void> {
  const change = { memberId: await findId(ada), oldPassword: "sleep-well-tonight", address: "192.0.2.1" };
  await site.services.profile.changePassword({
    ...change,
    currentToken: undefined,
    password: fresh,
    confirmation: fresh,
  });
}

test("a password is reset in three steps that share nothing but address and code", async () => {
  await using client = await openApi();
  const before = await client.grabToken(ada);
  const answer = await client.call("resetPassword", { email: ada });
  expect([answer.status, answer.json.data.status]).toEqual([200, 200]);
  const code = await readCode(client);
  expect((await client.call("validateCode", { email: ada, code })).status).toBe(200);
  expect((await client.call("validateCode", { email: ada.toUpperCase(), code })).status).toBe(200);
  const short = await client.call("setPassword", { email: ada, code, password: "short" });
  expect([short.status, short.json.message]).toEqual([400, "Password must be at least 8 characters long"]);
  expect((await client.call("setPassword", { email: ada, code, password: fresh })).status).toBe(200);
  expect(await client.grabToken(ada, fresh)).toMatch(/^[\w-]{43}$/);
  const id = await client.findId(ada);
  expect((await client.call("getsubscriptionstatus", { id }, { token: before })).status).toBe(401);
  // Once: the code is used up.
  for (const call of ["validateCode", "setPassword"] as const) {
    expect((await client.call(call, { email: ada, code, password: "another-night-awake" })).status).toBe(400);
  }
});

test("the last step alone is enough, and a code expires after ten minutes", async () => {
  await using client = await openApi();
  const code = await requestCode(client);
  expect((await client.call("setPassword", { email: ada, code, password: "password" })).status).toBe(400);
  client.site.clock.advance(5 * 60_000);
  expect((await client.call("setPassword", { email: ada, code, password: fresh })).status).toBe(200);

  const second = await requestCode(client);
  expect((await client.call("validateCode", { email: ada, code: second })).status).toBe(200);
  client.site.clock.advance(11 * 60_000);
  expect((await client.call("setPassword", { email: ada, code: second, password: "moss-lantern-42" })).status).toBe(
    400,
  );
});

test("known and unknown addresses get one answer, and five wrong codes end the right one", async () => {
  await using client = await openApi();
  const known = await client.call("resetPassword", { email: ada });
  const unknown = await client.call("resetPassword", { email: "nobody@example.org" });
  expect(known.text).toBe(unknown.text);
  const code = await readCode(client);
  const wrong = wrongThan(code);
  const guesses = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(() => client.call("setPassword", { email: ada, code: wrong, password: fresh })),
  );
  expect(guesses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
  expect((await client.call("setPassword", { email: ada, code, password: fresh })).status).toBe(400);
  expect((await client.call("resetPassword", { email: "ada" })).json.message).toBe(
    "Please enter a valid email address",
  );
  const guessed = await client.call("validateCode", { email: "nobody@example.org", code: "123456" });
  expect(guessed.status).toBe(400);
});

const wrongThan = (code: string) => (code === "111111" ? "222222" : "111111");
const elsewhere = { headers: { "X-Client-Address": "203.0.113.9" } };

test.each(["validateCode", "setPassword"] as const)(
  "a right code survives four wrong ones and a bad password, but not a fifth, from any network (%s)",
  async (call) => {
    await using client = await openApi();
    const code = await requestCode(client);
    expect((await client.call("validateCode", { email: ada, code })).status).toBe(200);
    const guess = { email: ada, code: wrongThan(code), password: fresh };
    for (let count = 0; count < 4; count += 1) expect((await client.call(call, guess, elsewhere)).status).toBe(400);
    const late = { email: ada, code, password: fresh };
    expect((await client.call("setPassword", { ...late, password: "short" })).status).toBe(400);
    const spaced = { email: ada, code: `${code.slice(0, 3)} ${code.slice(3)}` };
    expect((await client.call("validateCode", spaced)).status).toBe(200);
    expect((await client.call(call, guess, elsewhere)).status).toBe(400);
    expect((await client.call("validateCode", late, elsewhere)).status).toBe(400);
    expect((await client.call("setPassword", late)).status).toBe(400);
    expect(await client.grabToken(ada)).toMatch(/^[\w-]{43}$/);
    // The owner of the inbox begins again.
    client.site.clock.advance(61_000);
    const second = { ...late, code: await requestCode(client) };
    expect((await client.call("setPassword", second)).status).toBe(200);
  },
);

test("answers are counted after a right code too, and one too many is refused", async () => {
  await using client = await openApi();
  const code = await requestCode(client);
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1) {
    const headers = { "X-Client-Address": `203.0.113.${count}` };
    const guess = count % 2 === 0 ? "validateCode" : "setPassword";
    statuses.push((await client.call(guess, { email: ada, code, password: "short" }, { headers })).status);
  }
  expect(new Set(statuses.slice(0, 30))).toEqual(new Set([200, 400]));
  expect(statuses.at(-1)).toBe(429);
  const input = { email: ada, code, password: fresh };
  expect((await client.call("setPassword", input, elsewhere)).status).toBe(429);
});

test("twenty simultaneous guesses after a right code count as five", async () => {
  await using client = await openApi();
  const code = await requestCode(client);
  await client.call("validateCode", { email: ada, code });
  const wrong = { email: ada, code: wrongThan(code) };
  await Promise.all(Array.from({ length: 20 }, () => client.call("validateCode", wrong, elsewhere)));
  expect((await client.call("validateCode", { email: ada, code })).status).toBe(400);
});

test("a new email after a change of password does not revive an older code", async () => {
  await using client = await openApi();
  const code = await requestCode(client);
  await client.call("validateCode", { email: ada, code });
  await changePassword(client);
  client.site.clock.advance(61_000);
  const answer = { email: ada, code: await requestCode(client), address: "192.0.2.1" };
  expect(await client.site.services.passwordReset.checkCode(answer)).toMatchObject({ ok: true });
  expect((await client.call("setPassword", { email: ada, code, password: "moss-lantern-42" })).status).toBe(400);
});

test("a password that changes just as a code is found right ends that code", async () => {
  await using client = await openApi();
  const { passwordReset } = client.site.services;
  const { checkCode } = passwordReset;
  // Everything is real; another process only interrupts.
  passwordReset.checkCode = async (answer) => {
    const checked = await checkCode(answer);
    await changePassword(client);
    return checked;
  };
  const input = { email: ada, code: await requestCode(client), password: "moss-lantern-42" };
  expect((await client.call("setPassword", input)).status).toBe(400);
  expect(await client.grabToken(ada, fresh)).toMatch(/^[\w-]{43}$/);
});

test("a query may carry credentials only where the settings say so", async () => {
  const query = `?email=${encodeURIComponent(ada)}`;
  const headers = { "X-Api-Key": "canary-key-3f9a1c77d2" };
  await using strict = await openApi();
  const refused = await strict.request(`/api/bdpwr/v1/reset-password${query}`, { method: "POST", headers });
  expect(refused.status).toBe(400);
  await using lenient = await openApi({ API_QUERY_CREDENTIALS: "true" });
  const path = "/api/bdpwr/v1/";
  expect((await lenient.request(`${path}reset-password/${query}`, { method: "POST", headers })).status).toBe(200);
  const code = await readCode(lenient);
  const answer = `${query}&code=${code}`;
  expect((await lenient.request(`${path}validate-code${answer}`, { method: "POST", headers })).status).toBe(200);
  const set = await lenient.request(`${path}set-password${answer}&password=${fresh}`, { method: "POST", headers });
  expect(set.status).toBe(200);
  const login = await lenient.request(`/api/users/grabtoken${query}&password=${fresh}`, { method: "POST", headers });
  expect(login.status).toBe(400);
});

const verification = {
  name: "verification",
  email: "nora@example.org",
  first_name: "Nora",
  code: "123456",
  token: "abcdefghijklmnop",
};

test("a front's verification email has our text, with its code and its link", async () => {
  await using client = await openApi();
  const site = "https://front.example/members";
  expect((await client.call("sendemail", { ...verification, site, subject: "Win a prize" })).status).toBe(200);
  await client.site.services.outbox.deliver();
  const [mail] = emailsTo("nora@example.org", client.site.emails);
  expect(mail?.subject).toMatch(/^\d{6}: Confirm your email address$/);
  expect([codeIn(mail), linkIn(mail)]).toEqual(["123456", `${site}/signup?verify=abcdefghijklmnop`]);
  expect(mail?.text).not.toContain("prize");
});

test("only known templates are sent, filled with facts, and at most six an hour to one address", async () => {
  await using client = await openApi();
  for (const bad of [
    { name: "newsletter", email: ada },
    { email: ada, subject: "Hello", body: "Buy this" },
    { ...verification, code: "visit evil.example" },
    { ...verification, first_name: "" },
    { ...verification, first_name: "x".repeat(81) },
    { ...verification, token: "https://evil.example" },
    { ...verification, site: "javascript:alert(1)" },
    { ...verification, email: "nora" },
    { name: "welcome", email: "nobody@example.org" },
    { name: "welcome", email: "lapsed@dormouse.example" },
  ]) {
    expect((await client.call("sendemail", bad)).status, JSON.stringify(bad)).toBeGreaterThanOrEqual(400);
  }
  for (const name of ["welcome", "welcome", "password-reset"]) {
    expect((await client.call("sendemail", { name, email: ada })).status).toBe(200);
  }
  await client.site.services.outbox.deliver();
  expect(emailsTo(ada, client.site.emails)).toHaveLength(2);
  const statuses: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    const token = `abcdefghijklmno${count}${count}`;
    statuses.push((await client.call("sendemail", { ...verification, email: "max@example.org", token })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
});
