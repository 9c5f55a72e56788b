import type { IncomingMessage, ServerResponse } from "node:http";

import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { createGate, type Gate } from "../gate.ts";

/** What a request may bring, and how long it may take over it. */
export type BodyRule = { maxBytes: number; maxMs: number };

/** No form of ours is larger, but for one. */
export const ordinaryForm: BodyRule = { maxBytes: 256 * 1024, maxMs: 30 * SECOND_IN_MS };
/** A picture of 5 MB and the fields beside it, over a line of 300 kilobits a second. */
export const pictureForm: BodyRule = { maxBytes: 6 * 1024 * 1024, maxMs: 3 * MINUTE_IN_MS };

/** A provider's notices: GoCardless sends up to 250 events at once. */
const noticeBatch: BodyRule = { maxBytes: 1024 * 1024, maxMs: 30 * SECOND_IN_MS };

/** Where the form with the picture is sent: the dashboard under both its names, as a page does and as script does. */
const pictureFormPaths = new Set(["", "_.data", "dashboard", "dashboard.data"]);

/** `path` is without the base. */
export function bodyRuleFor({ method, headers }: IncomingMessage, path: string): BodyRule {
  if (path.startsWith("webhooks/")) return noticeBatch;
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

/** All bodies that are under way at a host. */
export type Bodies = {
  /**
   * The same request, whose body ends in an error where it becomes too large (`onTooLarge` is told first), and with its connection
   * where it takes too long. What is larger than an ordinary form waits in the network, unread, while there are enough of its
   * kind in memory, and is given up where it stops coming.
   */
  limit(request: Request, exchange: Exchange): Request;
};

export type Exchange = {
  rule: BodyRule;
  incoming: IncomingMessage;
  response: ServerResponse;
  /** Who sends it, as far as a network knows. */
  address: string;
  /** When nobody works on the request any more. A browser that hangs up ends the response, and not the work. */
  handled: Promise<void>;
  onTooLarge: () => void;
};

/** At most so many are read and worked on at once: 48 MB as they come in, a few times that while they are taken apart. */
const LARGE_AT_ONCE = 8;
/** So many of them from one address: whoever sends slowly, or nothing any more, leaves the other half to the others. */
const LARGE_PER_ADDRESS = LARGE_AT_ONCE / 2;
/** A line that has not moved for so long is dead, and somebody else waits. */
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

export function createBodies(): Bodies {
  const ofForms = createPlaces();
  // What a provider tells is not to wait for pictures.
  const ofNotices = createPlaces();

  return {
    limit(request, { onTooLarge, ...exchange }) {
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
            await (place ??= (rule === noticeBatch ? ofNotices : ofForms)(exchange));
            clearTimeout(silence);
            if (!response.closed) silence = setTimeout(giveUp, SILENCE_IN_MS);
          }
          controller.enqueue(chunk);
        },
      });
      return new Request(request, { body: request.body.pipeThrough(counter), duplex: "half" } as RequestInit);
    },
  };
}

/** Taking a hundred thousand apart would hold up the whole house for a second; a form has ten. */
const MAX_PARTS = 1000;

/** At least as many as begin in these bytes: what stands before each of them is counted. */
function countParts(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  let count = 0;
  for (let at = bytes.indexOf(PART_MARK); at !== -1; at = bytes.indexOf(PART_MARK, at + PART_MARK.length)) count += 1;
  return count;
}

const PART_MARK = "\r\n--";

/** Lets go by what nobody has read of a body, so that the browser that still sends it gets to the answer. */
export function discardRest(incoming: IncomingMessage): void {
  if (!incoming.complete) incoming.removeAllListeners("data").resume();
}
