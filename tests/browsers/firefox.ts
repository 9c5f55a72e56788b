import { randomInt } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inflateSync } from "node:zlib";

import type { Browser, Page } from "./browser.ts";
import { startProgram } from "./program.ts";

type Answer = { id: number; type: "success" | "error"; result: unknown; message?: string };
type Remote = { type: string; value?: unknown; sharedId?: string };
type Send = <Result>(method: string, params: object) => Promise<Result>;

/** The key codes of WebDriver, section 17.4.2. */
const CONTROL = "\uE009";

/**
 * Firefox over WebDriver BiDi (https://w3c.github.io/webdriver-bidi). Its commands work in pages whose own script is
 * off.
 * @throws if Firefox does not start.
 */
export async function startFirefox(path: string, hasScript: boolean): Promise<Browser> {
  const program = await startProgram(path, {
    args: (folder) => ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", folder],
    prepare: (folder) => writeFile(join(folder, "user.js"), `user_pref("javascript.enabled", ${hasScript});\n`),
    isReady: /listening on (ws:\S+)/,
  });
  const socket = new WebSocket(`${program.ready}/session`);
  await new Promise<void>((settle, reject) => {
    socket.addEventListener("open", () => settle(), { once: true });
    socket.addEventListener("error", () => reject(new Error("Firefox does not answer")), { once: true });
  });
  const send = createSender(socket);
  await send("session.new", { capabilities: {} });
  const addresses = new Map<string, string>();
  await sendAddresses(socket, send, addresses);

  return {
    name: `Firefox, script ${hasScript ? "on" : "off"}`,
    hasScript,
    faults: await collectFaults(socket, send),
    async openPage({ width, height }) {
      const { userContext } = await send<{ userContext: string }>("browser.createUserContext", {});
      const { context } = await send<{ context: string }>("browsingContext.create", { type: "tab", userContext });
      await send("browsingContext.setViewport", { context, viewport: { width, height } });
      addresses.set(context, `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`);
      return createPage(send, context, () => send("browser.removeUserContext", { userContext }));
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      await program[Symbol.asyncDispose]();
    },
  };
}

function createSender(socket: WebSocket): Send {
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  return async <Result>(method: string, params: object) => {
    last += 1;
    const id = last;
    const answered = new Promise<Answer>((settle) => waiting.set(id, settle));
    socket.send(JSON.stringify({ id, method, params }));
    const { type, result, message } = await answered;
    if (type === "error") throw new Error(`${method}: ${message}`);
    return result as Result;
  };
}

type Logged = { method: string; params: { type: string; level: string; text: string } };

/**
 * Firefox logs this for a picture that its page gave up while the service worker fetched it. A worker's own fault has
 * another text.
 */
const GIVEN_UP = /A ServiceWorker intercepted the request and encountered an unexpected error/;

async function collectFaults(socket: WebSocket, send: Send): Promise<string[]> {
  const faults: string[] = [];
  socket.addEventListener("message", ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as Logged;
    if (method !== "log.entryAdded" || params.type !== "javascript" || params.level !== "error") return;
    if (!GIVEN_UP.test(params.text)) faults.push(params.text);
  });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  return faults;
}

type Blocked = {
  method: string;
  params: {
    context: string | null;
    isBlocked: boolean;
    request: { request: string; headers: { name: string; value: object }[] };
  };
};

/**
 * Gives each page its own network address in a proxy's header, because the product counts by address. Firefox 140 lacks
 * `network.setExtraHeaders`, so each request is held until it has its header.
 */
async function sendAddresses(socket: WebSocket, send: Send, addresses: Map<string, string>): Promise<void> {
  socket.addEventListener("message", ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as Blocked;
    if (method !== "network.beforeRequestSent" || !params.isBlocked) return;
    const { request, headers } = params.request;
    const value = addresses.get(params.context ?? "");
    const extraHeaders = value === undefined ? [] : [{ name: "X-Forwarded-For", value: { type: "string", value } }];
    // A request that its page has given up is no longer known.
    send("network.continueRequest", { request, headers: [...headers, ...extraHeaders] }).catch(() => undefined);
  });
  await send("session.subscribe", { events: ["network.beforeRequestSent"] });
  await send("network.addIntercept", { phases: ["beforeRequestSent"] });
}

function createPage(send: Send, context: string, close: () => Promise<unknown>): Page {
  async function call(declaration: string, args: unknown[]): Promise<Remote> {
    const { type, result, exceptionDetails } = await send<{
      type: string;
      result: Remote;
      exceptionDetails?: { text: string };
    }>("script.callFunction", {
      functionDeclaration: declaration,
      arguments: args.map((arg) => (isNode(arg) ? arg : { type: "string", value: String(arg) })),
      // Where the page's script is off a promise never settles.
      awaitPromise: false,
      // A sandbox works without the page's script, and sees the page's document.
      target: { context, sandbox: "tests" },
    });
    if (type === "exception") throw new Error(exceptionDetails?.text);
    return result;
  }
  const act = (actions: object[]) => send("input.performActions", { context, actions });
  const click = (origin: object) =>
    act([
      {
        type: "pointer",
        id: "mouse",
        actions: [
          { type: "pointerMove", x: 0, y: 0, origin: { type: "element", element: origin } },
          { type: "pointerDown", button: 0 },
          { type: "pointerUp", button: 0 },
        ],
      },
    ]);
  const keys = (values: string[]) => act([{ type: "key", id: "keyboard", actions: values.flatMap(press) }]);

  return {
    async open(url) {
      const navigate = () => send("browsingContext.navigate", { context, url, wait: "complete" });
      // Open requests of the previous page are aborted, which Firefox may report as a fault of this navigation.
      await navigate().catch((error: unknown) => {
        if (!String(error).includes("NS_BINDING_ABORTED")) throw error;
        return navigate();
      });
    },
    async evaluate<Result>(declaration: string, ...args: string[]) {
      const { value } = await call(`(...args) => JSON.stringify((${declaration})(...args) ?? null)`, args);
      return JSON.parse(String(value)) as Result;
    },
    async find(declaration, ...args) {
      const { sharedId } = await call(declaration, args);
      return sharedId === undefined ? undefined : { sharedId };
    },
    click: async (element) => void (await click(element)),
    async type(element, text) {
      await click(element);
      // Select the present text, so that it is replaced.
      const all = [
        { type: "keyDown", value: CONTROL },
        { type: "keyDown", value: "a" },
        { type: "keyUp", value: "a" },
        { type: "keyUp", value: CONTROL },
      ];
      await act([{ type: "key", id: "keyboard", actions: all }]);
      await keys(Array.from(text));
    },
    back: async () => void (await send("browsingContext.traverseHistory", { context, delta: -1 })),
    async countPrintedPages() {
      const { data } = await send<{ data: string }>("browsingContext.print", {
        context,
        page: { width: 21, height: 29.7 },
      });
      return countPages(Buffer.from(data, "base64"));
    },
    async [Symbol.asyncDispose]() {
      await close();
    },
  };
}

/** In a PDF, the page objects may be in compressed streams (ISO 32000-1, section 7.5.7). */
function countPages(pdf: Buffer): number {
  const text = pdf.toString("latin1");
  const streams = [...text.matchAll(/\/ObjStm[^]*?stream\r?\n([^]*?)\r?\nendstream/g)].map(([, stream = ""]) =>
    inflateSync(Buffer.from(stream, "latin1")).toString("latin1"),
  );
  return [text, ...streams].join("\n").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

function isNode(value: unknown): boolean {
  return typeof value === "object" && value !== null && "sharedId" in value;
}

function press(value: string): object[] {
  return [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ];
}
