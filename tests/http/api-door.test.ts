import { expect, test } from "vitest";

import { type CallName, calls } from "../../server/provider/wire.ts";
import { API_KEY, openApi } from "../helpers/api-client.ts";
import { openQuietSite } from "../helpers/site.ts";

const names = Object.keys(calls) as CallName[];
const key = { "X-Api-Key": API_KEY };

test("without a key in the settings there is no API, whatever is asked of it", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  for (const path of ["/api", "/api/", "/api/openapi.json", "/api/users/grabtoken", "/api/nothing"]) {
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      const answer = await browser.request(path, { method, headers: { "X-Api-Key": "" } });
      expect(answer.status, `${method} ${path}`).toBe(404);
      expect(answer.text).not.toMatch(/api|key/i);
    }
  }
});

test("without the key, or with a wrong one, every call is a 401 and says nothing else", async () => {
  await using client = await openApi();
  const token = await client.grabToken("member@dormouse.example");
  for (const name of names) {
    for (const wrong of [null, "", "wrong", API_KEY.slice(0, -1), `${API_KEY}x`, API_KEY.toUpperCase()]) {
      const { status, json } = await client.call(name, {}, { key: wrong, token });
      expect(status, name).toBe(401);
      expect(json).toEqual({
        message: "The key is missing or wrong.",
        data: { message: "The key is missing or wrong.", status: 401 },
      });
    }
  }
  for (const path of ["/api", "/api/openapi.json", "/api/nothing", "/api/media/files/x.webp"]) {
    expect((await client.request(path)).status, path).toBe(401);
  }
});

test("calls for a member need that member's valid token of this app, raw or as a bearer token", async () => {
  await using client = await openApi();
  const token = await client.grabToken("member@dormouse.example");
  const id = await client.findId("member@dormouse.example");
  for (const name of names.filter((each) => calls[each].needs !== "key")) {
    for (const wrong of [undefined, "", "Bearer ", "made-up", API_KEY]) {
      const options = wrong === undefined ? {} : { token: wrong };
      expect((await client.call(name, { id }, options)).status, `${name} ${wrong}`).toBe(401);
    }
  }
  for (const form of [token, `Bearer ${token}`, `bearer ${token}`]) {
    expect((await client.call("getsubscriptionstatus", { id }, { token: form })).json).toBe(true);
  }
  await client.site.services.sessions.end(token);
  expect((await client.call("getsubscriptionstatus", { id }, { token })).status).toBe(401);
});

test("a token in the query is refused, with a sentence, even beside a right one", async () => {
  await using client = await openApi();
  const token = await client.grabToken("member@dormouse.example");
  const id = await client.findId("member@dormouse.example");
  for (const path of [`subscription/getsubscriptionstatus?id=${id}&`, "media/getreads?", "media/files/x.webp?"]) {
    for (const headers of [key, { ...key, Authorization: token }]) {
      const { status, json } = await client.request(`/api/${path}token=${token}`, { headers });
      expect([status, json.message], path).toEqual([
        400,
        "A token must not be sent in the query: send it in Authorization.",
      ]);
    }
  }
});

/** The input of each call for a member, without the member. */
const inputs: Partial<Record<CallName, (id: number) => object>> = {
  getcurrentuser: (id) => ({ id }),
  patchuser: (id) => ({ id, first_name: "Eve" }),
  getsubscriptionstatus: (id) => ({ id }),
  managesubscriptionstatus: (id) => ({ id, newStatus: "cancelled" }),
  activatesubscription: (id) => ({ id }),
  sendcombined: (id) => ({ customer_id: id, coupon_lines: [{ code: "DORMOUSE-DEMO" }], emailVerified: true }),
  getallfaves: (id) => ({ id }),
  postfave: (id) => ({ id, mediaId: 2001, mediaType: "videos" }),
};

test("one member's token neither reads nor changes another's data, and no answer tells whether that member exists", async () => {
  await using client = await openApi({}, {});
  const ada = await client.grabToken("member@dormouse.example");
  const tom = await client.findId("team@dormouse.example");
  for (const [name, input] of Object.entries(inputs) as [CallName, (id: number) => object][]) {
    const theirs = await client.call(name, input(tom), { token: ada });
    const unknown = await client.call(name, input(999_999), { token: ada });
    expect([theirs.status, unknown.status], name).toEqual([403, 403]);
    expect(theirs.text).toBe(unknown.text);
  }
  const token = await client.grabToken("team@dormouse.example");
  const { json } = await client.call("getcurrentuser", { id: tom }, { token });
  expect(json[0]).toMatchObject({ first_name: "Tom", hasActiveSubscription: true });
  const listed = names.filter((name) => calls[name].needs !== "key" && !inputs[name]);
  expect(listed, "calls that name a member by their token alone").toEqual([
    "login",
    "getwatches",
    "getreads",
    "getlearns",
  ]);
});

