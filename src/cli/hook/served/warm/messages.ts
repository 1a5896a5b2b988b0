import { isRecord } from "../../../../core/base/json.ts";
import type { WarmCall } from "../decide-call.ts";
import type { CallReply, HookCall } from "../protocol.ts";

/** What the parent sends to a child. */
export type WarmRequest = Pick<HookCall, "id" | "text"> & WarmCall;

/** What a child sends to its parent. */
export type WarmMessage =
  | { readonly type: "ready" | "working" }
  | {
      readonly type: "decided";
      /** Not set when a process of its own must decide the call. */
      readonly reply: CallReply | undefined;
      /** True when the child can decide no other call. */
      readonly ends: boolean;
    };

/** How often a child shows its parent that it is not blocked, and the parent its client, which waits for two seconds. */
export const SIGN_MILLISECONDS = 500;

/** Reads a message of a child, in which the code of hooks may send others. */
export function messageIn(value: unknown): WarmMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { type, reply, ends } = value;
  if (type === "ready" || type === "working") return { type };
  if (type !== "decided") return undefined;
  return { type, reply: replyIn(reply), ends: ends !== false };
}

function replyIn(value: unknown): CallReply | undefined {
  if (!isRecord(value)) return undefined;
  const { stdout, stderr, exit_code } = value;
  if (typeof stdout !== "string" || typeof stderr !== "string" || typeof exit_code !== "number")
    return undefined;
  return { stdout, stderr, exit_code };
}
