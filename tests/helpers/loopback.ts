import { once } from "node:events";
import type { Server } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { AddressInfo } from "node:net";

/** Closed at the end of its `await using` block, with every connection. */
export type Loopback = AsyncDisposable & { url: string; port: number };

/** On a free port by default. */
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

export type Fault<Kind> = {
  kind: Kind;
  /** Matches `POST /v1/refunds`, or a part of it; every call by default. */
  on?: RegExp;
  /** Without a limit by default. */
  times?: number;
};

/** The first matching fault strikes a call. */
export function createFaults<Struck extends Fault<unknown>>() {
  const faults: { fault: Struck; left: number }[] = [];
  return {
    fail: (fault: Struck) => void faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
    heal: () => void faults.splice(0),
    /** Uses the fault up by one. */
    take(call: string): Struck | undefined {
      const found = faults.find(({ fault, left }) => left > 0 && (fault.on?.test(call) ?? true));
      if (found) found.left -= 1;
      return found?.fault;
    },
  };
}
