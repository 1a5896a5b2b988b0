import type { ChildProcess } from "node:child_process";
import { isRecord } from "../../../../core/base/json.ts";
import { afterReading, whenDrained } from "../../../../node/process/drain.ts";
import { Output } from "../../../../node/process/output.ts";
import type { CallReply, WarmCall } from "../decide-call.ts";
import type { HookCall } from "../read-call.ts";
import type { WarmRequest } from "./child.ts";

/** How often the client hears that its call is being decided. It waits for two seconds. */
const SIGN_MILLISECONDS = 500;
/** What is passed on of each stream. */
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
 * Has a child decide a call. When code of a hook ends the child, or blocks it for longer than a hook may take, the call is
 * refused, as it is when that code does it in a process of its own: it is not run again.
 */
export async function ask(
  child: ChildProcess,
  { id, text }: HookCall,
  { watch, runs_code }: WarmCall,
  { signal, onSign }: Caller,
): Promise<Asked> {
  const stdout = new Output(MOST_BYTES);
  const stderr = new Output(MOST_BYTES);
  const onStdout = (chunk: Buffer): void => stdout.add(chunk);
  const onStderr = (chunk: Buffer): void => stderr.add(chunk);
  child.stdout?.on("data", onStdout);
  child.stderr?.on("data", onStderr);
  const signs = setInterval(onSign, SIGN_MILLISECONDS);
  let finish: ((asked: Asked) => void) | undefined;
  const over = (): void => finish?.({ ends: "soon" });
  const silence = setTimeout(() => {
    const killed = { stdout: "", stderr: `${watch.text}\n`, exit_code: KILLED };
    finish?.({ reply: runs_code ? killed : undefined, ends: "now" });
  }, watch.seconds * 1000);
  const onMessage = (message: unknown): void => {
    if (!isRecord(message)) return;
    const reply = replyIn(message.reply);
    if (message.ends === undefined) silence.refresh();
    else afterReading(() => finish?.({ reply, ...(message.ends === false ? {} : { ends: "soon" }) }));
  };
  const onExit = (): void =>
    whenDrained(child, () => finish?.({ reply: replyIn(parsed(stdout.end())), ends: "soon" }));
  child.on("message", onMessage);
  child.once("exit", onExit);
  signal.addEventListener("abort", over, { once: true });
  try {
    const { reply, ...rest } = await new Promise<Asked>((resolve) => {
      finish = resolve;
      if (signal.aborted) over();
      const request: WarmRequest = { id, text, watch, runs_code };
      child.send(request, (error) => void (error && over()));
    });
    return { reply: reply && { ...reply, stderr: `${stderr.end()}${reply.stderr}` }, ...rest };
  } finally {
    clearInterval(signs);
    clearTimeout(silence);
    child.off("message", onMessage).off("exit", onExit);
    child.stdout?.off("data", onStdout);
    child.stderr?.off("data", onStderr);
    signal.removeEventListener("abort", over);
  }
}

function replyIn(value: unknown): CallReply | undefined {
  if (!isRecord(value)) return undefined;
  const { stdout, stderr, exit_code } = value;
  if (typeof stdout !== "string" || typeof stderr !== "string" || typeof exit_code !== "number")
    return undefined;
  return { stdout, stderr, exit_code };
}

/** What the child wrote when it ended: nothing, unless the code of a hook has ended it. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
