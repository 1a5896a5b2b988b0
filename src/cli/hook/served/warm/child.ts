import { rememberedEvents } from "../../../../config/cache/remembered-events.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { record } from "../../quick/quick-reply.ts";
import { type CachedConfig, decideCall } from "../decide-call.ts";
import { keptHandlers } from "./kept-handlers.ts";

/** How often the parent hears that this process is not blocked. */
const SIGN_MILLISECONDS = 500;

/**
 * Decides the calls that the parent sends, one after another, with the variables and the folder of this process. When the
 * parent has gone, it finishes the call under way: the process that takes over the call waits for its decision.
 */
export function decideForParent(): void {
  const aborted = new AbortController();
  process.once("SIGTERM", () => aborted.abort(new Error("The agent ended the call.")));
  const kept = keptHandlers(aborted.signal);
  const { cached, hasChanged } = sameConfig();
  const variables = { environment: process.env };
  const cwd = process.cwd();
  let busy = false;
  const end = (): void => void kept.close().finally(() => process.exit());
  process.on("disconnect", () => {
    if (!busy) end();
  });
  if (!process.connected) process.exit();
  const send = (message: object): void => {
    if (process.connected) process.send?.(message, () => undefined);
  };
  process.on("message", async (message: unknown) => {
    if (!isRecord(message) || typeof message.id !== "string" || typeof message.text !== "string") return;
    const { id, text } = message;
    busy = true;
    const sign = setInterval(() => send({}), SIGN_MILLISECONDS);
    const result =
      hasChanged() || kept.hasChanged()
        ? undefined
        : await decideCall({ id, cwd, variables, text }, cached, kept);
    clearInterval(sign);
    const decided = result !== undefined && "stdout" in result ? result : undefined;
    if (decided !== undefined) record(decided.decided, process.env);
    send({ ends: decided === undefined, reply: decided?.stdout });
    decided?.report?.();
    busy = false;
    if (!process.connected) end();
  });
  send({ ready: true });
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
