import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { toolServer } from "./tools.mjs";

/** A running MCP server on this machine. */
export interface HttpServer {
  readonly url: string;
  /** What it was asked, in order: method, tool if one, and the headers that matter here. */
  readonly requests: { readonly method: string; readonly authorization: string | undefined }[];
  /** Sessions that are open. */
  readonly sessions: Map<string, StreamableHTTPServerTransport>;
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts a server that speaks MCP over streamable HTTP; `before` may answer a request itself, by answering true. */
export async function startHttpServer(
  before: (body: string, response: ServerResponse) => boolean | Promise<boolean> = () => false,
): Promise<HttpServer> {
  const requests: HttpServer["requests"] = [];
  const sessions: HttpServer["sessions"] = new Map();
  const answer: Answer = async (request, response) => {
    const { method = "", headers } = request;
    requests.push({ method, authorization: headers.authorization });
    const body = await bodyOf(request);
    if (await before(body, response)) return;
    const id = String(headers["mcp-session-id"] ?? "");
    const known = sessions.get(id);
    if (known === undefined && id !== "") {
      response.writeHead(404).end("Session not found");
      return;
    }
    const transport = known ?? (await openSession(sessions));
    await transport.handleRequest(request, response, body === "" ? undefined : JSON.parse(body));
  };
  const server = createServer({ keepAliveTimeout: 0 }, answer);
  await listening(server);
  return {
    url: `http://127.0.0.1:${portOf(server)}/mcp`,
    requests,
    sessions,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function openSession(sessions: HttpServer["sessions"]): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => {
      sessions.set(id, transport);
    },
    onsessionclosed: (id) => {
      sessions.delete(id);
    },
  });
  await toolServer().connect(transport);
  return transport;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

async function listening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
