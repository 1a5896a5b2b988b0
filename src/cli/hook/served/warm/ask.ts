import type { ChildProcess } from "node:child_process";
import { afterReading } from "../../../../node/process/drain.ts";
import { Output } from "../../../../node/process/output.ts";
import type { WarmCall } from "../decide-call.ts";
import type { CallReply, HookCall } from "../protocol.ts";
import { messageIn, SIGN_MILLISECONDS, type WarmRequest } from "./messages.ts";

/** What is passed on of what hooks write to stderr. */
const MOST_BYTES = 1_000_000;
/** The exit code that a shell gives a process that was killed. */
const KILLED = 137;

/** Who waits for a reply. */
export interface Caller {
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Called while the call is being decided. */
  readonly onSign: () => void;
}

interface Asked {
  /** Not set when a process of its own must decide the call. */
  readonly reply?: CallReply | undefined;
  /** Set when the child can't decide another call. */
  readonly ends?: "now" | "soon";
}

/**
 * Has a child decide a call. When code of a hook blocks the child for longer than a hook may take, the call is refused, as it
 * is when that code blocks a process of its own. Never rejects.
 */
export async function ask(
  child: ChildProcess,
  call: HookCall,
  warm: WarmCall,
  { signal, onSign }: Caller,
): Promise<Asked> {
  const stderr = new Output(MOST_BYTES);
  const onStderr = (chunk: Buffer): void => stderr.add(chunk);
  child.stderr?.on("data", onStderr);
  const signs = setInterval(onSign, SIGN_MILLISECONDS);
  try {
    const { reply, ...rest } = await answerOf(child, call, warm, signal);
    return { reply: reply && { ...reply, stderr: `${stderr.end()}${reply.stderr}` }, ...rest };
  } finally {
    clearInterval(signs);
    child.stderr?.off("data", onStderr);
  }
}

/** Waits until the child has decided, has ended or is blocked, or until nobody waits any more. */
function answerOf(
  child: ChildProcess,
  { id, text }: HookCall,
  { watch, runs_code }: WarmCall,
  signal: AbortSignal,
): Promise<Asked> {
  return new Promise((resolve) => {
    const finish = (asked: Asked): void => {
      clearTimeout(silence);
      child.off("message", onMessage).off("exit", giveUp);
      signal.removeEventListener("abort", giveUp);
      resolve(asked);
    };
    const giveUp = (): void => finish({ ends: "soon" });
    const silence = setTimeout(() => {
      const killed = { stdout: "", stderr: `${watch.text}\n`, exit_code: KILLED };
      finish({ reply: runs_code ? killed : undefined, ends: "now" });
    }, watch.seconds * 1000);
    const onMessage = (value: unknown): void => {
      const message = messageIn(value);
      if (message?.type === "working") silence.refresh();
      if (message?.type !== "decided") return;
      const { reply, ends } = message;
      // What hooks wrote before it is in the pipe.
      afterReading(() => finish({ reply, ...(ends ? { ends: "soon" } : {}) }));
    };
    child.on("message", onMessage).once("exit", giveUp);
    signal.addEventListener("abort", giveUp, { once: true });
    const request: WarmRequest = { id, text, watch, runs_code };
    child.send(request, (error) => void (error && giveUp()));
  });
}
