import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A connection from the app to a loopback server, with every fault of a network. */
export type Line = AsyncDisposable & {
  port: number;
  /** Held bytes arrive late and complete. */
  mend(): Promise<void>;
  /** Pauses both directions without a loss. */
  hold(): void;
  /** Later bytes are lost, and neither side notices. */
  silence(): void;
  /** Open connections end, and new ones are refused. */
  shut(): Promise<void>;
  reset(): void;
  /** Answers these bytes to everything, as another server. */
  answer(bytes: Uint8Array): void;
};

type Manner = { kind: "well" | "held" | "silent" | "resetting" } | { kind: "answering"; bytes: Uint8Array };

export async function openLine(toPort: number): Promise<Line> {
  const sockets = new Set<Socket>();
  let manner: Manner = { kind: "well" };
  const server = createServer(take);
  await listen(0);
  const { port } = server.address() as AddressInfo;

  async function listen(onPort: number): Promise<void> {
    server.listen(onPort, "127.0.0.1");
    await once(server, "listening");
  }

  function take(near: Socket): void {
    keep(near);
    if (manner.kind === "resetting") return void near.resetAndDestroy();
    if (manner.kind === "answering") return void near.end(manner.bytes);
    const far = connect(toPort, "127.0.0.1");
    keep(far);
    join(near, far);
    join(far, near);
  }

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  }

  function join(from: Socket, to: Socket): void {
    if (manner.kind === "held") from.pause();
    from.on("data", (chunk) => manner.kind === "silent" || to.write(chunk));
    from.on("close", () => manner.kind === "silent" || to.destroy());
  }

  const breakOff = (isReset: boolean) => {
    for (const socket of sockets) void (isReset ? socket.resetAndDestroy() : socket.destroy());
  };

  return {
    port,
    async mend() {
      manner = { kind: "well" };
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(port);
    },
    hold() {
      manner = { kind: "held" };
      for (const socket of sockets) socket.pause();
    },
    silence() {
      manner = { kind: "silent" };
    },
    async shut() {
      const closed = once(server, "close");
      server.close();
      breakOff(false);
      await closed;
    },
    reset() {
      manner = { kind: "resetting" };
      breakOff(true);
    },
    answer(bytes) {
      manner = { kind: "answering", bytes };
      breakOff(false);
    },
    async [Symbol.asyncDispose]() {
      breakOff(false);
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
