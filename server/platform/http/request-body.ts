import type { IncomingMessage, ServerResponse } from "node:http";

import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { createGate, type Gate } from "../gate.ts";
import { toNetwork } from "../rate-limit/rate-limit.ts";

/** `isCut`: the rest of a longer body is dropped, and the request is not refused. */
export type BodyRule = { maxBytes: number; maxMs: number; isCut?: boolean };

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const form = { maxBytes: 256 * KIBIBYTE, maxMs: 30 * SECOND_IN_MS };

export const bodyRules = {
  /** A route without a body: one that comes is ignored. */
  none: { maxBytes: 0, maxMs: 0, isCut: true },
  /** No form of ours but one is larger. */
  form,
  /** From a visitor without a session: the fields before the picture survive the log-in, the picture does not. */
  fields: { ...form, maxBytes: 16 * KIBIBYTE, isCut: true },
  /** A provider's webhook events: GoCardless sends up to 250 events at once. */
  events: { maxBytes: MEBIBYTE, maxMs: 30 * SECOND_IN_MS },
  /** A picture of 5 MB and the fields beside it, over a line of 300 kilobits a second. */
  picture: { maxBytes: 6 * MEBIBYTE, maxMs: 3 * MINUTE_IN_MS },
} satisfies Record<string, BodyRule>;

/** `sender`: the member whose picture it is. */
export type Admission = { kind: Exclude<keyof typeof bodyRules, "picture"> } | { kind: "picture"; sender: string };

/** `too-many`: too many bodies are under way. `gone`: the connection has ended. */
export type ReadBody =
  | { ok: true; body: Uint8Array<ArrayBuffer> | null }
  | { ok: false; reason: "too-large" | "too-many" | "gone" };

export type Exchange = {
  incoming: IncomingMessage;
  response: ServerResponse;
  address: string;
  /** Settles once the handler has finished. A browser that hangs up ends the response, not the work. */
  handled: Promise<void>;
};

/** Reads a whole body before the handler begins, so that a slow request holds nothing else. */
export type BodyReader = (exchange: Exchange, admission: Admission) => Promise<ReadBody>;

/** Bounds bytes and time of all bodies under way at a server, and of each sender. */
export function createBodyReader(): BodyReader {
  const crowd = createCrowd();
  const takeSlot = createSlots();

  return async (exchange, admission) => {
    const { incoming } = exchange;
    const rule: BodyRule = bodyRules[admission.kind];
    if (admission.kind === "none") return { ok: true, body: null };
    if (!rule.isCut && Number(incoming.headers["content-length"] ?? 0) > rule.maxBytes)
      return { ok: false, reason: "too-large" };
    // A small body does not wait for large ones. A body of unknown length may be large.
    if (admission.kind === "picture" && !(Number(incoming.headers["content-length"]) <= form.maxBytes)) {
      if (!(await takeSlot(exchange, admission.sender))) return { ok: false, reason: "too-many" };
      return readWhole(exchange, { rule });
    }
    return readWhole(exchange, { rule, share: crowd.join(exchange) });
  };
}

/** A body that pauses for longer is refused. */
const SILENCE_IN_MS = 20 * SECOND_IN_MS;

type Reading = { rule: BodyRule; share?: Share };

function readWhole({ incoming, response }: Exchange, { rule, share }: Reading): Promise<ReadBody> {
  // One buffer that grows: each byte may come in a chunk of its own, and a chunk is an object of 200 bytes.
  let bytes = Buffer.alloc(0);
  let size = 0;

  function add(chunk: Buffer): void {
    if (size + chunk.byteLength > bytes.byteLength) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.byteLength, size + chunk.byteLength));
      share?.hold(larger.byteLength - bytes.byteLength);
      bytes.copy(larger, 0, 0, size);
      bytes = larger;
    }
    size += chunk.copy(bytes, size);
  }

  return new Promise((resolve) => {
    const hangUp = () => void incoming.destroy();
    const patience = setTimeout(hangUp, rule.maxMs);
    const silence = setTimeout(hangUp, SILENCE_IN_MS);
    const settle = (result: ReadBody) => {
      clearTimeout(patience);
      clearTimeout(silence);
      incoming.off("data", take).off("end", finish);
      response.off("close", leave);
      share?.finish();
      resolve(result);
    };
    const leave = () => settle({ ok: false, reason: "gone" });
    const finish = () => {
      const body = bytes.subarray(0, size);
      settle(countParts(body) > MAX_PARTS ? { ok: false, reason: "too-large" } : { ok: true, body });
    };
    function take(chunk: Buffer): void {
      silence.refresh();
      const left = rule.maxBytes - size;
      add(chunk.subarray(0, left));
      if (chunk.byteLength <= left) return;
      if (!rule.isCut) return settle({ ok: false, reason: "too-large" });
      settle({ ok: true, body: closeForm(bytes.subarray(0, size), incoming.headers["content-type"]) });
    }
    if (response.closed) return leave();
    incoming.on("data", take).once("end", finish);
    response.once("close", leave);
    share?.onGivenUp(() => settle({ ok: false, reason: "too-many" }));
  });
}

/** The beginning of a form, closed as if it had ended there (RFC 2046, section 5.1.1). */
function closeForm(start: Buffer, contentType = ""): Buffer<ArrayBuffer> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  return Buffer.concat([start, Buffer.from(`\r\n--${quoted ?? plain ?? ""}--\r\n`)]);
}

