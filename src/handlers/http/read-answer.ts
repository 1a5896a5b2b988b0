import type { IncomingHttpHeaders } from "node:http";
import { capText } from "../../core/base/text.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import { readNativeJson } from "../reply/read-native.ts";
import { decodeReply, readReplyJson } from "../reply/read-reply.ts";

export interface Answer {
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
export function readAnswer(answer: Answer, event: AnyEvent, isNative: boolean): readonly Outcome[] {
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

export function cutOff(): HookFailureError {
  return new HookFailureError("error", "The connection was cut in the middle of the answer.");
}
