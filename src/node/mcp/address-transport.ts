import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { parseRecord } from "../../core/base/json.ts";
import { McpServerError, MOST_MESSAGE_BYTES, type Sdk, type ServerTransport } from "./server-transport.ts";

/** How long we wait for the server to end its session. */
const FAREWELL_MILLISECONDS = 250;
const ANSWER_LOST = -32_000;
const NEVER_AGAIN = {
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 0,
};

/**
 * A connection to a server at an address (streamable HTTP), by the SDK. Replies are limited in size, a stream that ends
 * before the reply fails the call immediately, and no stream stays open between calls, so that an idle server keeps
 * nothing alive.
 */
export function addressTransport(
  { StreamableHTTPClientTransport }: Sdk,
  name: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
): ServerTransport {
  /** Pending requests by id. */
  const pending = new Map<unknown, AbortController>();
  let ended: McpServerError | undefined;
  const end = (kind: "error" | "bad_output", problem: string): McpServerError => {
    ended ??= new McpServerError(kind, `The MCP server ${JSON.stringify(name)} ${problem}.`);
    return ended;
  };
  /** A reply that did not come before the end of its stream never will. */
  const lose = (id: unknown): void => {
    if (!pending.has(id) || (typeof id !== "string" && typeof id !== "number")) return;
    const { message } = end("error", "broke off before it answered");
    const reply: JSONRPCMessage = { jsonrpc: "2.0", id, error: { code: ANSWER_LOST, message } };
    transport.onmessage?.(reply);
  };
  const bounded = (id: unknown): TransformStream<Uint8Array, Uint8Array> => {
    let size = 0;
    return new TransformStream({
      transform: (chunk, controller) => {
        size += chunk.length;
        if (size <= MOST_MESSAGE_BYTES) return controller.enqueue(chunk);
        controller.error(end("bad_output", `sent more than ${MOST_MESSAGE_BYTES} bytes`));
        lose(id);
      },
      // The last chunk is passed on in promises; a timer runs after them.
      flush: () => void setTimeout(lose, 50, id),
    });
  };
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...headers } },
    reconnectionOptions: NEVER_AGAIN,
    async fetch(address, init = {}) {
      // The stream for messages from the server would keep our process alive; servers work without it.
      if (init.method === "GET") return new Response(null, { status: 405 });
      const { id, method, params } = parseRecord(typeof init.body === "string" ? init.body : "{}");
      const abort = new AbortController();
      if (method !== undefined && id !== undefined) pending.set(id, abort);
      // A reply that nobody wants any more holds no connection open.
      if (method === "notifications/cancelled") cancel(params);
      const signals = [abort.signal, ...(init.signal == null ? [] : [init.signal])];
      const response = await fetch(address, { ...init, signal: AbortSignal.any(signals) });
      if ((response.status === 404 || response.status === 400) && transport.sessionId !== undefined)
        end("error", "has ended our session");
      const { body } = response;
      return body === null ? response : new Response(body.pipeThrough(bounded(id)), response);
    },
  });
  const cancel = (params: unknown): void => {
    const { requestId }: { requestId?: unknown } = Object(params);
    pending.get(requestId)?.abort();
    pending.delete(requestId);
  };
  // The SDK's client calls this before its own.
  transport.onmessage = (message) => {
    if (!("method" in message)) pending.delete(message.id);
  };
  const leave = async (): Promise<void> => {
    const timer = setTimeout(() => transport.close(), FAREWELL_MILLISECONDS);
    await transport.terminateSession().catch(() => undefined);
    clearTimeout(timer);
    await transport.close();
  };
  let closing: Promise<void> | undefined;
  return {
    transport,
    ended: () => ended,
    close: () => {
      closing ??= leave();
      return closing;
    },
  };
}
