import { createServer, type Server } from "node:http";
import { fleetMetrics } from "../../../../fleet/metrics.ts";
import type { FleetWorker } from "../../../../fleet/worker.ts";
import type { Postgres } from "../../../../node/postgres/open-postgres.ts";
import { usageError } from "../../../command-line/usage-error.ts";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);
const REQUEST_MILLISECONDS = 10_000;

interface Reply {
  readonly status: number;
  readonly text: string;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics` of a worker at an address of their own. They have figures and no names, and change
 * nothing, so they need no token.
 *
 * @throws TenterhookError `usage_error` for what is no address, or one that is taken.
 */
export async function listenForProbes(
  address: string,
  worker: FleetWorker,
  database: Postgres,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const [, host = "", port = ""] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(address) ?? [];
  if (host === "")
    throw usageError(`--listen: ${JSON.stringify(address)} is no HOST:PORT.`, "127.0.0.1:9464");
  const replyTo = async (path: string): Promise<Reply> => {
    if (path === "/metrics") return { status: 200, text: await fleetMetrics(database, worker.counts()) };
    const problem =
      path === "/healthz"
        ? worker.problem()
        : path === "/readyz"
          ? worker.whyNotReady()
          : "There is no such page.";
    if (path !== "/healthz" && path !== "/readyz") return { status: 404, text: `${problem}\n` };
    return problem === undefined ? { status: 200, text: "ok\n" } : { status: 503, text: `${problem}\n` };
  };
  const server = createServer({ requestTimeout: REQUEST_MILLISECONDS }, (request, response) => {
    const send = ({ status, text }: Reply): void => {
      response.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
    };
    // A page in a browser whose name was pointed here has another Host.
    const asked = (request.headers.host ?? "").replace(/:\d+$/, "");
    if (LOOPBACK.has(host) && !LOOPBACK.has(asked))
      return send({ status: 403, text: "This Host is not allowed.\n" });
    if (request.method !== "GET" && request.method !== "HEAD")
      return send({ status: 405, text: "Only GET is allowed.\n" });
    // Not parsed as a URL: anybody can send a path that is not valid.
    const [path = ""] = (request.url ?? "").split("?");
    replyTo(path).then(send, () => send({ status: 503, text: "The database does not answer.\n" }));
  });
  await listening(server, host.replace(/^\[|\]$/g, ""), Number(port));
  const bound = server.address();
  const actual = typeof bound === "object" && bound !== null ? bound.port : port;
  return {
    url: `http://${host}:${actual}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @throws TenterhookError `usage_error` */
function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ message }) => {
      reject(usageError(`--listen: ${message}.`, "Choose an address of this machine that is free."));
    });
    server.listen({ host, port }, resolve);
  });
}
