import { readdirSync, readFileSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";

import { DEMO_PASSWORD } from "../server/cli/demo-data.ts";
import { startDemo } from "./helpers/demo-process.ts";

const CONNECTIONS = 400;
const PIPELINED = 8;
const RSS_MAX_BYTES = 400e6;

const folder = "server/content/bundled/media";
const films = readdirSync(folder).filter((name) => name.endsWith(".mp4"));
const [largest = ""] = films.toSorted((a, b) => statSync(join(folder, b)).size - statSync(join(folder, a)).size);

/** Linux records the highest number of resident bytes of a process. */
function readPeakBytes(pid: number): number {
  const [, kilobytes = ""] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

async function logIn(url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}login`, {
    method: "POST",
    headers: { Origin: new URL(url).origin },
    body: new URLSearchParams({ intent: "log-in", email, password: DEMO_PASSWORD }),
    redirect: "manual",
  });
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

/** Requests a film several times, and reads nothing once the first answer has begun. */
async function askWithoutReading(url: URL, cookie: string): Promise<Socket> {
  const socket = connect({ port: Number(url.port), host: url.hostname });
  const request = `GET /media/${largest} HTTP/1.1\r\nHost: ${url.host}\r\nCookie: ${cookie}\r\n\r\n`;
  socket.on("error", () => undefined);
  socket.write(request.repeat(PIPELINED));
  await new Promise((resolve) => socket.once("readable", resolve).once("close", resolve));
  return socket;
}

test("four hundred connections that request films and read nothing neither fill memory nor block the server", async () => {
  const demo = await startDemo();
  const cookie = await logIn(demo.url, "member@dormouse.example");
  const url = new URL(demo.url);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => askWithoutReading(url, cookie)));
  // A request now is answered after all earlier ones.
  for (let round = 0; round < 20; round += 1) expect((await fetch(`${demo.url}healthz`)).status).toBe(200);
  expect(readPeakBytes(demo.pid)).toBeLessThan(RSS_MAX_BYTES);
  for (const socket of sockets) socket.destroy();
  await demo.stop();
});
