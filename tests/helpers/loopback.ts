import { once } from "node:events";
import type { Server } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { AddressInfo } from "node:net";

/** Where a server of the tests listens; at the end of its `await using` block it is closed, with every connection. */
export type Loopback = AsyncDisposable & { url: string; port: number };

/** Opens a server on a port of this machine: a free one unless one is named. */
export async function listen(server: Server | SecureServer, onPort = 0): Promise<Loopback> {
  await once(server.listen(onPort, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

/** A fault of a fake. */
export type Fault<Kind> = {
  kind: Kind;
  /** The calls that it strikes: `POST /v1/refunds`, or a part of it; every call if there is none. */
  on?: RegExp;
  /** How often; for ever if not said. */
  times?: number;
};

/** The faults of a fake: the first that fits a call strikes it. */
export function createFaults<Struck extends Fault<unknown>>() {
  const faults: { fault: Struck; left: number }[] = [];
  return {
    fail: (fault: Struck) => void faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
    heal: () => void faults.splice(0),
    /** The fault that strikes this call, used up by one. */
    take(call: string): Struck | undefined {
      const found = faults.find(({ fault, left }) => left > 0 && (fault.on?.test(call) ?? true));
      if (found) found.left -= 1;
      return found?.fault;
    },
  };
}
