import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, zstdDecompress } from "node:zlib";

import { DEMO_PASSWORD, demoMembers } from "../server/cli/demo-data.ts";
import type { Server } from "./servers.ts";

/** A kind of request to one server; several paths take turns. */
export type Subject = {
  server: Server;
  path: string | readonly string[];
  cookie?: string;
  /** Words that the right answer has. */
  words: string;
};

export type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer };

type AskOptions = { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer };

const CONNECTIONS = 16;

/** The headers that a browser sends with each request. */
const browserHeaders = { "Accept-Encoding": "gzip, deflate, br, zstd", "Sec-Fetch-Site": "same-origin" };

/** One request on its own connection. */
export function ask(url: string, { method = "GET", headers = {}, body }: AskOptions = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request(url, { method, agent: false, headers: { ...browserHeaders, ...headers } }, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      buffer(response).then((bytes) => resolve({ status, headers: answered, body: bytes }), reject);
    })
      .once("error", reject)
      .end(body);
  });
}

/** Requests each path once and checks the answer. @throws when one is wrong. */
export async function check({ server, path, cookie, words }: Subject): Promise<void> {
  for (const each of [path].flat()) {
    const reply = await ask(server.origin + each, cookie ? { headers: { Cookie: cookie } } : {});
    if (reply.status !== 200) throw new Error(`${each} answers ${reply.status}`);
    if (!(await decode(reply)).includes(words)) throw new Error(`${each} does not say “${words}”`);
  }
}

/** The uncompressed text of a reply. */
export async function decode({ headers, body }: Reply): Promise<string> {
  const decompress = decoders[headers["content-encoding"] ?? ""];
  return (decompress ? await decompress(body) : body).toString();
}

const decoders: Record<string, (body: Buffer) => Promise<Buffer>> = {
  zstd: promisify(zstdDecompress),
  br: promisify(brotliDecompress),
  gzip: promisify(gunzip),
};

/** Sends `count` requests over a few kept connections, as fast as the answers come. */
export async function askMany({ server, path, cookie }: Subject, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { ...browserHeaders, ...(cookie && { Cookie: cookie }) };
  const paths = [path].flat();
  let asked = 0;
  const askOnce = (each: string) =>
    new Promise<void>((resolve, reject) => {
      request(server.origin + each, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${each} answers ${response.statusCode}`));
        response.once("error", reject).once("end", resolve).resume();
      })
        .once("error", reject)
        .end();
    });
  const askOnAndOn = async () => {
    while (asked < count) await askOnce(paths[asked++ % paths.length] ?? "");
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, askOnAndOn));
  } finally {
    agent.destroy();
  }
}

/** Logs in a demo member by the form, by default the first; returns the cookie. */
export async function logIn(
  { origin }: Server,
  member: { email: string } | undefined = demoMembers[0],
): Promise<string> {
  const form = new URLSearchParams({ intent: "log-in", email: member?.email ?? "", password: DEMO_PASSWORD });
  const { status, headers } = await ask(`${origin}/login`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: origin },
    body: form.toString(),
  });
  const cookie = headers["set-cookie"]?.[0]?.split(";")[0];
  if (status !== 303 || !cookie) throw new Error(`The log-in form answers ${status}`);
  return cookie;
}
