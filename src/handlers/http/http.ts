import type { Agent, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { TenterhookError } from "../../core/base/errors.ts";
import { capText } from "../../core/base/text.ts";
import { eventRow } from "../../core/events/event-table.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler } from "../../core/ports.ts";
import { ConnectionError, openConnections, readUpTo, sendRequest } from "../../node/http.ts";
import { backoff } from "../../node/retry.ts";
import { SIGNATURE_HEADER, signature } from "../../node/signature.ts";
import type { HandlerContext, HandlerSettings } from "../handler.ts";
import { readNativeJson } from "../reply/read-native.ts";
import { decodeReply, readReplyJson } from "../reply/read-reply.ts";
import { askAsWritten, nativeText } from "../written-for.ts";
import { compileHeaders, type Headers, type HeaderTemplate, notSet, variableOf } from "./headers.ts";

const RETRIES = 2;
const FIRST_PAUSE_MS = 100;
const LARGEST_ANSWER = 1024 * 1024;

/** Connection errors that mean that no server is there. */
const NOBODY = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];

interface Post {
  readonly url: URL;
  readonly body: string;
  readonly headers: Headers;
}

/**
 * A hook that posts the event to a server and reads its answer.
 *
 * @throws TenterhookError `invalid_option` for an address that is not http or https, or holds a password, and for
 *   headers that can't be.
 */
export function httpHandler(settings: HandlerSettings<"http">, { events, ports }: HandlerContext): Handler {
  const { env = [], secret_env: key, retries: wanted = RETRIES } = settings;
  const url = addressOf(settings.url);
  const headers = compileHeaders(settings.headers ?? {}, env);
  const retries = events.some(isGate) ? 0 : wanted;
  const connections = openConnections(url);
  const running = new Set<Promise<unknown>>();
  const ask = async (
    event: AnyEvent,
    sent: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> => {
    const native = settings.payload === "native" ? nativeText(event, sent)?.trimEnd() : undefined;
    const post = postOf(url, native ?? JSON.stringify(event), headers, key, ports.environment);
    const answer = await answered(connections, post, retries, signal);
    return readAnswer(answer, event, native !== undefined);
  };
  const needed = [...headers.variables, ...(key === undefined ? [] : [key])];
  const unset = needed.find((name) => (ports.environment[name] ?? "") === "");
  return {
    type: "http",
    tidies: true,
    ...(unset === undefined ? {} : { problem: notSet(unset) }),
    run(event, context) {
      const run = askAsWritten(settings, event, context, ports, (asked, sent) =>
        ask(asked, sent, context.signal),
      ).finally(() => running.delete(run));
      running.add(run);
      return run;
    },
    async close() {
      await Promise.allSettled(running);
      connections.destroy();
    },
  };
}

function addressOf(written: string): URL {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new TenterhookError(
      "invalid_option",
      "url must be an address that begins with http:// or https://.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new TenterhookError("invalid_option", "url must not hold a user or a password.", {
      hint: "Give them by the header Authorization, with a variable that env lists.",
    });
  }
  return url;
}

/** An event that is not in the table may be a gate. */
function isGate(event: string): boolean {
  return eventRow(event)?.gate ?? true;
}

function postOf(
  url: URL,
  body: string,
  headers: HeaderTemplate,
  key: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Post {
  return {
    url,
    body,
    headers: {
      accept: "application/json",
      "user-agent": "tenterhook",
      ...headers.fill(environment),
      "content-type": "application/json",
      ...(key === undefined ? {} : { [SIGNATURE_HEADER]: signature(body, variableOf(environment, key)) }),
    },
  };
}

/** Posts, and retries after a connection error. */
async function answered(
  connections: Agent,
  post: Post,
  retries: number,
  signal: AbortSignal,
): Promise<Answer> {
  let tries = 0;
  let fresh = false;
  for (;;) {
    try {
      return await posted(post, fresh ? undefined : connections, signal);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      // A server closes idle connections whenever it likes: that says nothing about this request.
      if (error.reused && !fresh) {
        fresh = true;
        continue;
      }
      if (tries >= retries) throw unreachable(error, post.url);
      await delay(backoff(tries, FIRST_PAUSE_MS), undefined, { signal });
      tries += 1;
    }
  }
}

/**
 * Posts and reads the whole answer.
 *
 * @throws ConnectionError when no answer came; HookFailureError when one came that can't be read to its end, and when
 *   the signal was aborted.
 */
async function posted(post: Post, connections: Agent | undefined, signal: AbortSignal): Promise<Answer> {
  let reply: IncomingMessage | undefined;
  try {
    reply = await sendRequest({ ...post, method: "POST", connections, signal });
    const { bytes, truncated } = await readUpTo(reply, LARGEST_ANSWER);
    const { statusCode: status = 0, statusMessage: statusText = "", headers } = reply;
    if (!truncated) return { status, statusText, headers, body: bytes };
  } catch (error) {
    if (signal.aborted) throw new HookFailureError("cancelled", "The request was ended before its answer.");
    throw reply === undefined ? error : cutOff();
  }
  throw new HookFailureError("bad_output", `The answer has more than ${LARGEST_ANSWER / 1024 / 1024} MB.`);
}

/** Names the server, never the rest of the address, which may hold a key. */
function unreachable({ code }: ConnectionError, url: URL): HookFailureError {
  if (NOBODY.includes(code))
    return new HookFailureError("missing", `No server answers at ${url.origin} (${code}).`);
  return new HookFailureError("error", `The connection to ${url.origin} failed (${code}).`);
}

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const NO_CONTENT = 204;
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8\b)/i;

/**
 * Reads what a server answered: a status from 200 to 299 with a reply in JSON, or with nothing, which is no opinion when
 * the server says that this is all: a connection that ends is no answer.
 *
 * @throws HookFailureError `error` for any other status; `bad_output` for a body that is not a reply in JSON.
 */
function readAnswer(answer: Answer, event: AnyEvent, isNative: boolean): readonly Outcome[] {
  const { status, statusText, headers, body } = answer;
  if (status >= 300 && status < 400) {
    throw new HookFailureError(
      "error",
      `It answered ${status}; redirects are not followed, so url must be the address it leads to.`,
    );
  }
  if (status < 200 || status >= 300)
    throw new HookFailureError("error", `It answered ${capText(`${status} ${statusText}`.trim(), 100)}.`);
  if (isBlank(body) && !isWhole(answer)) throw cutOff();
  if (body.length === 0) return [];
  if (isNative) return readNativeJson(decodeReply(body), event);
  const type = headers["content-type"] ?? "";
  const encoding = headers["content-encoding"] ?? "identity";
  if (!JSON_TYPE.test(type) || OTHER_CHARSET.test(type) || encoding !== "identity") {
    const given = [
      capText(type, 100) || "no type",
      ...(encoding === "identity" ? [] : [capText(encoding, 20)]),
    ];
    throw new HookFailureError(
      "bad_output",
      `Its answer must be application/json in UTF-8, not ${given.join(", ")}.`,
    );
  }
  return readReplyJson(decodeReply(body), event);
}

function isBlank(body: Uint8Array): boolean {
  return new TextDecoder().decode(body).trim() === "";
}

/** True when something other than the end of the connection marks the end of the body. */
function isWhole({ status, headers }: Answer): boolean {
  return (
    status === NO_CONTENT ||
    headers["content-length"] !== undefined ||
    headers["transfer-encoding"] === "chunked"
  );
}

function cutOff(): HookFailureError {
  return new HookFailureError("error", "The connection was cut in the middle of the answer.");
}
