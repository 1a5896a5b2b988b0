import type { Server } from "node:http";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { listening } from "./server.ts";

/** Listens at the port of the last daemon, or at any when another program has it now. */
export async function listenAsBefore(server: Server, portFile: string): Promise<number> {
  const before = Number(readOwnFile(portFile, 100).text);
  const host = "127.0.0.1";
  if (Number.isInteger(before) && before > 1023 && before < 65_536)
    await listening(server, { host, port: before }).catch(() => undefined);
  if (!server.listening) await listening(server, { host, port: 0 });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  if (port !== before) await writeAtomically(portFile, String(port));
  return port;
}
