import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The requests that a connection brings without waiting for answers (RFC 9112, section 9.3.2), worked on one at a time. */
export type Pipelines = {
  /**
   * Waits until the connection has taken in the answers to its earlier requests, so that one answer at most is held for a
   * connection that does not read. False: the connection has closed, or was closed because too many requests wait on it.
   */
  takeTurn(socket: Socket, response: ServerResponse): Promise<boolean>;
};

/** Browsers and common proxies send no second one. A client whose connection closes asks again on another. */
const MAX_WAITING = 16;

type Line = { isBusy: boolean; waiting: (() => void)[] };

export function createPipelines(): Pipelines {
  const lines = new WeakMap<Socket, Line>();

  function findLine(socket: Socket): Line {
    const found = lines.get(socket);
    if (found) return found;
    const line: Line = { isBusy: false, waiting: [] };
    lines.set(socket, line);
    socket.once("close", () => {
      for (const enter of line.waiting.splice(0)) enter();
    });
    return line;
  }

  return {
    async takeTurn(socket, response) {
      const line = findLine(socket);
      if (line.isBusy) {
        if (line.waiting.length >= MAX_WAITING) socket.destroy();
        await new Promise<void>((enter) => line.waiting.push(enter));
      }
      if (socket.destroyed) return false;
      line.isBusy = true;
      response.once("close", () => {
        const next = line.waiting.shift();
        if (next) next();
        else line.isBusy = false;
      });
      return true;
    },
  };
}
