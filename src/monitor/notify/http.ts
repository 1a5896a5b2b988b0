import { startDeadline } from "../../node/process/deadline.ts";
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
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a request and reads the whole reply, of any status. Redirects are not followed: a secret must not go elsewhere.
 *
 * @throws DeliveryError when there is no reply, or one that is too large.
 */
export async function call({ seconds = SECONDS, signal, ...rest }: Call): Promise<Reply> {
  const deadline = startDeadline(signal, seconds * 1000);
  try {
    const response = await open({ ...rest, signal: deadline.signal });
    let text = "";
    for await (const chunk of chunksOf(response)) {
      text += chunk;
      if (text.length > MOST_BYTES) throw new DeliveryError("The reply is too large.", { final: true });
    }
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    if (deadline.passed()) throw new DeliveryError(`There was no reply within ${seconds} s.`);
    throw error;
  } finally {
    deadline.end();
  }
}

/**
 * Sends a request and leaves the reading to the caller.
 *
 * @throws DeliveryError when there is no reply.
 */
export async function open({ url, method = "POST", headers = {}, body, signal }: Call): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal,
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    throw unreachable(error);
  }
}

/** The text of a body, as it comes. */
export async function* chunksOf(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) yield chunk;
  } catch (error) {
    throw unreachable(error);
  }
}

/** The message of a failed `fetch` says nothing, and its address may contain a token: only the code is shown. */
function unreachable(error: unknown): DeliveryError {
  const cause = error instanceof Error ? error.cause : undefined;
  return new DeliveryError(
    `The connection failed (${systemCode(cause) ?? systemCode(error) ?? "no reply"}).`,
  );
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
  const pause = retryAfter({ "retry-after": headers.get("retry-after") ?? undefined });
  throw new DeliveryError(`It answered ${status}${details}.`, { final, pause });
}
