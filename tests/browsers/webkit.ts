import { globSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

import type { Browser, Element, Page } from "./browser.ts";
import { startProgram } from "./program.ts";

/** In WebDriver's JSON (https://www.w3.org/TR/webdriver2, section 12.1). */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

type Send = <Result>(method: "POST" | "DELETE", path: string, body?: object) => Promise<Result>;

/**
 * WebKitGTK's small browser over WebDriver, on its own display. It has one page at a time and cannot switch script off.
 * @throws if the display, the driver or the browser does not start.
 */
export async function startWebKit(driverPath: string): Promise<Browser> {
  await using opened = new AsyncDisposableStack();
  const displayArgs = ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"];
  const display = opened.use(await startProgram("Xvfb", { args: () => displayArgs, isReady: /^(\d+)\n/m }));
  const port = await findFreePort();
  const env = { DISPLAY: `:${display.ready}`, GDK_BACKEND: "x11", LIBGL_ALWAYS_SOFTWARE: "1", NO_AT_BRIDGE: "1" };
  opened.use(await startProgram(driverPath, { args: () => [`--port=${port}`], env }));
  const send = createSender(`http://127.0.0.1:${port}`);
  const running = opened.move();

  return {
    name: "WebKit, script on",
    hasScript: true,
    faults: [],
    async openPage({ width, height }) {
      const binary = globSync("/usr/{lib,libexec}/**/webkit2gtk-4*/MiniBrowser")[0];
      const alwaysMatch = { "webkitgtk:browserOptions": { ...(binary && { binary }), args: ["--automation"] } };
      const { sessionId } = await send<{ sessionId: string }>("POST", "/session", { capabilities: { alwaysMatch } });
      const inSession: Send = (method, path, body) => send(method, `/session/${sessionId}${path}`, body);
      await inSession("POST", "/window/rect", { width, height });
      return createPage(inSession);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const { port } = server.address() as AddressInfo;
  await new Promise((settle) => server.close(settle));
  return port;
}

function createSender(origin: string): Send {
  return async <Result>(method: string, path: string, body: object = {}) => {
    const request = { method, ...(method === "POST" && { body: JSON.stringify(body) }) };
    const answer = await fetchOnceListening(`${origin}${path}`, request);
    const { value } = (await answer.json()) as { value: Result & { message?: string } };
    if (!answer.ok) throw new Error(`${method} ${path}: ${value.message}`);
    return value;
  };
}

/** The driver does not report when it listens. */
async function fetchOnceListening(url: string, request: RequestInit, tries = 100): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (tries === 0) throw error;
    await wait(50);
    return fetchOnceListening(url, request, tries - 1);
  }
}

function createPage(send: Send): Page {
  const call = <Result>(declaration: string, args: string[]) =>
    send<Result>("POST", "/execute/sync", { script: `return (${declaration})(...arguments)`, args });
  const toId = (element: Element) => element[ELEMENT] ?? "";

  return {
    open: (url) => send("POST", "/url", { url }),
    back: () => send("POST", "/back"),
    evaluate: (declaration, ...args) => call(declaration, args),
    find: async (declaration, ...args) => (await call<Element | null>(declaration, args)) ?? undefined,
    click: (element) => send("POST", `/element/${toId(element)}/click`),
    async type(element, text) {
      await send("POST", `/element/${toId(element)}/clear`);
      await send("POST", `/element/${toId(element)}/value`, { text });
    },
    countPrintedPages: async () => undefined,
    [Symbol.asyncDispose]: () => send("DELETE", ""),
  };
}
