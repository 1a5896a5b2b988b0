import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";
import { createHooks, type HookDefinition, type Hooks } from "tenterhook";
import { onTestFinished } from "vitest";
import { bashCall } from "../../support/events.ts";
import { freePort } from "../../support/free-port.ts";

/** A request as a server saw it. */
export interface Seen {
  readonly method: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A server for one test. */
export interface TestServer {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** How many connections were made. */
  readonly connections: readonly Socket[];
}

/** A connection stays open between two requests, however long our process stands still. */
const KEPT_OPEN = { keepAliveTimeout: 120_000 };

type Answering = (response: ServerResponse, number: number) => void;

/** Starts a server on the loopback that answers each request in its way; it ends with the test. */
export async function serve(answer: Answering): Promise<TestServer> {
  const seen: Seen[] = [];
  const connections: Socket[] = [];
  const server = createServer(KEPT_OPEN, (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      seen.push({ method: request.method, headers: request.headers, body: Buffer.concat(parts).toString() });
      answer(response, seen.length);
    });
  });
  server.on("connection", (socket: Socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${isAddress(address) ? address.port : 0}/hook`, seen, connections };
}

/** Starts a server on the loopback that answers these very bytes and closes the connection; it ends with the test. */
export async function serveRaw(answer: string): Promise<string> {
  const server = createSocketServer((socket) => {
    let received = "";
    socket.on("error", () => undefined);
    socket.on("data", (part: Buffer) => {
      received += part.toString();
      if (received.endsWith("}")) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  return `http://127.0.0.1:${isAddress(address) ? address.port : 0}/hook`;
}

/** Answers with a reply in JSON. */
export function json(reply: unknown): Answering {
  return (response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(reply));
  };
}

/** A hook set with one http hook on PreToolUse; it is closed with the test. */
export async function withHook(url: string, more: Partial<HookDefinition> = {}): Promise<Hooks> {
  const hooks = createHooks();
  onTestFinished(() => hooks.close());
  await hooks.add({ name: "remote", type: "http", matcher: { events: ["PreToolUse"] }, url, ...more });
  return hooks;
}

/** What a hook set says to a shell call: the action and how the hook failed. */
export async function decided(hooks: Hooks) {
  const { action, reason, runs } = await hooks.fire(bashCall());
  return { action, reason, failure: runs[0]?.failure };
}

/** An address nobody listens at. */
export async function nobody(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

function isAddress(value: AddressInfo | string | null): value is AddressInfo {
  return typeof value === "object" && value !== null;
}
