import { rememberedEvents } from "../../../../config/cache/remembered-events.ts";
import { PACKAGE_VERSION } from "../../../../node/package-version.ts";
import { recordDecisions } from "../../../../stores/journal/files.ts";
import { guardStdout } from "../../startup/guard-verdict.ts";
import { NEW_REPLY } from "../../startup/write-reply.ts";
import { startWatchdog, type Watch } from "../../watchdog.ts";
import { type CachedConfig, type DecidedCall, decideCall } from "../decide-call.ts";
import { loadedHandlers } from "./loaded-handlers.ts";
import { SIGN_MILLISECONDS, type WarmMessage, type WarmRequest } from "./messages.ts";

/** What the watchdog waits longer than the parent, which can tell the agent what has happened. */
const AFTER_PARENT_SECONDS = 2;

/**
 * Decides the calls that the parent sends, one after another, with the variables and the folder of this process. Code of a
 * hook may end this process at any time: a process of its own then decides the call.
 *
 * @param version The parent's. A process of another version ends at once: an upgrade replaces the program under the daemon.
 */
export function decideForParent(version: string | undefined): void {
  if (version !== PACKAGE_VERSION || !process.connected) process.exit();
  // What modules print goes to stderr, which the agent gets.
  guardStdout({ ...NEW_REPLY });
  const decider = newDecider();
  let busy = false;
  const end = (): void => void decider.close().finally(() => process.exit());
  // A call under way is finished, each hook with its timeout: the process that takes the call over waits for the decision.
  process.on("disconnect", () => busy || end());
  process.on("message", async (request: WarmRequest) => {
    busy = true;
    await decider.decide(request).catch(() => process.exit());
    busy = false;
    if (!process.connected) end();
  });
  send({ type: "ready" });
}

function send(message: WarmMessage): void {
  if (process.connected) process.send?.(message, () => undefined);
}

/** Decides calls with handlers that stay. */
function newDecider() {
  const handlers = loadedHandlers();
  const { cached, hasChanged } = sameConfig();
  const ended = new AbortController();
  // The parent sends it when the agent has ended the call.
  process.once("SIGTERM", () => ended.abort(new Error("The agent ended the call.")));
  const warm = { signal: ended.signal, keeping: handlers.keeping };
  const cwd = process.cwd();
  const environment = { ...process.env };
  const decideWarm = async ({ id, text }: WarmRequest): Promise<DecidedCall | undefined> => {
    if (hasChanged() || handlers.hasChanged()) return undefined;
    const result = await decideCall({ id, cwd, variables: { environment }, text }, cached, warm);
    return result !== undefined && "reply" in result ? result : undefined;
  };
  const decide = async (request: WarmRequest): Promise<void> => {
    const signs = setInterval(() => send({ type: "working" }), SIGN_MILLISECONDS);
    // Code of an earlier call may have changed them.
    process.env = { ...environment };
    process.chdir(cwd);
    const endWatch = request.runs_code ? watchAfterParent(request.watch) : undefined;
    const result = await decideWarm(request);
    clearInterval(signs);
    if (result !== undefined) recordDecisions(result.decided, environment);
    send({ type: "decided", reply: result?.reply, ends: result === undefined || handlers.hasChanged() });
    result?.report?.();
    endWatch?.();
  };
  return { decide, close: handlers.close };
}

function watchAfterParent(watch: Watch): () => void {
  return startWatchdog({ ...watch, seconds: watch.seconds + AFTER_PARENT_SECONDS });
}

/**
 * Reads configurations, and tells when one of them has changed: the hooks of this process were made of it. One that was
 * forgotten because there are too many counts as changed.
 */
function sameConfig() {
  const remembered = rememberedEvents();
  const known = new Map<string, () => boolean>();
  const cached: CachedConfig = (places, event) => {
    const config = remembered(places, event);
    // All calls of this process have the same variables.
    const key = JSON.stringify([places.cwd, places.project, event]);
    known.set(key, () => remembered(places, event) === config);
    return config;
  };
  return { cached, hasChanged: () => [...known.values()].some((isSame) => !isSame()) };
}
