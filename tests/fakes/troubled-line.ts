import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A line to a server on a loopback port, which can go silent or be cut while both ends are well. */
export type TroubledLine = AsyncDisposable & {
  port: number;
  /** From now on nothing comes through, and nobody is told; until `mend`. */
  silence(): void;
  mend(): void;
  /** Breaks what is open; new connections are made as before. */
  cut(): void;
};

export async function openTroubledLine(toPort: number): Promise<TroubledLine> {
  const pairs = new Set<[Socket, Socket]>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(toPort, "127.0.0.1");
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      // What was said into a silent line is lost: whoever waits for an answer waits in vain, also after it was mended.
      from.on("data", (chunk) => isSilent || to.write(chunk));
      from.on("error", () => undefined);
      from.on("close", () => {
        pairs.delete(pair);
        if (!isSilent) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    silence: () => void (isSilent = true),
    mend: () => void (isSilent = false),
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
