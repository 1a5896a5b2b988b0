import type { NativeReply } from "../../../../adapters/adapter.ts";
import { rememberedEvents } from "../../../../config/cache/remembered-events.ts";
import { record } from "../../quick/quick-reply.ts";
import { guardStdout, guardVerdict } from "../../startup/guard-verdict.ts";
import { newReply } from "../../startup/write-reply.ts";
import { startWatchdog } from "../../watchdog.ts";
import { asWritten, type CachedConfig, decideCall, type WarmCall } from "../decide-call.ts";
import type { HookCall } from "../read-call.ts";
import { keptHandlers, type WarmProcess } from "./kept-handlers.ts";

/** What the parent sends. It is of the same version. */
export type WarmRequest = Pick<HookCall, "id" | "text"> & WarmCall;

/** How often the parent hears that this process is not blocked. */
const SIGN_MILLISECONDS = 500;
/** What the watchdog waits longer than the parent, which can tell the agent what has happened. */
const AFTER_PARENT_SECONDS = 2;

/**
 * Decides the calls that the parent sends, one after another, with the variables and the folder of this process. When the
 * parent has gone, it finishes the call under way: the process that takes over the call waits for its decision. It has
 * no more time for that than a hook may take.
 */
export function decideForParent(): void {
  const kept = keptHandlers();
  const { cached, hasChanged } = sameConfig();
  const { guard, unguard, isGuarded } = guardCalls();
  const ended = new AbortController();
  // The parent sends it when the agent has ended the call.
  process.once("SIGTERM", () => ended.abort(new Error("The agent ended the call.")));
  const warm: WarmProcess = { signal: ended.signal, guard, keeping: kept.keeping };
  const cwd = process.cwd();
  const environment = { ...process.env };
  let seconds: number | undefined;
  const end = (): void => void kept.close().finally(() => process.exit());
  const failed = (): void => {
    // Code that a hook has left running failed; the next call gets another process.
    if (!isGuarded()) process.exit();
  };
  process.on("uncaughtException", failed);
  process.on("unhandledRejection", failed);
  process.on("disconnect", () => {
    if (seconds === undefined) end();
    else setTimeout(() => ended.abort(new Error("The daemon has ended.")), seconds * 1000);
  });
  if (!process.connected) process.exit();
  const send = (message: object): void => {
    if (process.connected) process.send?.(message, () => undefined);
  };
  process.on("message", async ({ id, text, watch, runs_code }: WarmRequest) => {
    seconds = watch.seconds;
    const sign = setInterval(() => send({}), SIGN_MILLISECONDS);
    // Code of an earlier call may have changed them.
    process.env = { ...environment };
    process.chdir(cwd);
    const endWatch = runs_code
      ? startWatchdog({ ...watch, seconds: watch.seconds + AFTER_PARENT_SECONDS })
      : undefined;
    const call = { id, cwd, variables: { environment }, text };
    const result = hasChanged() || kept.hasChanged() ? undefined : await decideCall(call, cached, warm);
    unguard();
    clearInterval(sign);
    const decided = result !== undefined && "reply" in result ? result : undefined;
    if (decided !== undefined) record(decided.decided, environment);
    send({ ends: decided === undefined || kept.hasChanged(), reply: decided?.reply });
    decided?.report?.();
    endWatch?.();
    seconds = undefined;
    if (!process.connected) end();
  });
  send({ ready: true });
}

/** Writes a refusal as JSON, for the parent, when the code of a hook ends this process before its call is decided. */
function guardCalls() {
  const reply = newReply();
  reply.state = "written";
  let refuse: ((reason: string) => NativeReply) | undefined;
  guardStdout(reply);
  guardVerdict(reply, (reason) => {
    const refused = refuse === undefined ? "" : JSON.stringify(asWritten(refuse(reason)));
    return { stdout: refused, stderr: "", exit_code: 0, losses: [] };
  });
  return {
    guard: (given: (reason: string) => NativeReply): void => {
      refuse = given;
      reply.state = "open";
    },
    unguard: (): void => {
      reply.state = "written";
    },
    isGuarded: () => reply.state === "open",
  };
}

/** Reads configurations, and tells when one of them has changed: the hooks of this process were made of it. */
function sameConfig() {
  const remembered = rememberedEvents();
  const known = new Map<string, () => boolean>();
  const cached: CachedConfig = (places, event) => {
    const config = remembered(places, event);
    known.set(JSON.stringify([places, event]), () => remembered(places, event) === config);
    return config;
  };
  return { cached, hasChanged: () => [...known.values()].some((isSame) => !isSame()) };
}
