import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { sendRequest } from "../../node/http.ts";
import { withinTime } from "../../node/process/deadline.ts";
import { retryAfter } from "../../node/retry.ts";
import { systemCode } from "../../node/system-code.ts";
import { DeliveryError } from "./channel.ts";

const SECONDS = 15;
const MOST_BYTES = 2_000_000;

export interface Call {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly seconds?: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends a request and reads the whole reply, of any status. Redirects are not followed: a secret must not go elsewhere.
 *
 * @throws DeliveryError when there is no reply, or one that is too large.
 */
export function call({ seconds = SECONDS, signal, ...rest }: Call): Promise<Reply> {
  const read = async (until: AbortSignal): Promise<Reply> => {
    const reply = await open({ ...rest, signal: until });
    let text = "";
    for await (const chunk of chunksOf(reply)) {
      text += chunk;
      if (text.length > MOST_BYTES) throw new DeliveryError("The reply is too large.", { final: true });
    }
    return { status: reply.statusCode ?? 0, headers: reply.headers, text };
  };
  const late = (): Error => new DeliveryError(`There was no reply within ${seconds} s.`);
  return withinTime(seconds * 1000, signal, read, late);
}

/**
 * Sends a request and leaves the reading to the caller.
 *
 * @throws DeliveryError when there is no reply.
 */
export async function open({ url, method = "POST", ...rest }: Call): Promise<IncomingMessage> {
  try {
    return await sendRequest({ url: new URL(url), method, ...rest });
  } catch (error) {
    throw unreachable(error);
  }
}

/** The text of a body, as it comes. */
export async function* chunksOf(reply: IncomingMessage): AsyncGenerator<string> {
  try {
    for await (const chunk of reply.setEncoding("utf8")) yield String(chunk);
  } catch (error) {
    throw unreachable(error);
  }
}

/** Only the code is shown: the address may contain a token. */
function unreachable(error: unknown): DeliveryError {
  return new DeliveryError(`The connection failed (${systemCode(error) ?? "no reply"}).`);
}

/** Statuses after which the same request may succeed. */
const PASSING: readonly number[] = [408, 425, 429];

/**
 * @param message what the server says about it, if anything.
 * @throws DeliveryError for a status that means that the request was not taken.
 */
export function mustBeTaken({ status, headers }: Pick<Reply, "status" | "headers">, message = ""): void {
  if (status >= 200 && status < 300) return;
  const details = message === "" ? "" : `: ${message.slice(0, 200)}`;
  if (status >= 300 && status < 400)
    throw new DeliveryError(`It answered ${status}; redirects are not followed.`, { final: true });
  const final = status < 500 && !PASSING.includes(status);
  throw new DeliveryError(`It answered ${status}${details}.`, { final, pause: retryAfter(headers) });
}
