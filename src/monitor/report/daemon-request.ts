import { dirname } from "node:path";
import { errorMessage } from "../../core/base/error-text.ts";
import { type ErrorCode, HINTS, TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { readUpTo, sendRequest } from "../../node/http.ts";
import { type DaemonPlace, mustBeOwn } from "./daemon-place.ts";

interface DaemonRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

/**
 * Asks the daemon of this user on its socket.
 *
 * @returns the body of its reply.
 * @throws TenterhookError the daemon's own errors; `monitor_unreachable` when it does not answer. The reason of the signal.
 */
export async function requestDaemon(
  { socket: socketPath, token }: DaemonPlace,
  { method, path, body, signal }: DaemonRequest,
): Promise<string> {
  mustBeOwn(dirname(socketPath));
  try {
    const reply = await sendRequest({
      url: new URL(path, "http://localhost"),
      socketPath,
      method,
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${readOwnFile(token, 1000).text ?? ""}`,
      },
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { bytes } = await readUpTo(reply, Number.POSITIVE_INFINITY);
    if (reply.statusCode === 200) return bytes.toString();
    throw errorIn(bytes.toString());
  } catch (cause) {
    if (cause instanceof TenterhookError) throw cause;
    signal.throwIfAborted();
    throw unreachable(socketPath, errorMessage(cause), cause);
  }
}

export function unreachable(socket: string, problem: string, cause?: unknown): TenterhookError {
  const message = `The monitor's daemon does not answer at ${socket}: ${problem}.`;
  return new TenterhookError("monitor_unreachable", message, { cause });
}

function errorIn(text: string): Error {
  try {
    const { error }: Readonly<Record<string, unknown>> = JSON.parse(text);
    if (isRecord(error) && typeof error.message === "string")
      return new TenterhookError(isCode(error.code) ? error.code : "monitor_unreachable", error.message, {
        ...(typeof error.hint === "string" ? { hint: error.hint } : {}),
      });
  } catch {
    // Not the daemon's words.
  }
  return new TenterhookError("monitor_unreachable", `The monitor's daemon failed: ${text.slice(0, 200)}`);
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(HINTS, code);
}
