import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What an answer has used. The input includes what was read from the cache and written to it. */
export interface ServerUsage {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
  readonly reasoning?: number;
}

/** What a server of models answers to one request. */
export interface ServerReply {
  readonly text?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: object;
    /** OpenAI's responses only: the group of the tool. */
    readonly namespace?: string;
    /** OpenAI's responses only: the input of a tool that takes a text as it is. */
    readonly text?: string;
  }[];
  readonly usage?: ServerUsage;
  /** The answer ends because it got too long; with `cut_input` in the middle of the last call's input. */
  readonly too_long?: true;
  readonly cut_input?: true;
  /** How else the answer ends: refused; Anthropic alone: paused by the server, or the context is full. */
  readonly ends?: "refused" | "paused" | "overflowed";
  readonly error?: {
    readonly status: number;
    readonly message: string;
    /** OpenAI's protocols only. */
    readonly code?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /**
   * The connection breaks in the middle of the answer; or the answer ends there, as if that were all; or nothing more
   * comes; or, in a stream, an event there is not JSON, or says that the server is overloaded.
   */
  readonly cut?: true | "ends" | "stalls" | "garbled" | "fails";
  /** Sent as it is, in place of an answer of the protocol. */
  readonly body?: string;
  /** The answer waits for this. */
  readonly after?: Promise<unknown>;
}

type ServerError = NonNullable<ServerReply["error"]>;

export interface ServerRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ServerEvent {
  readonly event?: string;
  /** A text is sent as it is, anything else as JSON. */
  readonly data: unknown;
}

/** How a provider speaks. */
export interface Protocol {
  /** The key the server wants to see. */
  readonly key: string;
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  /** The path of addresses below which the protocol lives. */
  readonly base: string;
  accepts(path: string): boolean;
  wantsStream(request: ServerRequest): boolean;
  whole(reply: ServerReply, request: ServerRequest): object;
  stream(reply: ServerReply, request: ServerRequest): readonly ServerEvent[];
  error(status: number, message: string, code?: string): object;
  /** An error within a stream; without it, the body of an error. */
  streamError?(status: number, message: string): ServerEvent;
}

export interface ModelServer {
  /** The address a provider's base URL points to. */
  readonly url: string;
  readonly key: string;
  readonly requests: readonly ServerRequest[];
  nextRequest(): Promise<ServerRequest>;
  close(): Promise<void>;
}

/** What a server answers, or how it makes that from the request. */
export type Reply = ServerReply | ((request: ServerRequest) => ServerReply);

/**
 * Starts a server that speaks a provider's protocol and plays replies in order; when none is left it answers with
 * status 500, which fails the test.
 */
export async function startModelServer(protocol: Protocol, replies: readonly Reply[]): Promise<ModelServer> {
  const requests: ServerRequest[] = [];
  const waiting: ((request: ServerRequest) => void)[] = [];
  const queue = [...replies];
  // An idle connection that is closed in the moment of the next request fails it, and a busy machine may be idle for long.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const request: ServerRequest = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers,
        body: JSON.parse(Buffer.concat(chunks).toString() || "{}"),
      };
      requests.push(request);
      for (const resolve of waiting.splice(0)) resolve(request);
      const next = queue.shift() ?? { error: { status: 500, message: "There is no reply left." } };
      answer(protocol, request, typeof next === "function" ? next(request) : next, response).catch(() =>
        response.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}${protocol.base}`,
    key: protocol.key,
    requests,
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return address.port;
}

async function answer(
  protocol: Protocol,
  request: ServerRequest,
  reply: ServerReply,
  response: ServerResponse,
): Promise<void> {
  await reply.after;
  const fail = (status: number, message: string, { headers = {}, code }: Partial<ServerError> = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(protocol.error(status, message, code)));
  };
  const path = request.path.split("?")[0] ?? "";
  if (request.method !== "POST" || !protocol.accepts(path)) return fail(404, `There is no ${path}.`);
  if (protocol.keyOf(request.headers) !== protocol.key) return fail(401, "The key is not valid.");
  if (reply.error !== undefined) return fail(reply.error.status, reply.error.message, reply.error);
  if (protocol.wantsStream(request) && reply.body === undefined) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const events = protocol.stream(reply, request).map(eventText);
    const middle = Math.ceil(events.length / 2);
    if (reply.cut === "garbled") events[middle] = 'data: {"type": "broken\n\n';
    if (reply.cut === undefined || reply.cut === "garbled") return void response.end(events.join(""));
    const beginning = events.slice(0, middle).join("");
    if (reply.cut === "fails") {
      const failed = protocol.streamError?.(529, "Overloaded.") ?? {
        data: protocol.error(529, "Overloaded."),
      };
      return void response.end(beginning + eventText(failed));
    }
    if (reply.cut === "stalls") return void response.write(beginning);
    return reply.cut === "ends" ? void response.end(beginning) : cutAfter(beginning, response);
  }
  const body = reply.body ?? JSON.stringify(protocol.whole(reply, request));
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  return reply.cut ? cutAfter(body.slice(0, body.length / 2), response) : void response.end(body);
}

/** Sends the beginning, and ends the connection once it is on its way. */
async function cutAfter(beginning: string, response: ServerResponse): Promise<void> {
  await new Promise<unknown>((resolve) => response.write(beginning, resolve));
  response.destroy();
}

function eventText({ event, data }: ServerEvent): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
}

/** A text in pieces, as models send it. */
export function inPieces(text: string): readonly string[] {
  return text.match(/.{1,7}/gsu) ?? [];
}
