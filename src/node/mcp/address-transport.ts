import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { MOST_MESSAGE_BYTES } from "./limits.ts";
import { McpServerError } from "./mcp-error.ts";

/** How long a server has to hear that we leave. */
const FAREWELL_MILLISECONDS = 250;
const ANSWER_LOST = -32_000;

/**
 * The connection to a server at an address (streamable HTTP). Answers are bounded, a stream that ends before the answer
 * came fails the call at once, and no stream is held open between calls, so that an idle server keeps nothing alive.
 */
export class AddressTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it can't be used any more, once it can't. */
  ended: McpServerError | undefined;
  private readonly name: string;
  private readonly url: URL;
  private readonly headers: Readonly<Record<string, string>>;
  /** Requests without an answer, each with what breaks it off. */
  private readonly open = new Map<string | number, AbortController>();
  private inner: StreamableHTTPClientTransport | undefined;
  private closing: Promise<void> | undefined;

  constructor(name: string, url: URL, headers: Readonly<Record<string, string>>) {
    this.name = name;
    this.url = url;
    this.headers = headers;
  }

  async start(): Promise<void> {
    const { StreamableHTTPClientTransport } = await import(
      "@modelcontextprotocol/sdk/client/streamableHttp.js"
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

  /** Tells the server that its session is over, and breaks off what is under way. Never rejects. */
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
    // The stream for what a server says unasked would keep our process alive; servers may do without it.
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

  /** Passes a body on up to the limit; at its end an answer that did not come is one that never will. */
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
        // What was read last is handed on in promises; a timer comes after them.
        setTimeout(() => this.lose(id), 50);
      },
    });
  }

  /** Who does not want an answer any more holds no connection open for it. */
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
