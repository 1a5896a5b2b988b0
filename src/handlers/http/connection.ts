import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from "node:http";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { builtin } from "../../node/builtin.ts";
import { systemCode } from "../../node/system-code.ts";
import type { Headers } from "./headers.ts";

export interface Post {
  readonly body: string;
  readonly headers: Headers;
}

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Uint8Array;
}

/** The connection failed before an answer. */
export class ConnectionError extends Error {
  readonly code: string;
  /** True for a reused connection, which the server may just have closed. */
  readonly reused: boolean;

  constructor(code: string, reused: boolean) {
    super(`The connection failed (${code}).`);
    this.name = "ConnectionError";
    this.code = code;
    this.reused = reused;
  }
}

const LARGEST_ANSWER = 1024 * 1024;

const SECURE = "https:";

/** Connections to one address that stay open between requests. Redirects are not followed and proxies not used. */
export class Connection {
  private readonly url: URL;
  private readonly agent: HttpAgent;

  constructor(url: URL) {
    const options = { keepAlive: true, maxFreeSockets: 8, scheduling: "lifo" } as const;
    this.url = url;
    this.agent = url.protocol === SECURE ? new builtin.https.Agent(options) : new HttpAgent(options);
  }

  /**
   * Posts and reads the whole answer. Nothing of the request is left when it settles.
   *
   * @param fresh Uses no connection that is already open.
   * @throws ConnectionError when no answer came; HookFailureError when one came that can't be read to its end, and when
   *   the signal was aborted.
   */
  post({ body, headers }: Post, signal: AbortSignal, fresh = false): Promise<Answer> {
    const request = this.url.protocol === SECURE ? builtin.https.request : requestHttp;
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(cancelled());
        return;
      }
      const sent = request(this.url, {
        method: "POST",
        agent: fresh ? false : this.agent,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
      });
      const stop = (): void => {
        sent.destroy(cancelled());
      };
      const done = (settle: () => void): void => {
        signal.removeEventListener("abort", stop);
        settle();
      };
      signal.addEventListener("abort", stop, { once: true });
      sent.on("error", (error) => done(() => reject(failureOf(error, sent))));
      // An upgrade, or a request that is gone without a word, must not be waited for.
      let answering = false;
      sent.on("upgrade", ({ statusCode: status = 101, statusMessage: statusText = "", headers }, socket) => {
        socket.destroy();
        done(() => resolve({ status, statusText, headers, body: new Uint8Array() }));
      });
      sent.on("close", () => {
        if (!answering) done(() => reject(cutOff()));
      });
      sent.on("response", (response) => {
        answering = true;
        readAnswer(response).then(
          (answer) => done(() => resolve(answer)),
          (error: unknown) => done(() => reject(error)),
        );
      });
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function failureOf(error: Error, sent: ClientRequest): Error {
  if (error instanceof HookFailureError) return error;
  return new ConnectionError(systemCode(error) ?? error.name, sent.reusedSocket);
}

function cancelled(): HookFailureError {
  return new HookFailureError("cancelled", "The request was ended before its answer.");
}

function readAnswer(response: IncomingMessage): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    let size = 0;
    response.on("data", (part: Uint8Array) => {
      size += part.length;
      parts.push(part);
      if (size <= LARGEST_ANSWER) return;
      response.destroy(
        new HookFailureError("bad_output", `The answer has more than ${LARGEST_ANSWER / 1024 / 1024} MB.`),
      );
    });
    response.on("end", () => {
      const { statusCode: status = 0, statusMessage: statusText = "", headers } = response;
      resolve({ status, statusText, headers, body: Buffer.concat(parts) });
    });
    response.on("error", (error) => reject(error instanceof HookFailureError ? error : cutOff()));
    response.on("close", () => reject(cutOff()));
  });
}

function cutOff(): HookFailureError {
  return new HookFailureError("error", "The connection was cut in the middle of the answer.");
}
