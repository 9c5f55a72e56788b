import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";

import { DEMO_PASSWORD } from "../server/cli/demo-data.ts";
import { startDemo } from "./helpers/demo-process.ts";
import { compiled, createDormouse } from "./helpers/dormouse.ts";
import { openFolder } from "./helpers/folder.ts";

const production = {
  ORIGIN: "https://members.example.org",
  SESSION_SECRET: "c2xlZXAtd2VsbC10b25pZ2h0LW9yLW5vdC1hdC1hbGw",
  CONTACT_URL: "https://www.example.org/contact",
  CONTACT_EMAIL: "hello@example.org",
};

/** Runs the production entry until it ends or says it is open; answers what it said. */
async function startProduction(env: Record<string, string>) {
  const dataDir = await mkdtemp(join(tmpdir(), "dormouse-production-"));
  const server = spawn(process.execPath, ["server/main.ts"], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compiled,
      HOST: "127.0.0.1",
      PORT: "0",
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => server.once("exit", resolve));
  let output = "";
  const opened = new Promise<void>((resolve) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('"event":"open"')) resolve();
      });
    }
  });
  await Promise.race([opened, ended]);
  return {
    ended,
    output: () => output,
    port: () => Number(/"port":(\d+)/.exec(output)?.[1]),
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await ended;
      await rm(dataDir, { recursive: true });
    },
  };
}

test("production refuses to start without its settings and names each", async () => {
  await using server = await startProduction({});
  expect(await server.ended).toBe(1);
  for (const name of ["ORIGIN", "SESSION_SECRET", "CONTACT_URL", "CONTACT_EMAIL"])
    expect(server.output()).toContain(`${name} is missing`);
  expect(server.output()).not.toContain("at ");
});

test("production refuses a build made for another path, and a build that is not there", async () => {
  await using elsewhere = await startProduction({ ...production, BASE_PATH: "/elsewhere/" });
  expect(await elsewhere.ended).toBe(1);
  expect(elsewhere.output()).toContain("BASE_PATH is /elsewhere/, but the build was made for /");
  await using missing = await startProduction({ ...production, BUILD_DIR: "build-that-is-not-there" });
  expect(await missing.ended).toBe(1);
  expect(missing.output()).toContain("run npm run build");
});

