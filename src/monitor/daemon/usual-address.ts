import { randomInt } from "node:crypto";
import type { Server } from "node:http";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { systemCode } from "../../node/system-code.ts";
import { readPort } from "./hook-address.ts";
import type { DaemonPlace } from "./place.ts";
import { listening } from "./server.ts";

/** Below those that systems give to outgoing connections, so that it is free after a restart. */
const [LOWEST, HIGHEST] = [20_000, 30_000];

/** Listens at the port of earlier daemons; at another one when that is taken. Returns the port, which is written down. */
export async function listenAtUsualPort(server: Server, place: DaemonPlace): Promise<number> {
  const usual = readPort(place.port);
  for (const port of [usual ?? randomInt(LOWEST, HIGHEST), 0]) {
    try {
      await listening(server, { host: "127.0.0.1", port });
      break;
    } catch (error) {
      if (systemCode(error) !== "EADDRINUSE" || port === 0) throw error;
    }
  }
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  if (port !== usual) await writeAtomically(place.port, String(port));
  return port;
}
