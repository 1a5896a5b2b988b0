import type { IncomingMessage } from "node:http";
import { TenterhookError } from "../../core/base/errors.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { sendRequest } from "../../node/http.ts";
import { daemonPlace } from "../report/daemon-place.ts";

/** How a dashboard is mounted in a server of your own. */
export interface DashboardHandlerOptions {
  /**
   * Whether a request may see the dashboard. Whoever it lets in can answer for your agents and change your hooks: let in
   * those whom you would let use your terminal.
   */
  readonly authorize: (request: Request) => boolean | Promise<boolean>;
  /** The path it is mounted at. Default: `/`. */
  readonly base?: string;
  /** Says which user's daemon is meant. Default: the variables of this process. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** Answers a request for the dashboard. */
export type DashboardHandler = (request: Request) => Promise<Response>;

/** A header by which this handler tells the daemon where it is mounted. */
export const BASE_HEADER = "x-tenterhook-base";

const MOST_BYTES = 1_000_000;
const PASSED_BACK = [
  "content-type",
  "cache-control",
  "content-security-policy",
  "x-content-type-options",
  "referrer-policy",
];

/**
 * The dashboard of this user's daemon as a handler for any server that speaks `Request` and `Response`.
 *
 * @example
 * const handler = dashboardHandler({ base: "/agents/", authorize: (request) => isAdmin(request) });
 * app.all("/agents/*", (context) => handler(context.req.raw));
 *
 * @throws TenterhookError `invalid_option` for a base that is no path.
 */
export function dashboardHandler({
  authorize,
  base = "/",
  environment = process.env,
}: DashboardHandlerOptions): DashboardHandler {
  if (!/^\/(?:[\w.~-]+\/)*(?:[\w.~-]+)?$/.test(base))
    throw new TenterhookError(
      "invalid_option",
      `The base ${JSON.stringify(base)} is no path such as "/agents/".`,
    );
  const folder = base.endsWith("/") ? base : `${base}/`;
  return async (request) => {
    const { pathname, search, host } = new URL(request.url);
    if (!(await authorize(request))) return refused(403, "You may not see this dashboard.");
    if (!`${pathname}/`.startsWith(folder)) return refused(404, "There is no such page.");
    const origin = request.headers.get("origin");
    const isOwn =
      origin === null ? request.method === "GET" : hostOf(origin) === (request.headers.get("host") ?? host);
    if (!isOwn) return refused(403, "Another page has sent this request.");
    const body = request.method === "GET" ? undefined : await request.text();
    if (body !== undefined && body.length > MOST_BYTES) return refused(413, "The body is too large.");
    return passOn(`/dashboard/${pathname.slice(folder.length)}${search}`, request, body);
  };

  async function passOn(
    path: string,
    { method, signal }: Request,
    body: string | undefined,
  ): Promise<Response> {
    const { socket, token } = daemonPlace(environment);
    try {
      const reply = await sendRequest({
        url: new URL(path, "http://localhost"),
        socketPath: socket,
        method: method === "POST" ? "POST" : "GET",
        headers: {
          authorization: `Bearer ${readOwnFile(token, 1000).text ?? ""}`,
          "content-type": "application/json",
          [BASE_HEADER]: folder,
        },
        signal,
        body,
      });
      return new Response(streamOf(reply), { status: reply.statusCode ?? 502, headers: headersOf(reply) });
    } catch {
      return refused(503, "The monitor's daemon does not answer. tenterhook daemon start starts it.");
    }
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function streamOf(reply: IncomingMessage): ReadableStream<Uint8Array> {
  const source = reply[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next().catch(() => ({ done: true, value: undefined }));
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel: () => void reply.destroy(),
  });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const passed = PASSED_BACK.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return Object.fromEntries(passed);
}

function refused(status: number, message: string): Response {
  return Response.json({ error: { code: "not_allowed", message } }, { status });
}