test("an empty BUILD_DIR counts as not set to a build, too", async () => {
  vi.stubEnv("BUILD_DIR", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { default: config } = await import("../react-router.config.ts");
  expect(config.buildDirectory).toBe("build");
  const { status, stderr } = spawnSync(process.execPath, ["server/http/budgets.ts"], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("production without its database ends with a sentence that says so, and what to do", async () => {
  await using server = await startProduction({ ...production, DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" });
  expect(await server.ended).toBe(1);
  expect(server.output()).toMatch(/did not start: .*ECONNREFUSED[^]*dormouse -- doctor/);
  expect(server.output()).not.toContain("    at ");
});

test("a demo or server whose port is in use says so in one sentence, and ends", async () => {
  await using first = await startProduction(production);
  await using server = await startProduction({ ...production, PORT: String(first.port()) });
  expect(await server.ended).toBe(1);
  await using place = await openFolder();
  const env = { HOST: "127.0.0.1", PORT: String(first.port()), DATA_DIR: place.folder };
  const demo = await createDormouse(env).run("demo");
  const sentence = `Port ${first.port()} is in use: stop what listens there, or set PORT to another.\n`;
  expect(server.output().split("\n").slice(-2).join("\n")).toBe(sentence);
  expect(demo).toEqual({ code: 1, stdout: "", stderr: sentence });
});

test("a server that begins a new database says where, and the next one, which finds it, says nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dormouse-kept-"));
  const begins = `"level":40,"event":"There was no database, so this begins a new one: ${join(folder, "dormouse.sqlite")}"`;
  for (const isNew of [true, false]) {
    await using server = await startProduction({ ...production, DATA_DIR: folder });
    expect(server.output()).toContain('"event":"open"');
    expect(
      server
        .output()
        .replaceAll(/"(?:time|at)":[^,]+,/g, "")
        .includes(begins),
    ).toBe(isNew);
  }
  await rm(folder, { recursive: true });
});

test("production has no demo members, whatever stands in its address bar", async () => {
  await using server = await startProduction(production);
  const answer = await fetch(`http://127.0.0.1:${server.port()}/login`, {
    method: "POST",
    headers: { Origin: production.ORIGIN },
    body: new URLSearchParams({ intent: "log-in", email: "member@dormouse.example", password: DEMO_PASSWORD }),
    redirect: "manual",
  });
  expect(answer.status).toBe(400);
  expect(answer.headers.get("Strict-Transport-Security")).toContain("max-age=31536000");
});

test("the log has a line a request, and neither address, nor query, nor name in it", async () => {
  await using server = await startProduction(production);
  await fetch(`http://127.0.0.1:${server.port()}/login?to=%2F%3Fq%3Dmenopause`);
  await fetch(`http://127.0.0.1:${server.port()}/login`, {
    method: "POST",
    headers: { Origin: production.ORIGIN },
    body: new URLSearchParams({ intent: "log-in", email: "canary@dormouse.example", password: "canary-password" }),
  });
  const lines = () =>
    server
      .output()
      .split("\n")
      .filter((line) => line.includes('"event":"request"'));
  await expect.poll(() => lines().length).toBe(2);
  expect(JSON.parse(lines()[0] ?? "")).toMatchObject({
    method: "GET",
    path: "/login",
    status: 200,
    id: expect.any(String),
  });
  expect(server.output()).not.toMatch(/menopause|canary|127\.0\.0\.1/);
});

test("on SIGTERM what runs is finished, nothing new begins, and the exit is clean", async () => {
  const demo = await startDemo();
  const { hostname, port } = new URL(demo.url);
  const form = new URLSearchParams({
    intent: "log-in",
    email: "member@dormouse.example",
    password: DEMO_PASSWORD,
  }).toString();
  const socket = connect(Number(port), hostname);
  const head = `POST /login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: http://${hostname}:${port}\r\n`;
  const type = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n`;
  socket.write(head + type + form.slice(0, 10));
  // The server has taken the request up once a later one on another connection is answered.
  expect((await fetch(`${demo.url}healthz`)).status).toBe(200);
  demo.signal("SIGTERM");
  await expect
    .poll(() =>
      fetch(`${demo.url}healthz`).then(
        () => "open",
        () => "closed",
      ),
    )
    .toBe("closed");
  socket.write(form.slice(10));
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 303 /);
  expect(await demo.ended).toBe(0);
  await demo.stop();
});

test("a second start of the demo keeps who is logged in", async () => {
  const first = await startDemo();
  const answer = await fetch(`${first.url}login`, {
    method: "POST",
    headers: { Origin: new URL(first.url).origin },
    body: new URLSearchParams({ intent: "log-in", email: "member@dormouse.example", password: DEMO_PASSWORD }),
    redirect: "manual",
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  first.signal("SIGTERM");
  await first.ended;
  const second = await startDemo({ DATA_DIR: first.dataDir });
  const home = await fetch(second.url, { headers: { Cookie: cookie } });
  expect(await home.text()).toContain("Let&#x27;s Get Started");
  expect(second.output()).toContain("member@dormouse.example");
  expect(second.output()).toContain(join(first.dataDir, "outbox"));
  await second.stop();
});

test("behind a TLS proxy that is trusted, forms work and the cookie is bound to the host", async () => {
  const demo = await startDemo();
  const answer = await fetch(`${demo.url}login`, {
    method: "POST",
    headers: {
      Origin: `https://${new URL(demo.url).host}`,
      "X-Forwarded-Proto": "https",
      "X-Forwarded-For": "203.0.113.8",
    },
    body: new URLSearchParams({ intent: "log-in", email: "member@dormouse.example", password: DEMO_PASSWORD }),
    redirect: "manual",
  });
  expect(answer.status).toBe(303);
  expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-dormouse=.*; Secure/);
  await demo.stop();
});
