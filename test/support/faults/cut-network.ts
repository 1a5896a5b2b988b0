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
  /** Lets new connections through; those of before stay silent, as behind a router that has forgotten them. */
  healForNew(): void;
  close(): Promise<void>;
}

/** A connection through the way: the socket of the client, and the one to the server. */
interface Connection {
  readonly ends: readonly [Socket, Socket];
  isSilent: boolean;
  /** It breaks with the next words of the server, which get lost. */
  breaks: boolean;
}

/** What a client says that the way does not survive. */
export interface Faults {
  /** True for what does not get through, and silences the connection for good. */
  readonly silences?: (data: Buffer) => boolean;
  /** True for what gets through. The connection breaks when the server has done it, and the answer is lost. */
  readonly losesAnswer?: (data: Buffer) => boolean;
}

/** Opens a way to a port of this machine, until the test ends. */
export async function cutNetwork(to: number, faults: Faults = {}): Promise<CutNetwork> {
  const connections = new Set<Connection>();
  let isCut = false;
  const silence = (connection: Connection): void => {
    connection.isSilent = true;
    for (const end of connection.ends) end.pause();
  };
  const server = createServer({ pauseOnConnect: true }, (near) => {
    const far = connect(to, "127.0.0.1");
    const connection: Connection = { ends: [near, far], isSilent: false, breaks: false };
    connections.add(connection);
    for (const [from, onto] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("error", () => {});
      from.on("data", (data) => {
        if (from === near && faults.silences?.(data)) return silence(connection);
        if (from === far && connection.breaks) return void from.destroy();
        if (from === near && faults.losesAnswer?.(data)) connection.breaks = true;
        onto.write(data);
      });
      from.on("close", () => {
        if (isCut || connection.isSilent) return;
        connections.delete(connection);
        onto.destroy();
      });
      if (isCut) from.pause();
      else from.resume();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endAll = (): void => {
    for (const { ends } of connections) for (const end of ends) end.destroy();
    connections.clear();
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
      for (const { ends } of connections) for (const end of ends) end.pause();
    },
    heal() {
      isCut = false;
      for (const { ends, isSilent } of connections) if (!isSilent) for (const end of ends) end.resume();
    },
    healAnew() {
      isCut = false;
      endAll();
    },
    healForNew() {
      isCut = false;
      for (const connection of connections) silence(connection);
    },
    close,
  };
}
