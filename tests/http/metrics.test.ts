import { expect, test } from "vitest";

import { readConfig } from "../../server/config.ts";
import { start, startFaultText } from "../../server/main.ts";
import { openFolder } from "../helpers/folder.ts";
import { createQuietLog } from "../helpers/quiet-log.ts";

const token = "a-token-of-the-tests-7Yc8Bn3Hd6Fs1Ga5J";
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

async function openServer(env: Record<string, string>) {
  const home = await openFolder();
  const log = createQuietLog();
  const settings = { DEMO: "true", HOST: "127.0.0.1", PORT: "0", DATA_DIR: home.folder, ...env };
  const running = await start(readConfig(settings), undefined, { log });
  const base = `http://127.0.0.1:${running.port}`;
  return {
    ...running,
    log,
    get: (path: string, headers: HeadersInit = {}) => fetch(base + path, { headers, redirect: "manual" }),
    async [Symbol.asyncDispose]() {
      await running.stop();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** `GET /login 200`, each once. */
function listRequests(metrics: string): string[] {
  const found = metrics.matchAll(
    /^dormouse_http_request_duration_seconds_count\{method="(.*?)",route="(.*?)",status="(.*?)"\}/gm,
  );
  return [...found].map(([, method, route, status]) => `${method} ${route} ${status}`).toSorted();
}

test("without a setting there is no page of metrics", async () => {
  await using server = await openServer({});
  expect((await server.get("/metrics", { Authorization: `Bearer ${token}` })).status).toBe(404);
  expect(server.metricsPort).toBeUndefined();
});

test("requests are counted by the patterns of their routes, and nothing of an address is told", async () => {
  await using server = await openServer({ METRICS_PORT: "0" });
  const secrets = ["ada@example.org", "10777", "s3cret", "127.0.0.1"];
  for (const path of [
    "/login?email=ada@example.org",
    "/login.data",
    "/media/10777.webp",
    "/kept/s3cret",
    "/desk/members/10777",
    "/avatars/s3cret",
    "/ada@example.org",
    "/favicon.svg",
    "/%ff",
  ]) {
    await (await server.get(path)).arrayBuffer();
  }
  const answer = await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`);
  const body = await answer.text();
  expect(answer.headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(listRequests(body).map((line) => line.replace(/ \d+$/, ""))).toEqual([
    "GET /*",
    "GET /avatars/:hash",
    "GET /desk/members/:id",
    "GET /kept/:key?",
    "GET /login",
    "GET /login.data",
    "GET /media/:name",
    "GET file",
    "GET refused",
  ]);
  expect(secrets.filter((secret) => body.includes(secret))).toEqual([]);
  expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(body).toMatch(/^process_resident_memory_bytes /m);
  expect((await server.get("/metrics")).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${server.metricsPort}/`)).status).toBe(404);
});

test("behind the product's own address they are for those alone who have the token", async () => {
  await using server = await openServer({ METRICS_TOKEN: token });
  for (const wrong of [
    {},
    { Authorization: token },
    { Authorization: "Bearer " },
    { Authorization: `Bearer ${token}x` },
  ]) {
    const refused = await server.get("/metrics", wrong);
    expect([refused.status, refused.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
    expect(await refused.text()).toBe("Send METRICS_TOKEN as a bearer token.\n");
  }
  const right = await server.get("/metrics", { Authorization: `Bearer ${token}` });
  expect([right.status, right.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  expect(listRequests(await right.text())).toEqual(["GET /metrics 401"]);
  const posted = await fetch(`http://127.0.0.1:${server.port}/metrics`, { method: "POST" });
  expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

test("a port may ask for the token too", async () => {
  await using server = await openServer({ METRICS_PORT: "0", METRICS_TOKEN: token });
  const ask = (headers: HeadersInit) => fetch(`http://127.0.0.1:${server.metricsPort}/metrics`, { headers });
  expect((await ask({})).status).toBe(401);
  expect((await ask({ Authorization: `Bearer ${token}` })).status).toBe(200);
});

test("a port that is taken ends the start with a sentence that names the setting", async () => {
  await using server = await openServer({});
  const error: unknown = await openServer({ METRICS_PORT: String(server.port) }).catch((thrown: unknown) => thrown);
  expect(startFaultText(error)).toMatch(
    new RegExp(`METRICS_HOST 127\\.0\\.0\\.1 and METRICS_PORT ${server.port} cannot be listened on .*EADDRINUSE`),
  );
});

test("a demo refuses a public address, because everybody knows its passwords", async () => {
  const opening = openServer({ ORIGIN: "https://members.dormouse.co.uk" });
  await expect(opening).rejects.toThrow("DEMO must be false at https://members.dormouse.co.uk");
});

test("a password that PostgreSQL refuses ends the start with the volume that keeps another", () => {
  const refused = Object.assign(new Error('password authentication failed for user "dormouse"'), { code: "28P01" });
  expect(startFaultText(refused)).toContain("docker volume rm dormouse_database");
});

test("the trace of a caller is in the line of its request, and nothing of a header of another shape", async () => {
  await using server = await openServer({});
  await (await server.get("/login", { traceparent })).arrayBuffer();
  await (await server.get("/login", { traceparent: "00-ada@example.org-01" })).arrayBuffer();
  const lines = () => server.log.lines.filter(({ event }) => event === "request").map(({ facts }) => facts);
  await expect.poll(() => lines().length).toBe(2);
  const [first, second] = lines();
  expect(first).toMatchObject({ traceId: "0af7651916cd43dd8448eb211c80319c", parentId: "b7ad6b7169203331" });
  expect(Object.keys(second ?? {})).toEqual(["id", "method", "path", "status", "ms", "done"]);
});
