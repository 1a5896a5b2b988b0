import type { Agent, IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { builtin } from "./builtin.ts";
import { systemCode } from "./system-code.ts";

export interface HttpRequest {
  readonly url: URL;
  /** A unix socket to connect to instead of the host of the address. */
  readonly socketPath?: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Connections that stay open, as `openConnections` makes them. Without them the request has one of its own. */
  readonly connections?: Agent | undefined;
  /** Finds the address of a name: the address that it returns is the one connected to. */
  readonly lookup?: LookupFunction;
}

/** There was no reply. The message and the cause are those of Node. */
export class ConnectionError extends Error {
  readonly code: string;
  /** True for a connection that was open already, which the server may just have closed. */
  readonly reused: boolean;

  constructor(cause: Error, reused: boolean) {
    super(cause.message, { cause });
    this.name = "ConnectionError";
    this.code = systemCode(cause) ?? cause.name;
    this.reused = reused;
  }
}

/**
 * Connections to the host of an address that stay open between requests, until they are destroyed.
 *
 * @param ca the certificate of the authority that the server's must be signed with, instead of the public ones.
 */
export function openConnections({ protocol }: URL, ca?: string): Agent {
  const options = { keepAlive: true, maxFreeSockets: 8, scheduling: "lifo" } as const;
  if (protocol !== "https:") return new builtin.http.Agent(options);
  return new builtin.https.Agent({ ...options, ca });
}

/**
 * Sends a request and returns the head of the reply, of any status; the body is left to the caller. Redirects are not
 * followed, and neither proxies nor cookies are used.
 *
 * On Node's own client: undici takes ten times as long to load, which every `tenterhook agents` would wait for.
 *
 * @throws ConnectionError when no reply came; the reason of the signal.
 */
export function sendRequest({
  url,
  body,
  connections,
  signal,
  ...rest
}: HttpRequest): Promise<IncomingMessage> {
  const { request } = url.protocol === "https:" ? builtin.https : builtin.http;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const sent = request(url, { ...rest, signal, agent: connections ?? false });
    const fail = (error: Error): void =>
      reject(signal.aborted ? signal.reason : new ConnectionError(error, sent.reusedSocket));
    sent.on("response", resolve);
    sent.on("upgrade", (reply, socket) => {
      socket.destroy();
      reply.push(null);
      resolve(reply);
    });
    sent.on("error", fail);
    // A request that is gone without a word must not be waited for.
    sent.on("close", () => fail(new Error("socket hang up")));
    sent.end(body);
  });
}

/**
 * Reads a body up to a size and ends it there.
 *
 * @throws when it ends before it is whole.
 */
export async function readUpTo(
  body: AsyncIterable<Buffer | string>,
  mostBytes: number,
): Promise<{ readonly bytes: Buffer; readonly truncated: boolean }> {
  const chunks: Buffer[] = [];
  let room = mostBytes;
  for await (const piece of body) {
    const chunk = Buffer.from(piece);
    chunks.push(chunk.subarray(0, room));
    if (chunk.length > room) return { bytes: Buffer.concat(chunks), truncated: true };
    room -= chunk.length;
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}
