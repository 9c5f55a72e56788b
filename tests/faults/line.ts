import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** The way from the app to one of its parts, on which everything may happen that happens on ways. */
export type Line = AsyncDisposable & {
  port: number;
  /** Everything goes through again; what was held comes late and whole. */
  mend(): Promise<void>;
  /** Nothing comes through for now, in either direction, and nothing is lost. */
  hold(): void;
  /** Nobody is there: what is open ends, and what is new is refused. */
  shut(): Promise<void>;
  /** Whatever is open and whatever comes is reset. */
  reset(): void;
  /** Somebody else answers: these bytes, whatever is said, and then no more. */
  answer(bytes: Uint8Array): void;
};

type Manner = { kind: "well" | "held" | "resetting" } | { kind: "answering"; bytes: Uint8Array };

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
    from.on("data", (chunk) => to.write(chunk));
    from.on("close", () => to.destroy());
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
