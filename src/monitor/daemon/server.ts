import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { ListenOptions } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import type { Api } from "../api/api.ts";

/** What clients may take, in milliseconds and connections. A slower client is cut off. */
interface ServerLimits {
  readonly headers: number;
  readonly request: number;
  /** How often slow clients are looked for. */
  readonly look: number;
  readonly connections: number;
}

const LIMITS: ServerLimits = { headers: 5000, request: 20_000, look: 1000, connections: 500 };
/** Each machine of a team has two open. */
const TEAM_LIMITS: ServerLimits = { ...LIMITS, connections: 5000 };

/** A server's certificate and its key, as text. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** An HTTP server for an app, with limits for slow and many clients. */
export function serverOf(
  app: Pick<Api, "fetch">,
  onError: (error: unknown) => void,
  { headers, request, look, connections }: ServerLimits = LIMITS,
  tls?: Tls,
): Server {
  const limits = { headersTimeout: headers, requestTimeout: request, connectionsCheckingInterval: look };
  // Hono answers HEAD as it does GET: news would be written for nobody and without end.
  const listener = getRequestListener((request, bindings) =>
    request.method === "GET" || request.method === "POST"
      ? app.fetch(request, bindings)
      : new Response(null, { status: 405 }),
  );
  const server =
    tls === undefined ? createServer(limits, listener) : createTlsServer({ ...limits, ...tls }, listener);
  server.maxConnections = connections;
  server.on("error", onError);
  return server;
}

/** The same for the machines of a team. @throws the system's error for a certificate that can't be used. */
export function teamServerOf(
  app: Pick<Api, "fetch">,
  onError: (error: unknown) => void,
  tls: Tls | undefined,
): Server {
  return serverOf(app, onError, TEAM_LIMITS, tls);
}

/** @throws the system's error. */
export function listening(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Listens at the port of the last daemon, or at any when another program has it now. */
export async function listenAsBefore(server: Server, portFile: string): Promise<number> {
  const before = Number(readOwnFile(portFile, 100).text);
  const host = "127.0.0.1";
  if (Number.isInteger(before) && before > 1023 && before < 65_536)
    await listening(server, { host, port: before }).catch(() => undefined);
  if (!server.listening) await listening(server, { host, port: 0 });
  const port = portOf(server);
  if (port !== before) await writeAtomically(portFile, String(port));
  return port;
}

/** Closes a server; requests under way have a second. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), 1000);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
