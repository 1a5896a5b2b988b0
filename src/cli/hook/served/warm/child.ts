import { rememberedEvents } from "../../../../config/cache/remembered-events.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { record } from "../../quick/quick-reply.ts";
import { type CachedConfig, decideCall } from "../decide-call.ts";
import { keptHandlers } from "./kept-handlers.ts";

/** How often the parent hears that a call is being decided. The client waits for two seconds. */
const SIGN_MILLISECONDS = 500;

/** Decides the calls that the parent sends, one after another, with the variables and the folder of this process. */
export function decideForParent(): void {
  const kept = keptHandlers();
  const { cached, hasChanged } = sameConfig();
  const variables = { environment: process.env };
  const cwd = process.cwd();
  let busy = false;
  process.on("disconnect", () => {
    // Nobody waits for the call under way; what it has started ends with this process.
    if (busy) process.exit();
    kept.close().finally(() => process.exit());
  });
  if (!process.connected) process.exit();
  process.on("message", async (message: unknown) => {
    if (!isRecord(message) || typeof message.id !== "string" || typeof message.text !== "string") return;
    const { id, text } = message;
    busy = true;
    const sign = setInterval(() => process.send?.({}), SIGN_MILLISECONDS);
    const result =
      hasChanged() || kept.hasChanged()
        ? undefined
        : await decideCall({ id, cwd, variables, text }, cached, kept);
    clearInterval(sign);
    const decided = result === undefined || result === "warm" ? undefined : result;
    if (decided !== undefined) record(decided.decided, process.env);
    process.send?.({ ends: decided === undefined, reply: decided?.stdout });
    decided?.report?.();
    busy = false;
  });
  process.send?.("ready");
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
