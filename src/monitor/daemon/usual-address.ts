import { randomInt } from "node:crypto";
import type { Server } from "node:http";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { readPort } from "./hook-address.ts";
import type { DaemonPlace } from "./place.ts";
import { listening } from "./server.ts";

/** Below those that systems give to outgoing connections, so that it is free after a restart. */
const [LOWEST, HIGHEST] = [20_000, 30_000];

const MOST_TRIES = 10;

/**
 * Listens at the port of earlier daemons, and where that can't be had at another one, which is written down. When none
 * of several can be had, the system chooses; that one may be taken after a restart, so it is not written down.
 *
 * @returns the port.
 * @throws the system's error.
 */
export async function listenAtUsualPort(server: Server, place: DaemonPlace): Promise<number> {
  const usual = readPort(place.port);
  const others = Array.from({ length: MOST_TRIES }, () => randomInt(LOWEST, HIGHEST));
  for (const port of [...(usual === undefined ? [] : [usual]), ...others]) {
    try {
      await listening(server, { host: "127.0.0.1", port });
    } catch {
      continue;
    }
    if (port !== usual) await writeAtomically(place.port, String(port));
    return port;
  }
  await listening(server, { host: "127.0.0.1", port: 0 });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
