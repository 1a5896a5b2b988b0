import { createServer, connect as open, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A way to a port of this machine that can go dark: connections stay open, and nothing comes through any more. */
export interface Network {
  readonly port: number;
  /** Like a cable that is pulled out: nobody is told. */
  cut(): void;
  /** What was under way is lost, as after a cut that was longer than TCP waits. */
  heal(): void;
  close(): Promise<void>;
}

export async function networkTo(port: number): Promise<Network> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isDark = false;
  const server = createServer((near) => {
    const far = open({ host: "127.0.0.1", port });
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) {
      socket.on("error", () => undefined);
      // In the dark nobody hears that the other one has gone, either.
      socket.on("close", () => isDark || end());
    }
    near.on("data", (data) => isDark || far.write(data));
    far.on("data", (data) => isDark || near.write(data));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const endAll = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      endAll();
      server.close(() => resolve());
    });
  onTestFinished(close);
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    cut: () => {
      isDark = true;
    },
    heal() {
      endAll();
      isDark = false;
    },
    close,
  };
}
