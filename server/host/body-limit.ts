import type { IncomingMessage, ServerResponse } from "node:http";

import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { createGate } from "../gate.ts";

/** What a request may bring, and how long it may take over it. */
export type BodyRule = { maxBytes: number; maxMs: number };

/** No form of ours is larger, but for one. */
const ordinary: BodyRule = { maxBytes: 256 * 1024, maxMs: 30 * SECOND_IN_MS };
/** A picture of 5 MB and the fields beside it, over a line of 300 kilobits a second. */
export const pictureForm: BodyRule = { maxBytes: 6 * 1024 * 1024, maxMs: 3 * MINUTE_IN_MS };

/** Where the form with the picture is sent: the dashboard under both its names, as a page does and as script does. */
const pictureFormPaths = new Set(["", "_.data", "dashboard", "dashboard.data"]);

/** `path` is without the base. */
export function bodyRuleFor({ method, headers }: IncomingMessage, path: string): BodyRule {
  const isMultipart = /^multipart\/form-data\s*(?:;|$)/i.test(headers["content-type"] ?? "");
  return method === "POST" && isMultipart && pictureFormPaths.has(path) ? pictureForm : ordinary;
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
   * The same request, whose body ends in an error where it breaks its rule; `onTooLarge` is told first. What is larger than an
   * ordinary form waits in the network, unread, while there are enough of its kind in memory.
   */
  limit(request: Request, at: BodyPlace): Request;
};

export type BodyPlace = { rule: BodyRule; response: ServerResponse; onTooLarge: () => void };

/** At most so many are read and worked on at once: 96 MB as they come in, three times that while they are taken apart. */
const LARGE_AT_ONCE = 16;

export function createBodies(): Bodies {
  const gate = createGate(LARGE_AT_ONCE);

  /** Waits for a place, which is kept until the request is answered or given up. */
  function takePlace(response: ServerResponse): Promise<void> {
    const over = new Promise<void>((resolve) => (response.closed ? resolve() : response.once("close", resolve)));
    return new Promise((enter) => {
      void gate(() => {
        enter();
        return over;
      });
    });
  }

  return {
    limit(request, { rule, response, onTooLarge }) {
      if (!request.body) return request;
      let size = 0;
      let place: Promise<void> | undefined;
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        async transform(chunk, controller) {
          size += chunk.byteLength;
          if (size > rule.maxBytes) {
            onTooLarge();
            return controller.error(new BodyTooLarge(rule.maxBytes));
          }
          if (size > ordinary.maxBytes) await (place ??= takePlace(response));
          controller.enqueue(chunk);
        },
      });
      return new Request(request, { body: request.body.pipeThrough(counter), duplex: "half" } as RequestInit);
    },
  };
}
