import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";

import { DEMO_PASSWORD } from "../server/cli/demo-data.ts";
import { startDemo } from "./helpers/demo-process.ts";
import { photo } from "./helpers/pictures.ts";

/** A third of what was tried against a server of 1 GB, and more than enough to fill it where each holds what came. */
const CONNECTIONS = 900;
const SENT_BYTES = 700_000;
/** A demo takes 300 to 350 MB here, by when garbage is collected; all that is sent would be 490 MB more. */
const RSS_MAX_BYTES = 450e6;

/** Linux records the highest number of resident bytes of a process. */
function readPeakBytes(pid: number): number {
  const [, kilobytes = ""] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

const multipart = "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 6000000";
const attacks = [
  ["pictures", "POST /?account=open", multipart],
  ["forms", "POST /login", "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 250000"],
  ["webhook events", "POST /webhooks/stripe", "Content-Type: application/json\r\nTransfer-Encoding: chunked"],
] as const;

/** Announces a body, sends a part of it, and stops. */
async function stall(url: URL, [line, headers]: [string, string]): Promise<Socket> {
  const socket = connect({ port: Number(url.port), host: url.hostname });
  socket.on("error", () => undefined);
  socket.write(`${line} HTTP/1.1\r\nHost: ${url.host}\r\nOrigin: ${url.origin}\r\n${headers}\r\n\r\n`);
  const isChunked = headers.includes("chunked");
  const part = isChunked
    ? `fffff\r\n${"a".repeat(SENT_BYTES)}`
    : "a".repeat(line.includes("login") ? 240_000 : SENT_BYTES);
  await new Promise<void>((resolve) => {
    socket.write(part, () => resolve());
    socket.once("close", () => resolve());
  });
  return socket;
}

test("strangers who announce bodies and stop fill no memory, and members go on", async () => {
  const demo = await startDemo();
  const url = new URL(demo.url);
  const { origin } = url;
  const sockets: Socket[] = [];
  for (const [, line, headers] of attacks) {
    const stalling = Array.from({ length: CONNECTIONS / attacks.length }, () => stall(url, [line, headers]));
    sockets.push(...(await Promise.all(stalling)));
  }

  const logIn = new URLSearchParams({ intent: "log-in", email: "member@dormouse.example", password: DEMO_PASSWORD });
  const session = await fetch(`${origin}/login`, {
    method: "POST",
    headers: { Origin: origin },
    body: logIn,
    redirect: "manual",
  });
  const cookie = session.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  expect((await fetch(`${origin}/?view=watch`, { headers: { Cookie: cookie } })).status).toBe(200);
  const form = new FormData();
  const fields = { intent: "profile", firstName: "Ada", lastName: "Lovell", email: "member@dormouse.example" };
  const shown = { shownFirstName: "Ada", shownLastName: "Lovell", shownEmail: "member@dormouse.example" };
  for (const [name, value] of Object.entries({ ...fields, ...shown })) form.append(name, value);
  const picture = await photo(1200, 900).png({ compressionLevel: 0 }).toBuffer();
  form.append("picture", new File([new Uint8Array(picture)], "me.png"));
  const headers = { Cookie: cookie, Origin: origin };
  const saved = await fetch(`${origin}/?account=open`, { method: "POST", headers, body: form, redirect: "manual" });
  expect(saved.headers.get("Location")).toContain("flash=saved");

  expect(readPeakBytes(demo.pid)).toBeLessThan(RSS_MAX_BYTES);
  for (const socket of sockets) socket.destroy();
  await demo.stop();
});
