import { createServer, type Server } from "node:http";
import type { ListenOptions } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";

/** A client that is slower than this is not served. */
const HEADERS_MILLISECONDS = 5000;
const REQUEST_MILLISECONDS = 20_000;
const MOST_CONNECTIONS = 500;

/** An HTTP server for an app, with limits for slow and many clients. */
export function serverOf(app: Hono, onError: (error: unknown) => void): Server {
  const server = createServer(
    { headersTimeout: HEADERS_MILLISECONDS, requestTimeout: REQUEST_MILLISECONDS },
    getRequestListener(app.fetch),
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.on("error", onError);
  return server;
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
