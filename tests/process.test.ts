import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";

import { landingTexts } from "../app/routes/member/dashboard/landing-texts.ts";
import { DEMO_PASSWORD } from "../server/cli/demo-data.ts";
import { type DemoProcess, startDemo } from "./helpers/demo-process.ts";
import { createDormouse } from "./helpers/dormouse.ts";
import { openFolder } from "./helpers/folder.ts";
import { openProcessBrowser, production, type RunningApp, startApp } from "./helpers/running-app.ts";
import { readHeading } from "./helpers/page.ts";

/** Production's required settings are missing. */
const none = Object.fromEntries(Object.keys(production).map((name) => [name, undefined]));
/** For tests that only send requests. */
let app: RunningApp;
let demo: DemoProcess;
beforeAll(async () => {
  [app, demo] = await Promise.all([startApp(), startDemo()]);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await demo.stop();
});

const logIn = { intent: "log-in", email: "member@dormouse.example", password: DEMO_PASSWORD };

test("production refuses to start without its settings and names each", async () => {
  await using server = await startApp(none);
  expect(await server.ended).toBe(1);
  for (const name of ["ORIGIN", "SESSION_SECRET", "CONTACT_URL", "CONTACT_EMAIL"])
    expect(server.output()).toContain(`${name} is missing`);
  expect(server.output()).not.toContain("at ");
});

test("production refuses a build made for another path, and a build that is not there", async () => {
  await using elsewhere = await startApp({ BASE_PATH: "/elsewhere/" });
  expect(await elsewhere.ended).toBe(1);
  expect(elsewhere.output()).toContain("BASE_PATH is /elsewhere/, but the build was made for /");
  await using missing = await startApp({ BUILD_DIR: "build-that-is-not-there" });
  expect(await missing.ended).toBe(1);
  expect(missing.output()).toContain("run npm run build");
});

test("production runs the program of its build, not the sources", async () => {
  await using own = await openFolder();
  await mkdir(join(own.folder, "server"));
  await writeFile(
    join(own.folder, "server", "main.mjs"),
    'export const run = async () => console.log("from the build");',
  );
  await using server = await startApp({ BUILD_DIR: own.folder });
  expect(await server.ended).toBe(0);
  expect(server.output()).toBe("from the build\n");
});