test("a slash at the end changes nothing, another method is a 405 that says which", async () => {
  await using client = await openApi();
  for (const name of names) {
    const { method, path } = calls[name];
    const [plain, slashed] = [await client.call(name), await client.call(name, {}, { slash: true })];
    expect(slashed.status, name).toBe(plain.status);
    expect(slashed.status, name).not.toBe(404);
    for (const other of ["GET", "POST", "PATCH", "PUT", "DELETE"].filter((each) => each !== method)) {
      const answer = await client.request(`/api/${path}`, { method: other, headers: key });
      expect(answer.status, `${other} ${name}`).toBe(405);
      expect(answer.headers.get("Allow")).toBe(method);
    }
  }
  expect((await client.request("/api/users/nothing", { headers: key })).status).toBe(404);
});

test("a body that is no object is a 400", async () => {
  await using client = await openApi();
  const headers = { ...key, "Content-Type": "application/json" };
  for (const body of ["{", "[]", "null", '"text"', "1", "id=1", '{"id":1}}']) {
    const { status, json } = await client.request("/api/users/grabtoken", { method: "POST", headers, body });
    expect([status, json.data.message], body).toEqual([400, "The body must be a JSON object."]);
  }
});

test("a __proto__ in a body is a name like any other", async () => {
  await using client = await openApi();
  const headers = { ...key, "Content-Type": "application/json" };
  const body = '{"__proto__":{"email":"member@dormouse.example","isAdmin":true},"constructor":{"prototype":{"x":1}}}';
  const { status } = await client.request("/api/users/grabtoken", { method: "POST", headers, body });
  expect(status).toBe(400);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

test("cookies mean nothing here: none is read, none is set, and no other site's script gets in", async () => {
  await using client = await openApi();
  const browser = client.site.openBrowser();
  await browser.logIn("member@dormouse.example");
  const cookies = new Map(browser.cookies);
  const headers = { ...key, Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
  const answer = await browser.request("/api/users/getcurrentuser", { method: "POST", headers, body: '{"id":1}' });
  expect(answer.status).toBe(401);
  client.site.clock.advance(2 * 3_600_000);
  const later = await browser.request("/api/users/fetchCustomers", { headers });
  expect(later.status).toBe(200);
  for (const { headers: sent } of [answer, later]) {
    expect(sent.get("Set-Cookie")).toBeNull();
    expect([...sent.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(sent.get("Cache-Control")).toBe("no-store");
    expect(sent.get("Content-Type")).toContain("application/json");
  }
  expect(browser.cookies).toEqual(cookies);
  // A browser of another site has no access.
  const preflight = await client.request("/api/users/grabtoken", { method: "OPTIONS", headers });
  expect(preflight.headers.get("Access-Control-Allow-Origin")).toBeNull();
});

test("after six hundred calls a minute a 429 says how long to wait", async () => {
  await using client = await openApi();
  client.site.services.api!.limits.countCall = () =>
    Promise.resolve({ ok: false, reason: "too-many-attempts", waitInMs: 30_500 });
  const { status, headers, json } = await client.call("fetchCustomers");
  expect([status, headers.get("Retry-After")]).toEqual([429, "31"]);
  expect(json.data.message).toContain("31 seconds");
});

test("no key, token, password or code is in the log", async () => {
  await using client = await openApi();
  const token = await client.grabToken("member@dormouse.example");
  await client.call("grabtoken", { email: "member@dormouse.example", password: "canary-password" });
  await client.call("setPassword", { email: "member@dormouse.example", code: "987654", password: "canary-password" });
  await client.call("checkcouponvalidity", { productCode: "CANARY-CODE" });
  client.site.services.accounts.findByEmail = () => Promise.reject(new Error("the database is away"));
  const { status, json } = await client.call("grabuserid", { email: "canary@example.org" }, { token });
  expect([status, json.data.message]).toEqual([500, "Something went wrong, please try again"]);
  const log = JSON.stringify(client.site.log.lines);
  expect(log).toContain("a call of the API failed");
  for (const secret of [API_KEY, token, "canary-password", "987654", "CANARY-CODE", "canary@"]) {
    expect(log).not.toContain(secret);
  }
});
