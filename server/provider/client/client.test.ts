import { expect, test } from "vitest";

import { type HostileProvider, type Manner, openHostileProvider } from "../../../tests/fakes/hostile-provider.ts";
import { createQuietLog } from "../../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { createProviderClient } from "./client.ts";

const KEY = "canary-key-3f9a1c77d2";
const TOKEN = "canary-token-0a1b2c3d4e";

async function openLine(manner: Manner, url?: (provider: HostileProvider) => string) {
  const provider = await openHostileProvider();
  provider.behave(manner);
  const log = createQuietLog();
  const clock = createTestClock();
  const client = createProviderClient({ ...provider, ...(url && { url: url(provider) }), key: KEY, clock, log });
  return { provider, client, clock, log, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
}

const USER = { id: 7, first_name: "Ada", last_name: "Lovell", email: "ada@dormouse.example" };

test("a call goes to its path with key, token and the person's address, and its answer is read", async () => {
  await using line = await openLine({ json: true });
  const how = { token: TOKEN, address: "198.51.100.7" };
  expect(await line.client.call("getsubscriptionstatus", { id: 7 }, how)).toEqual({ ok: true, answer: true });
  const [seen] = line.provider.seen;
  expect(seen).toMatchObject({ method: "GET", path: "subscription/getsubscriptionstatus", body: "" });
  expect(seen?.query.toString()).toBe("id=7");
  expect(seen?.headers).toMatchObject({
    "x-api-key": KEY,
    authorization: TOKEN,
    "x-client-address": "198.51.100.7",
  });
});

test.each([USER, { data: { user: { ID: "7" } }, ...USER, id: undefined }, { ...USER, id: "7", extra: [] }])(
  "a user is read in either shape: %j",
  async (json) => {
    await using line = await openLine({ json });
    const credentials = { email: "ada@dormouse.example", password: "sleep-well-tonight" };
    const outcome = await line.client.call("login", credentials, { token: TOKEN });
    expect(outcome).toMatchObject({ ok: true, answer: { id: 7, firstName: "Ada", email: "ada@dormouse.example" } });
    expect(JSON.parse(line.provider.seen[0]?.body ?? "")).toEqual(credentials);
  },
);

test("a provider gets a domain in ASCII, which any takes", async () => {
  await using line = await openLine({ json: { jwt_token: "a.b.c" } });
  await line.client.call("grabtoken", { email: "otto@müller.example", username: "otto@müller.example", password: "x" });
  const ascii = "otto@xn--mller-kva.example";
  expect(JSON.parse(line.provider.seen[0]?.body ?? "")).toEqual({ email: ascii, username: ascii, password: "x" });
});

test.each([
  { jwt_token: "a.b.c" },
  { data: { jwt_token: "a.b.c" } },
  { jwt_token: null, data: { jwt_token: "a.b.c", id: 1 } },
])("a token is read from either place: %j", async (json) => {
  await using line = await openLine({ json });
  expect(await line.client.call("grabtoken", { email: "a@b.example", password: "x" })).toEqual({
    ok: true,
    answer: "a.b.c",
  });
});

test("a token that could not stand in a header is none", async () => {
  await using line = await openLine({ json: { jwt_token: "a\r\nX-Evil: 1" } });
  await expect(line.client.call("grabtoken", { email: "a@b.example", password: "x" })).rejects.toThrow(
    /cannot be read/,
  );
});

test("slashes at the end of a path are those of the provider's own clients", async () => {
  await using line = await openLine({ json: { valid: true, message: "" } });
  const paths: string[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    paths.push((input as URL).pathname);
    return fetch(input, init);
  };
  try {
    await line.client.call("checkcouponvalidity", { productCode: "X" });
    await line.client.call("sendemail", { name: "welcome", email: "a@b.example" });
  } finally {
    globalThis.fetch = fetch;
  }
  expect(paths).toEqual(["/api/subscription/checkcouponvalidity/", "/api/email/sendemail"]);
});

test.each([
  [(at: string) => at, "/api/"],
  [(at: string) => `${at}/members/`, "/members/api/"],
  [(at: string) => `${at}/members/api`, "/members/api/"],
])("the API stands below the provider's site", async (toUrl, path) => {
  await using line = await openLine({ json: true }, ({ url }) => toUrl(url));
  expect(line.client.base.pathname).toBe(path);
});

test.each([
  [{ message: "outer", data: { message: "inner", status: 400 } }, "inner"],
  [{ message: "outer" }, "outer"],
  [{ error: { message: "deep" } }, "deep"],
  [{ error: "as a string" }, "as a string"],
  [{ message: "<strong>Error</strong>: no such\n<a href='x'>user</a>." }, "Error : no such user ."],
  [{ message: "This isn&#8217;t &lt;your&gt; password." }, "This isn’t <your> password."],
  [{ message: "x".repeat(5000) }, `${"x".repeat(299)}…`],
  [{ nothing: 1 }, "The answer was 400."],
])("a refusal is told in the server's words: %j", async (json, message) => {
  await using line = await openLine({ json, status: 400 });
  expect(await line.client.call("usersignup", { first_name: "A", last_name: "B", email: "c", password: "d" })).toEqual({
    ok: false,
    status: 400,
    message,
  });
});

test("a rate limit's pause is passed on, up to an hour", async () => {
  await using line = await openLine({ json: { message: "slowly" }, status: 429, headers: { "Retry-After": "90" } });
  const ask = () => line.client.call("validateCode", { email: "a@b.example", code: "123456" });
  expect(await ask()).toEqual({ ok: false, status: 429, message: "slowly", waitInMs: 90_000 });
  line.provider.behave({ json: {}, status: 429, headers: { "Retry-After": "99999999" } });
  expect(await ask()).toMatchObject({ waitInMs: 3_600_000 });
  line.provider.behave({ json: {}, status: 429, headers: { "Retry-After": "soon" } });
  expect(await ask()).toMatchObject({ waitInMs: 1000 });
});

test("a list has an ETag and is not sent again while it matches", async () => {
  await using line = await openLine({ json: [{ id: 1 }], headers: { ETag: '"a"', "X-Total": "12" } });
  const first = await line.client.readList("getreads", { token: TOKEN, page: { page: 2, size: 100 } });
  expect(first).toMatchObject({ ok: true, items: [{ id: 1 }], etag: '"a"', total: 12 });
  expect(line.provider.seen[0]?.query.toString()).toBe("page=2&per_page=100");
  line.provider.behave({ text: "", status: 304, headers: { "X-Total": "12" } });
  const second = await line.client.readList("getreads", { token: TOKEN, etag: '"a"' });
  expect(second).toEqual({ ok: true, isUnchanged: true, total: 12 });
  expect(line.provider.seen[1]?.headers["if-none-match"]).toBe('"a"');
});

test("files beside the API get no secret, files of other hosts are not fetched", async () => {
  await using line = await openLine({ text: "bytes" });
  const read = (address: string) => line.client.readFile(new URL(address), { token: TOKEN, maxBytes: 100 });
  const { url } = line.provider;
  expect((await read(`${url}/api/media/files/a.webp`)).bytes.byteLength).toBe(5);
  expect((await read(`${url}/wp-content/a.png`)).status).toBe(200);
  await expect(read("http://127.0.0.1:9/api/media/files/a.webp")).rejects.toThrow(/other hosts/);
  const [inside, beside] = line.provider.seen.map(({ headers }) => [headers["x-api-key"], headers.authorization]);
  expect(inside).toEqual([KEY, TOKEN]);
  expect(beside).toEqual([undefined, undefined]);
});
