import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { createGate, type Gate } from "../gate.ts";
import { forms, pictures } from "../refusals.ts";

/** What a request may bring, and how long it may take over it. */
export type BodyRule = { maxBytes: number; maxMs: number };

/** No form of ours is larger, but for one. */
export const ordinaryForm: BodyRule = { maxBytes: 256 * 1024, maxMs: 30 * SECOND_IN_MS };
/** A picture of 5 MB and the fields beside it, over a line of 300 kilobits a second. */
export const pictureForm: BodyRule = { maxBytes: 6 * 1024 * 1024, maxMs: 3 * MINUTE_IN_MS };

/** A provider's webhook events: GoCardless sends up to 250 events at once. */
const eventBatch: BodyRule = { maxBytes: 1024 * 1024, maxMs: 30 * SECOND_IN_MS };

/** Where the form with the picture is sent: the dashboard under both its names, as a page does and as script does. */
const pictureFormPaths = new Set(["", "_.data", "dashboard", "dashboard.data"]);

/** `path` is without the base. */
export function bodyRuleFor({ method, headers }: IncomingMessage, path: string): BodyRule {
  if (path.startsWith("webhooks/")) return eventBatch;
  const isMultipart = /^multipart\/form-data\s*(?:;|$)/i.test(headers["content-type"] ?? "");
  return method === "POST" && isMultipart && pictureFormPaths.has(path) ? pictureForm : ordinaryForm;
}

/** A body that did not say its length and turned out longer. */
class BodyTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`a body of more than ${maxBytes} bytes`);
    this.name = "BodyTooLarge";
  }
}

/**
 * The same request, whose body ends in an error where it becomes too large (`onTooLarge` is called first), and with its connection
 * where it takes too long. What is larger than an ordinary form waits in the network, unread, while there are enough of its
 * kind in memory, and is given up where it stops coming.
 */
type LimitBody = (request: Request, exchange: Exchange) => Request;

type Exchange = {
  rule: BodyRule;
  incoming: IncomingMessage;
  response: ServerResponse;
  /** The sender's network address. */
  address: string;
  /** Settles once the handler has finished. A browser that hangs up ends the response, and not the work. */
  handled: Promise<void>;
  onTooLarge: () => void;
};

/** At most so many are read and worked on at once: 48 MB as they come in, a few times that while they are taken apart. */
const LARGE_AT_ONCE = 8;
/** So many of them from one address: slow senders leave the other half to other addresses. */
const LARGE_PER_ADDRESS = LARGE_AT_ONCE / 2;
/** A body of which nothing has come for so long gives up its place to the next that waits. */
const SILENCE_IN_MS = 20 * SECOND_IN_MS;

/** Waits for a place, which is kept until the request is handled and its response closed. */
type TakePlace = (exchange: Pick<Exchange, "address" | "handled" | "response">) => Promise<void>;

function createPlaces(): TakePlace {
  const gate = createGate(LARGE_AT_ONCE);
  const lanes = new Map<string, { gate: Gate; count: number }>();

  return ({ address, handled, response }) => {
    const closed = new Promise<void>((resolve) => (response.closed ? resolve() : response.once("close", resolve)));
    const lane = lanes.get(address) ?? { gate: createGate(LARGE_PER_ADDRESS), count: 0 };
    lanes.set(address, lane);
    lane.count += 1;
    return new Promise((enter) => {
      const stay = async () => {
        enter();
        await Promise.all([closed, handled]);
        lane.count -= 1;
        if (lane.count === 0) lanes.delete(address);
      };
      void lane.gate(() => gate(stay));
    });
  };
}

/** For all bodies that are under way at a server. */
export function createBodyLimit(): LimitBody {
  const ofForms = createPlaces();
  // What a provider tells is not to wait for pictures.
  const ofWebhooks = createPlaces();

  return (request, { onTooLarge, ...exchange }) => {
    if (!request.body) return request;
    const { rule, incoming, response } = exchange;
    const giveUp = () => void (!incoming.complete && incoming.destroy());
    const patience = setTimeout(giveUp, rule.maxMs);
    let silence: NodeJS.Timeout | undefined;
    response.once("close", () => {
      clearTimeout(patience);
      clearTimeout(silence);
    });
    let size = 0;
    let parts = 0;
    let place: Promise<void> | undefined;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        size += chunk.byteLength;
        parts += countParts(chunk);
        if (size > rule.maxBytes || parts > MAX_PARTS) {
          onTooLarge();
          return controller.error(new BodyTooLarge(rule.maxBytes));
        }
        if (size > ordinaryForm.maxBytes) {
          await (place ??= (rule === eventBatch ? ofWebhooks : ofForms)(exchange));
          clearTimeout(silence);
          if (!response.closed) silence = setTimeout(giveUp, SILENCE_IN_MS);
        }
        controller.enqueue(chunk);
      },
    });
    return new Request(request, { body: request.body.pipeThrough(counter), duplex: "half" } as RequestInit);
  };
}

