import { connect, type Socket } from "node:net";

import { openApp, type Handler, type Question } from "./http-app.ts";

/** A host before a handler of the test's own, and posts to it as a browser or a script would send them. */
export async function openBodyApp(handler: Handler, basePath = "/members/") {
  const app = await openApp(handler, { basePath, trustedProxies: ["127.0.0.1"] });
  const { ask, log, port } = app;
  return {
    ...app,
    faults: () => log.lines.filter(({ level }) => level === "error"),
    async post(path: string, posted: Pick<Question, "headers" | "body" | "agent">) {
      const { body, ...answer } = await ask({ path, method: "POST", ...posted });
      return { ...answer, body: body.toString() };
    },
    /** Says the head of a post and keeps the line open. */
    begin(path: string, headers: string[]): Socket {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.write([`POST ${path} HTTP/1.1`, "Host: here.example", ...headers, "", ""].join("\r\n"));
      return socket;
    },
  };
}

/** Lets everything arrive that is on its way within this process. */
export async function arrive(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

export const MULTIPART = "multipart/form-data; boundary=x";
export const multipart = { "Content-Type": MULTIPART };
export const chunked = { "Transfer-Encoding": "chunked" };
export const zeros = (count: number) => Buffer.alloc(count);
/** Somebody's address, as the proxy says it. */
export const sentFrom = (address: string) => ({ "X-Forwarded-For": address });
