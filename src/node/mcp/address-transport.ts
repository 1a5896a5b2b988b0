import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { importOptional } from "../optional-package.ts";
import { MOST_MESSAGE_BYTES } from "./limits.ts";
import { McpServerError } from "./mcp-error.ts";

/** How long we wait for the server to end its session. */
const FAREWELL_MILLISECONDS = 250;
const ANSWER_LOST = -32_000;

/**
 * A connection to a server at an address (streamable HTTP). Replies are limited in size, a stream that ends before the
 * reply fails the call immediately, and no stream stays open between calls, so that an idle server keeps nothing alive.
 */
export class AddressTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it can't be used any more. */
  ended: McpServerError | undefined;
  private readonly name: string;
  private readonly url: URL;
  private readonly headers: Readonly<Record<string, string>>;
  /** Pending requests, each with its abort controller. */
  private readonly open = new Map<string | number, AbortController>();
  private inner: StreamableHTTPClientTransport | undefined;
  private closing: Promise<void> | undefined;

  constructor(name: string, url: URL, headers: Readonly<Record<string, string>>) {
    this.name = name;
    this.url = url;
    this.headers = headers;
  }

  async start(): Promise<void> {
    const { StreamableHTTPClientTransport } = await importOptional(
      "@modelcontextprotocol/sdk/client/streamableHttp.js",
    );
    const inner = new StreamableHTTPClientTransport(this.url, {
      requestInit: { headers: { ...this.headers } },
      fetch: (url, init) => this.fetch(url, init),
      reconnectionOptions: {
        initialReconnectionDelay: 0,
        maxReconnectionDelay: 0,
        reconnectionDelayGrowFactor: 1,
        maxRetries: 0,
      },
    });
    inner.onmessage = (message) => this.receive(message);
    inner.onerror = (error) => this.onerror?.(error);
    this.inner = inner;
    await inner.start();
  }

  setProtocolVersion(version: string): void {
    this.inner?.setProtocolVersion(version);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.inner === undefined || this.ended !== undefined || this.closing !== undefined)
      throw this.ended ?? new Error("Not connected.");
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id !== undefined) this.open.set(id, new AbortController());
    if ("method" in message && message.method === "notifications/cancelled")
      this.breakOff(message.params?.requestId);
    try {
      await this.inner.send(message);
    } catch (error) {
      if (id !== undefined) this.open.delete(id);
      throw error;
    }
  }

  /** Tells the server that its session is over and aborts pending requests. Never rejects. */
  close(): Promise<void> {
    this.closing ??= this.leave();
    return this.closing;
  }

  private async leave(): Promise<void> {
    const { inner } = this;
    if (inner !== undefined) {
      const timer = setTimeout(() => inner.close(), FAREWELL_MILLISECONDS);
      await inner.terminateSession().catch(() => undefined);
      clearTimeout(timer);
      await inner.close();
    }
    this.onclose?.();
  }

  private receive(message: JSONRPCMessage): void {
    if (!("method" in message) && message.id !== undefined) this.open.delete(message.id);
    this.onmessage?.(message);
  }

  private async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    // The stream for messages from the server would keep our process alive; servers work without it.
    if (init.method === "GET") return new Response(null, { status: 405 });
    const id = requestId(init.body);
    const signals = [init.signal, id === undefined ? undefined : this.open.get(id)?.signal];
    const signal = AbortSignal.any(signals.flatMap((each) => each ?? []));
    const response = await fetch(url, { ...init, signal });
    if ((response.status === 404 || response.status === 400) && this.inner?.sessionId !== undefined)
      this.ended ??= new McpServerError(
        "error",
        `The MCP server ${JSON.stringify(this.name)} has ended our session.`,
      );
    const { body } = response;
    if (body === null) return response;
    return new Response(body.pipeThrough(this.bounded(id)), response);
  }

  /** Passes a body on up to the limit. A reply that did not come before its end never will. */
  private bounded(id: string | number | undefined): TransformStream<Uint8Array, Uint8Array> {
    let size = 0;
    return new TransformStream({
      transform: (chunk, controller) => {
        size += chunk.length;
        if (size > MOST_MESSAGE_BYTES) {
          const problem = `sent more than ${MOST_MESSAGE_BYTES} bytes`;
          this.ended ??= new McpServerError(
            "bad_output",
            `The MCP server ${JSON.stringify(this.name)} ${problem}.`,
          );
          controller.error(this.ended);
          this.lose(id);
        } else controller.enqueue(chunk);
      },
      flush: () => {
        // The last chunk is passed on in promises; a timer runs after them.
        setTimeout(() => this.lose(id), 50);
      },
    });
  }

  /** A reply that nobody wants any more holds no connection open. */
  private breakOff(id: unknown): void {
    if (typeof id !== "string" && typeof id !== "number") return;
    this.open.get(id)?.abort();
    this.open.delete(id);
  }

  private lose(id: string | number | undefined): void {
    if (id === undefined || !this.open.has(id)) return;
    this.ended ??= new McpServerError(
      "error",
      `The MCP server ${JSON.stringify(this.name)} broke off before it answered.`,
    );
    this.receive({ jsonrpc: "2.0", id, error: { code: ANSWER_LOST, message: this.ended.message } });
  }
}

function requestId(body: RequestInit["body"]): string | number | undefined {
  if (typeof body !== "string") return undefined;
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null || !("method" in message) || !("id" in message))
    return undefined;
  return typeof message.id === "string" || typeof message.id === "number" ? message.id : undefined;
}