/** Taking a hundred thousand apart would hold up the whole server for a second; a form has ten. */
const MAX_PARTS = 1000;

/** At least as many as begin in these bytes: what stands before each of them is counted. */
function countParts(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  let count = 0;
  for (let at = bytes.indexOf(PART_MARK); at !== -1; at = bytes.indexOf(PART_MARK, at + PART_MARK.length)) count += 1;
  return count;
}

const PART_MARK = "\r\n--";

/** Discards the unread rest of a body, so that the browser that still sends it gets to the answer. */
export function discardRest(incoming: IncomingMessage): void {
  if (!incoming.complete) incoming.removeAllListeners("data").resume();
}

/** What is too large to be looked at, and where the product is. */
type Refusal = { rule: BodyRule; path: string; basePath: string };

/** Answers 413 in words: a page for a form that a page sent, a sentence for script and all other clients. */
export function refuseBody(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent) return void response.destroy();
  const { type, body, policy } = wordsFor(refusal, request.headers.cookie);
  response.writeHead(413, {
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Length": Buffer.byteLength(body),
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    Connection: "close",
  });
  response.write(body);
  endAfterRequest(request, response);
}

const TITLE = pictures.spec["too-big"];
const ADVICE = pictures.ours["too-big-to-read"];
/** The product's own styles may not be there: this comes from outside of it. */
const STYLE =
  ":root{background:light-dark(#faf6ee,#0d1420)}main{max-width:32rem;margin:15vh auto;padding:1rem;font:1.125rem/1.6 system-ui,sans-serif}";
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** The scheme that a visitor chose, as `app/cookies.ts` keeps it: a white page in the middle of the night wakes people. */
const chosenScheme = /(?:^|; )dormouse-scheme=(night|dawn)(?:;|$)/;
const colorSchemes = { night: "dark", dawn: "light" };

function wordsFor({ rule, path, basePath }: Refusal, cookies = ""): { type: string; body: string; policy: string } {
  const policy = "default-src 'none'; frame-ancestors 'none'";
  if (rule !== pictureForm) return { type: "text/plain", body: `${forms.ours["too-large"]}\n`, policy };
  if (path.endsWith(".data")) return { type: "text/plain", body: `${TITLE}. ${ADVICE}\n`, policy };
  const chosen = chosenScheme.exec(cookies)?.[1] as keyof typeof colorSchemes | undefined;
  const scheme = chosen ? colorSchemes[chosen] : "dark light";
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="${scheme}"><title>${TITLE}</title><style>${STYLE}</style>`;
  const main = `<h1>${TITLE}</h1><p>${ADVICE}</p><p><a href="${basePath}?account=open">Back to My Account</a></p>`;
  return {
    type: "text/html",
    body: `<!doctype html><html lang="en-GB"><head>${head}</head><body><main>${main}</main></body></html>\n`,
    policy: `${policy}; style-src 'sha256-${STYLE_HASH}'`,
  };
}

/** How long an unwanted body may go on coming, and how long it may pause. */
const LINGER_IN_MS = 30 * SECOND_IN_MS;
const LINGER_IDLE_IN_MS = 5 * SECOND_IN_MS;

/**
 * The answer is out; the connection ends with the request, which is not kept. A browser that is cut off in the middle of
 * sending shows that, and never the answer.
 */
function endAfterRequest(request: IncomingMessage, response: ServerResponse): void {
  const end = () => {
    clearTimeout(whole);
    clearTimeout(idle);
    response.end();
  };
  const whole = setTimeout(end, LINGER_IN_MS);
  const idle = setTimeout(end, LINGER_IDLE_IN_MS);
  if (request.complete) return end();
  discardRest(request);
  request
    .on("data", () => idle.refresh())
    .once("end", end)
    .once("close", end);
}
