import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { isRecord } from "../../../src/core/base/json.ts";
import type { ClientRun } from "./client.ts";
import type { MessageType } from "./cursor-messages.ts";

/** A scripted backend of Cursor on this machine: it holds the model, and orders the agent to run tools. */
export interface CursorBackend {
  readonly url: string;
  /** What the model read: prompts, and results of tools, one after the other. */
  readonly requests: readonly unknown[];
  close(): Promise<void>;
}

interface Stream {
  send(message: object): void;
  end(): void;
}

interface Run {
  readonly stream: Promise<Stream>;
  readonly opened: (stream: Stream) => void;
  /** The calls whose results are awaited, by their number. */
  readonly results: Map<unknown, (result: unknown) => void>;
}

type Json = Readonly<Record<string, unknown>>;

/** Starts a backend whose model says what the script has; then it says "done". */
export async function startCursorBackend(
  { script = [], subagent }: Pick<ClientRun, "script" | "subagent">,
  message: (name: string) => MessageType,
): Promise<CursorBackend> {
  const main = [...script];
  const others = [...(subagent?.script ?? [])];
  const requests: unknown[] = [];
  const runs = new Map<string, Run>();
  const runOf = (id: string): Run => {
    const known = runs.get(id);
    if (known !== undefined) return known;
    const { promise, resolve } = deferred<Stream>();
    const run = { stream: promise, opened: resolve, results: new Map() };
    runs.set(id, run);
    return run;
  };

  const play = async (id: string, request: Json): Promise<void> => {
    const { stream, results } = runOf(id);
    const { send, end } = await stream;
    requests.push(request.action);
    const isOther = subagent !== undefined && JSON.stringify(request.action).includes(subagent.word);
    const steps = isOther ? others : main;
    let number = 0;
    for (;;) {
      const step = steps.shift() ?? "done";
      if (typeof step === "string") {
        send({ interactionUpdate: { textDelta: { text: step } } });
        break;
      }
      for (const [kind, fields] of step) {
        number += 1;
        const { promise, resolve } = deferred<unknown>();
        results.set(number, resolve);
        send({ execServerMessage: execution(number, kind, { ...fields }, request.conversationId) });
        requests.push(await promise);
      }
    }
    send({ interactionUpdate: { turnEnded: {} } });
    send({ conversationCheckpointUpdate: request.conversationState ?? {} });
    // What a hook on stop says opens another stream with the same id.
    runs.delete(id);
    end();
  };

  const append = (body: Uint8Array): void => {
    const given = json(message("aiserver.v1.BidiAppendRequest").fromBinary(body).toJson());
    const id = String(json(given.requestId).requestId);
    const bytes =
      typeof given.data === "string"
        ? Buffer.from(given.data, "hex")
        : Buffer.from(String(given.dataBinary), "base64");
    const received = json(message("agent.v1.AgentClientMessage").fromBinary(bytes).toJson());
    const done = (result: unknown): void => runOf(id).results.get(json(result).id ?? 0)?.(result);
    if (received.execClientMessage !== undefined) done(received.execClientMessage);
    const thrown = json(received.execClientControlMessage).throw;
    if (thrown !== undefined) done(thrown);
    if (isRecord(received.runRequest))
      play(id, received.runRequest).catch((error) => requests.push(String(error)));
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const path = request.url ?? "";
    if (path.endsWith("/RunSSE")) {
      const id = json(message("aiserver.v1.BidiRequestId").fromBinary(body.subarray(5)).toJson()).requestId;
      response.writeHead(200, { "content-type": "application/connect+proto" });
      const type = message("agent.v1.AgentServerMessage");
      runOf(String(id)).opened({
        send: (value) => response.write(frame(0, type.fromJson(value).toBinary())),
        end: () => response.end(frame(2, Buffer.from("{}"))),
      });
    } else if (path.endsWith("/BidiAppend")) {
      append(body);
      response.setHeader("content-type", "application/proto").end();
    } else if (path.includes("exchange_user_api_key")) {
      response.setHeader("content-type", "application/json").end(JSON.stringify(signedIn()));
    } else {
      const type = request.headers["content-type"] ?? "application/json";
      response.setHeader("content-type", type).end(type === "application/proto" ? "" : "{}");
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port }: Partial<AddressInfo> = Object(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An order to run a tool. What the shell is to do has to be parsed for the agent. */
function execution(id: number, kind: string, fields: Json, conversationId: unknown): object {
  const shell = {
    timeout: 20_000,
    parsingResult: { executableCommands: [{ name: "sh", fullText: fields.command }] },
    conversationId,
  };
  const call = { toolCallId: `call_${id}`, ...(kind === "shellArgs" ? shell : {}), ...fields };
  return { id, execId: `exec_${id}`, acceptHookAdditionalContexts: true, [kind]: call };
}

function frame(flag: number, body: Uint8Array): Uint8Array {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** Tokens that nobody checks. */
function signedIn(): object {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { sub: "auth0|user_mock", exp: 4_102_444_800, type: "session" };
  const token = `${part({ alg: "none" })}.${part(claims)}.x`;
  return { accessToken: token, refreshToken: token, authId: claims.sub };
}

/** A promise with the function that resolves it. */
function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function json(value: unknown): Json {
  return isRecord(value) ? value : {};
}
