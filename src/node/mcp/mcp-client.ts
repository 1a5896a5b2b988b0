import { setTimeout as wait } from "node:timers/promises";
import { raceAbort } from "../process/deadline.ts";
import { Backoff } from "../retry.ts";
import { type Connection, failureOf, isLost, openConnection } from "./connection.ts";
import type { McpServerSite } from "./server-call.ts";
import { McpServerError } from "./server-transport.ts";

/** How many tools of a server are listed. */
const MOST_TOOLS = 1_000;
/** The default timeout of the start and handshake. */
const CONNECT_MILLISECONDS = 30_000;
/** The default timeout of a call. */
const CALL_MILLISECONDS = 60_000;
/** How many calls of one server may be pending; more indicate a loop. */
const MOST_CALLS_AT_ONCE = 64;

export interface McpCallOptions {
  readonly signal: AbortSignal;
  /** The timeout. Default 60,000. */
  readonly milliseconds?: number;
}

/** A tool as its server describes it. Nothing of it can be trusted. */
export interface McpToolDescription {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly hints: Readonly<Record<string, unknown>>;
}

export interface McpToolAnswer {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structured?: unknown;
  readonly is_error: boolean;
}

/**
 * One MCP server: started on first use, shared by all callers, restarted after it died or was too slow, and never what keeps our
 * process alive while no call is pending. Calls that were pending when it died fail; they are not retried, because
 * nobody knows how far they got.
 */
export class McpClient {
  readonly name: string;
  private readonly site: McpServerSite;
  private readonly connectMilliseconds: number;
  private readonly backoff = new Backoff();
  private readonly leaving = new Set<Promise<void>>();
  private current: Connection | undefined;
  private opening: { readonly connection: Promise<Connection>; readonly abort: AbortController } | undefined;
  private underWay = 0;
  private answered = 0;

  constructor(site: McpServerSite, connectMilliseconds = CONNECT_MILLISECONDS) {
    this.site = site;
    this.name = site.name;
    this.connectMilliseconds = connectMilliseconds;
  }

  /**
   * Lists the server's tools, all pages, up to a thousand.
   *
   * @throws McpServerError, and the signal's reason when it is aborted.
   */
  listTools(options: McpCallOptions): Promise<readonly McpToolDescription[]> {
    return this.use(options, async ({ client, sdk }, request) => {
      const tools: McpToolDescription[] = [];
      const seen = new Set<string>();
      for (let cursor: string | undefined; ; ) {
        const page = await client.request(
          { method: "tools/list", params: cursor === undefined ? {} : { cursor } },
          sdk.ListToolsResultSchema,
          request,
        );
        for (const { name, description, inputSchema, annotations } of page.tools) {
          tools.push({ name, description, inputSchema, hints: { ...annotations } });
        }
        cursor = page.nextCursor;
        if (cursor === undefined || seen.has(cursor) || tools.length >= MOST_TOOLS)
          return tools.slice(0, MOST_TOOLS);
        seen.add(cursor);
      }
    });
  }

  /**
   * Calls a tool once.
   *
   * @throws McpServerError, and the signal's reason when it is aborted.
   */
  callTool(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options: McpCallOptions,
  ): Promise<McpToolAnswer> {
    return this.use(options, async ({ client, sdk }, request) => {
      const params = { name: tool, arguments: { ...input } };
      const result = await client.request(
        { method: "tools/call", params },
        sdk.CallToolResultSchema,
        request,
      );
      const { content, structuredContent, isError } = result;
      return {
        content,
        structured: structuredContent,
        is_error: isError === true,
      };
    });
  }

  /** The state of the server, for people. */
  health(): string {
    const { failures } = this.backoff;
    return [
      this.current === undefined ? "not connected" : "connected",
      `${this.answered} answered`,
      ...(failures === 0 ? [] : [`failed ${failures} times in a row`]),
    ].join(", ");
  }

  /** Ends the connection after the pending calls. A later call connects again. Never rejects. */
  async close(): Promise<void> {
    await this.opening?.connection.catch(() => undefined);
    if (this.current !== undefined) this.retire(this.current);
    while (this.leaving.size > 0) await Promise.all(this.leaving);
  }

  private async use<Result>(
    { signal, milliseconds = CALL_MILLISECONDS }: McpCallOptions,
    ask: (
      connection: Connection,
      request: { readonly signal: AbortSignal; readonly timeout: number },
    ) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    if (this.underWay >= MOST_CALLS_AT_ONCE) {
      const problem = `${this.underWay} calls are under way: does it cause the events it is asked about?`;
      throw new McpServerError(
        "error",
        `The MCP server ${JSON.stringify(this.name)} is not asked: ${problem}`,
      );
    }
    this.underWay += 1;
    // The SDK never removes its listeners from a signal, so each call has its own.
    const abort = new AbortController();
    const onAbort = (): void => abort.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const connection = await this.connected(abort.signal);
      return await this.during(connection, () =>
        ask(connection, { signal: abort.signal, timeout: milliseconds }),
      );
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.underWay -= 1;
      if (this.underWay === 0) this.opening?.abort.abort(signal.reason);
    }
  }

  private async during<Result>(connection: Connection, ask: () => Promise<Result>): Promise<Result> {
    connection.calls += 1;
    connection.server.keepAlive?.(true);
    try {
      const result = await ask();
      this.backoff.succeeded();
      this.answered += 1;
      return result;
    } catch (error) {
      const failure = failureOf(error, connection);
      if (isLost(failure, connection)) this.retire(connection);
      throw failure;
    } finally {
      connection.calls -= 1;
      if (connection.calls === 0) connection.server.keepAlive?.(false);
      if (connection.retired) this.leave(connection);
    }
  }

  private connected(signal: AbortSignal): Connection | Promise<Connection> {
    if (this.current !== undefined) return this.current;
    this.opening ??= this.open();
    return raceAbort(this.opening.connection, signal);
  }

  /** Opens a connection for all who wait for one, until nobody does. */
  private open(): NonNullable<typeof this.opening> {
    const abort = new AbortController();
    const connection = this.connect(abort.signal).finally(() => {
      this.opening = undefined;
    });
    return { connection, abort };
  }

  private async connect(signal: AbortSignal): Promise<Connection> {
    const left = this.backoff.left();
    if (left > 0) await wait(left, undefined, { signal });
    try {
      const options = { timeout: this.connectMilliseconds, signal };
      this.current = await openConnection(this.site, options, (connection) => this.retire(connection));
      return this.current;
    } catch (error) {
      this.backoff.failed();
      throw error;
    }
  }

  /** Stops using a connection. */
  private retire(connection: Connection): void {
    if (connection.retired) return;
    connection.retired = true;
    if (this.current === connection) this.current = undefined;
    if (connection.server.ended() !== undefined) this.backoff.failed();
    this.leave(connection);
  }

  private leave({ server, calls }: Connection): void {
    if (calls > 0) return;
    const left = server.close().finally(() => this.leaving.delete(left));
    this.leaving.add(left);
  }
}
