import { setTimeout as delay } from "node:timers/promises";
import { TenterhookError } from "../../core/base/errors.ts";
import { eventRow } from "../../core/events/event-table.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler, HookContext } from "../../core/ports.ts";
import { backoff } from "../../node/retry.ts";
import { SIGNATURE_HEADER, signature } from "../../node/signature.ts";
import type { HandlerContext, HandlerSettings } from "../handler.ts";
import { nativeText } from "../native-text.ts";
import { type Answer, Connection, ConnectionError, type Post } from "./connection.ts";
import { compileHeaders, type HeaderTemplate, notSet, variableOf } from "./headers.ts";
import { readAnswer } from "./read-answer.ts";

const RETRIES = 2;
const FIRST_PAUSE_MS = 100;

/** Connection errors that mean that no server is there. */
const NOBODY = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];

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
  const connection = new Connection(url);
  const running = new Set<Promise<unknown>>();
  const ask = async (
    event: AnyEvent,
    { signal, payload }: Pick<HookContext, "signal" | "payload">,
  ): Promise<readonly Outcome[]> => {
    const native = settings.payload === "native" ? nativeText(event, payload)?.trimEnd() : undefined;
    const post = postOf(native ?? JSON.stringify(event), headers, key, ports.environment);
    return readAnswer(await answered(connection, post, retries, url, signal), event, native !== undefined);
  };
  const needed = [...headers.variables, ...(key === undefined ? [] : [key])];
  const unset = needed.find((name) => (ports.environment[name] ?? "") === "");
  return {
    type: "http",
    tidies: true,
    ...(unset === undefined ? {} : { problem: notSet(unset) }),
    run(event, context) {
      const run = ask(event, context).finally(() => running.delete(run));
      running.add(run);
      return run;
    },
    async close() {
      await Promise.allSettled(running);
      connection.close();
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
  body: string,
  headers: HeaderTemplate,
  key: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Post {
  return {
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
  connection: Connection,
  post: Post,
  retries: number,
  url: URL,
  signal: AbortSignal,
): Promise<Answer> {
  let tries = 0;
  let fresh = false;
  for (;;) {
    try {
      return await connection.post(post, signal, fresh);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      // A server closes idle connections whenever it likes: that says nothing about this request.
      if (error.reused && !fresh) {
        fresh = true;
        continue;
      }
      if (tries >= retries) throw unreachable(error, url);
      await delay(backoff(tries, FIRST_PAUSE_MS), undefined, { signal });
      tries += 1;
    }
  }
}

/** Names the server, never the rest of the address, which may hold a key. */
function unreachable({ code }: ConnectionError, url: URL): HookFailureError {
  if (NOBODY.includes(code))
    return new HookFailureError("missing", `No server answers at ${url.origin} (${code}).`);
  return new HookFailureError("error", `The connection to ${url.origin} failed (${code}).`);
}