/** Parsing a hundred thousand parts would block the whole server for a second; a form has ten. */
const MAX_PARTS = 1000;
const PART_MARK = "\r\n--";

/** At least the number of parts: also counts marks before the first. */
function countParts(body: Buffer): number {
  let count = 0;
  for (let at = body.indexOf(PART_MARK); at !== -1; at = body.indexOf(PART_MARK, at + PART_MARK.length)) count += 1;
  return count;
}

/* Bodies that any visitor may send: forms and webhook events. */

/** Bytes of a connection beside its body: one more read, and its own objects. */
const BESIDE_BYTES = 64 * KIBIBYTE;
/** For all bodies under way, and for those of one network: 512 and 128 of the smallest. */
const MAX_CROWD_BYTES = 32 * MEBIBYTE;
const MAX_CROWD_BYTES_PER_NETWORK = 8 * MEBIBYTE;

type Share = {
  hold(bytes: number): void;
  /** It is complete or has ended: it is no longer given up. */
  finish(): void;
  onGivenUp(giveUp: () => void): void;
};

type Waiting = { network: string; bytes: number; giveUp?: (() => void) | undefined };

/**
 * Under pressure, the oldest body of the network that holds the most is given up. An honest form arrives within a
 * moment, so it gets through however many others never end.
 */
function createCrowd() {
  const bodies = new Set<Waiting>();

  function heldBy(network?: string): number {
    let sum = 0;
    for (const body of bodies) if (network === undefined || body.network === network) sum += body.bytes;
    return sum;
  }

  function findHeaviest(): string | undefined {
    const held = new Map<string, number>();
    for (const { network, bytes, giveUp } of bodies) if (giveUp) held.set(network, (held.get(network) ?? 0) + bytes);
    return [...held].toSorted(([, one], [, other]) => other - one)[0]?.[0];
  }

  /** False: none of them is waited for any more. */
  function giveUpOldest(network: string | undefined): boolean {
    for (const body of bodies) {
      if (body.network !== network || !body.giveUp) continue;
      bodies.delete(body);
      body.giveUp();
      return true;
    }
    return false;
  }

  function freeBytes(network: string): void {
    while (heldBy(network) > MAX_CROWD_BYTES_PER_NETWORK && giveUpOldest(network));
    while (heldBy() > MAX_CROWD_BYTES && giveUpOldest(findHeaviest()));
  }

  return {
    join({ address, handled }: Pick<Exchange, "address" | "handled">): Share {
      const body: Waiting = { network: toNetwork(address), bytes: BESIDE_BYTES };
      bodies.add(body);
      void handled.finally(() => bodies.delete(body));
      return {
        hold(bytes) {
          body.bytes += bytes;
          freeBytes(body.network);
        },
        finish: () => (body.giveUp = undefined),
        onGivenUp(giveUp) {
          body.giveUp = giveUp;
          freeBytes(body.network);
        },
      };
    },
  };
}

/* Pictures, which only members send. */

/** Large bodies read and handled at once: 48 MB as they come in, a few times that while they are parsed. */
const LARGE_AT_ONCE = 8;
/** From one member. */
const LARGE_PER_SENDER = 2;
/** All large bodies that wait unread, and one member's. */
const LARGE_WAITING = 64;
const LARGE_WAITING_PER_SENDER = 4;

/** Waits for a slot, which it has until the response is closed. False: too many wait. */
type TakeSlot = (exchange: Pick<Exchange, "handled" | "response">, sender: string) => Promise<boolean>;

function createSlots(): TakeSlot {
  const gate = createGate(LARGE_AT_ONCE);
  const lanes = new Map<string, { gate: Gate; count: number; waiting: number }>();
  let waiting = 0;

  return async ({ handled, response }, sender) => {
    const lane = lanes.get(sender) ?? { gate: createGate(LARGE_PER_SENDER), count: 0, waiting: 0 };
    if (waiting >= LARGE_WAITING || lane.waiting >= LARGE_WAITING_PER_SENDER) return false;
    const closed = new Promise<void>((resolve) => (response.closed ? resolve() : response.once("close", resolve)));
    lanes.set(sender, lane);
    lane.count += 1;
    lane.waiting += 1;
    waiting += 1;
    return new Promise((enter) => {
      const stay = async () => {
        lane.waiting -= 1;
        waiting -= 1;
        enter(true);
        await Promise.all([closed, handled]);
        lane.count -= 1;
        if (lane.count === 0) lanes.delete(sender);
      };
      void lane.gate(() => gate(stay));
    });
  };
}

/* The rest of a body that is not read. */

/** How long an unwanted body may continue, and how long it may pause. */
const LINGER_IN_MS = 30 * SECOND_IN_MS;
const LINGER_IDLE_IN_MS = 5 * SECOND_IN_MS;

/** Discards the rest, then calls `end`. A browser that is cut off while it sends never shows the answer. */
export function discardRest(incoming: IncomingMessage, end: () => void): void {
  if (incoming.complete) return end();
  const finish = () => {
    clearTimeout(whole);
    clearTimeout(idle);
    end();
  };
  const whole = setTimeout(finish, LINGER_IN_MS);
  const idle = setTimeout(finish, LINGER_IDLE_IN_MS);
  incoming
    .on("data", () => idle.refresh())
    .once("end", finish)
    .once("close", finish)
    .resume();
}
