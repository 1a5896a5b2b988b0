import { randomInt } from "node:crypto";
import type { Server } from "node:http";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { systemCode } from "../../node/system-code.ts";
import { type DaemonPlace, daemonPlace } from "./place.ts";
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

/** How agents ask the daemon of this user by HTTP; `undefined` when none has run yet. */
export function hookAddress(
  environment: NodeJS.ProcessEnv,
): { readonly origin: string; readonly token: string } | undefined {
  const place = daemonPlace(environment);
  const [port, token] = [readPort(place.port), readToken(place.hookToken)];
  return port === undefined || token === undefined
    ? undefined
    : { origin: `http://127.0.0.1:${port}`, token };
}

/** A token as a daemon has written it. */
export function readToken(file: string): string | undefined {
  const { text = "" } = readOwnFile(file, 1000);
  return /^[0-9a-f]{64}$/.test(text) ? text : undefined;
}

function readPort(file: string): number | undefined {
  const { text = "" } = readOwnFile(file, 1000);
  return /^[1-9]\d{3,4}$/.test(text) && Number(text) < 65_536 ? Number(text) : undefined;
}
