import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A way to a server of this machine that can be cut: connections stay open, nothing comes through, and nobody is told. */
export interface CutNetwork {
  readonly port: number;
  cut(): void;
  /** Lets what was held up through. */
  heal(): void;
  /** Ends all connections with what was held up, as after a cut that was longer than TCP waits. */
  healAnew(): void;
  close(): Promise<void>;
}

/** Opens a way to a port of this machine, until the test ends. */
export async function cutNetwork(to: number): Promise<CutNetwork> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer({ pauseOnConnect: true }, (near) => {
    const far = connect(to, "127.0.0.1");
    for (const [from, onto] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("data", (data) => onto.write(data));
      from.on("close", () => {
        sockets.delete(from);
        if (!isCut) onto.destroy();
      });
      if (isCut) from.pause();
      else from.resume();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = (): Promise<void> => {
    endAll();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The way has no port.");
  return {
    port: address.port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    heal() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    healAnew() {
      isCut = false;
      endAll();
    },
    close,
  };
}