test("an empty BUILD_DIR counts as not set to a build, too", async () => {
  vi.stubEnv("BUILD_DIR", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { default: config } = await import("../react-router.config.ts");
  expect(config.buildDirectory).toBe("build");
  const { status, stderr } = spawnSync(process.execPath, ["tools/budgets.ts"], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("a build for an operator's own path, which is in every address, has no budget", () => {
  const env = { ...process.env, BASE_PATH: "/members/", BUILD_DIR: "no-build" };
  expect(spawnSync(process.execPath, ["tools/budgets.ts"], { env }).status).toBe(0);
});

test("production without its database ends with a sentence that says so, and what to do", async () => {
  await using server = await startApp({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" });
  expect(await server.ended).toBe(1);
  expect(server.output()).toMatch(/did not start: .*ECONNREFUSED[^]*dormouse -- doctor/);
  expect(server.output()).not.toContain("    at ");
});

test("a demo or server whose port is in use says so in one sentence, and ends", async () => {
  await using second = await startApp({ PORT: String(app.port) });
  expect(await second.ended).toBe(1);
  await using place = await openFolder();
  const env = { HOST: "127.0.0.1", PORT: String(app.port), DATA_DIR: place.folder };
  const secondDemo = await createDormouse(env).run("demo");
  const sentence = `Port ${app.port} is in use: stop what listens there, or set PORT to another.\n`;
  const isLogged = (line: string) => line.startsWith("{");
  const output = second
    .output()
    .split("\n")
    .filter((line) => !isLogged(line));
  expect(output.join("\n")).toBe(sentence);
  expect(secondDemo).toEqual({ code: 1, stdout: "", stderr: sentence });
});

test("a server that begins a new database says where, and the next one, which finds it, says nothing", async () => {
  await using place = await openFolder();
  const begins = `"level":40,"event":"There was no database, so this begins a new one: ${join(place.folder, "dormouse.sqlite")}"`;
  for (const isNew of [true, false]) {
    await using server = await startApp({ DATA_DIR: place.folder });
    expect(server.output()).toContain('"event":"open"');
    expect(
      server
        .output()
        .replaceAll(/"(?:time|at)":[^,]+,/g, "")
        .includes(begins),
    ).toBe(isNew);
  }
});

test("production has no demo members, whatever is typed into its log-in", async () => {
  const answer = await app.openBrowser().post("/login", logIn);
  expect(answer.status).toBe(400);
  expect(answer.headers.get("Strict-Transport-Security")).toContain("max-age=31536000");
});

test("the log has a line a request, and neither address, nor query, nor name in it", async () => {
  const browser = app.openBrowser();
  const answers = [
    await browser.get("/login?to=%2F%3Fq%3Dmenopause"),
    await browser.post("/login", { ...logIn, email: "canary@dormouse.example", password: "canary-password" }),
  ];
  for (const [index, method] of ["GET", "POST"].entries()) {
    const id = answers[index]?.headers.get("X-Request-Id");
    const lines = () =>
      app
        .output()
        .split("\n")
        .slice(0, -1)
        .filter((line) => line.includes('"event":"request"') && line.includes(`"id":"${id}"`));
    await expect.poll(() => lines().length).toBe(1);
    expect(JSON.parse(lines()[0] ?? "")).toMatchObject({ method, path: "/login", id });
  }
  expect(app.output()).not.toMatch(/menopause|canary@|canary-password|127\.0\.0\.1/);
});

test("on SIGTERM what runs is finished, nothing new begins, the exit is clean, and a second start knows its members", async () => {
  const first = await startDemo();
  const { hostname, port } = new URL(first.url);
  const form = new URLSearchParams(logIn).toString();
  const socket = connect(Number(port), hostname);
  const head = `POST /login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: http://${hostname}:${port}\r\n`;
  const type = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n`;
  socket.write(head + type + form.slice(0, 10));
  // The server has accepted the request once a later one on another connection is answered.
  expect((await fetch(`${first.url}healthz`)).status).toBe(200);
  first.signal("SIGTERM");
  await expect
    .poll(() =>
      fetch(`${first.url}healthz`).then(
        () => "open",
        () => "closed",
      ),
    )
    .toBe("closed");
  socket.write(form.slice(10));
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 303 /);
  expect(await first.ended).toBe(0);

  const second = await startDemo({ DATA_DIR: first.dataDir });
  const [, Cookie = ""] = /^Set-Cookie: ([^;]+)/im.exec(answer) ?? [];
  const home = await fetch(second.url, { headers: { Cookie } });
  expect(readHeading(await home.text())).toBe(landingTexts.heading);
  expect(second.output()).toContain("member@dormouse.example");
  expect(second.output()).toContain(join(first.dataDir, "outbox"));
  await second.stop();
});

test("the demo prints a line for each email, with its code and link", async () => {
  const browser = openProcessBrowser(demo.url.slice(0, -1), new URL(demo.url).origin);
  await browser.post("/login?reset=1", { intent: "reset-request", email: logIn.email });
  await expect
    .poll(() => demo.output())
    .toMatch(/^ {2}Email to member@dormouse\.example ".+" \d{6} http:\S+\/login\?reset=\S+$/m);
});

test("behind a TLS proxy that is trusted, forms work and the cookie is bound to the host", async () => {
  const browser = openProcessBrowser(demo.url.slice(0, -1), `https://${new URL(demo.url).host}`);
  const forwarded = { "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.8" };
  const answer = await browser.post("/login", logIn, forwarded);
  expect(answer.status).toBe(303);
  expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-dormouse=.*; Secure/);
});
