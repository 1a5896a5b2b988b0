import type { NativeReply } from "../../adapters/adapter.ts";
import { adapterFor, type NativeCall, readPayload, USUAL_ADAPTER } from "../../adapters/agents.ts";
import { readCachedEvent } from "../../config/cache/read-cache.ts";
import { isTenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { repeatedKey } from "../../core/base/json-keys.ts";
import { DETECTED, isWatched } from "../../monitor/detect.ts";
import { recordDecisions } from "../../stores/journal/files.ts";
import { usageReported } from "../usage/with-usage.ts";
import { withPending } from "./background/pending-context.ts";
import type { EngineResult } from "./decide-with-engine.ts";
import { decideWithoutEngine } from "./quick/decide-without-engine.ts";
import type { FoundConfig } from "./slow-path.ts";
import type { Reply } from "./startup/write-reply.ts";

/** What an agent has to read, and what is done once it has been written. */
export interface Answer {
  readonly reply: NativeReply;
  /** Records the decision, starts asynchronous hooks and closes what hooks keep open. Never rejects. */
  readonly after: () => Promise<void>;
}

/**
 * Decides one event of a foreign agent, given its payload as text. Never rejects: a gate is refused when it can't be
 * decided.
 *
 * @param eventId the id for the event, when it is known.
 */
export async function answer(
  text: string,
  environment: NodeJS.ProcessEnv,
  state: Reply,
  eventId?: string,
): Promise<Answer> {
  try {
    const call = await readPayload(text, environment);
    const { adapter, event } = call;
    const { config, notice } = await findConfig(call);
    const quick = notice === undefined ? await decideWithoutEngine(config, event, eventId) : undefined;
    const result: EngineResult =
      quick === undefined
        ? await (await import("./decide-with-engine.ts")).decideWithEngine({
            adapter,
            event,
            text,
            config,
            environment,
            called: Date.now() - process.uptime() * 1000,
            notice,
            eventId,
            configOf: async (name) => (await findConfig(call, name)).config,
            state,
          })
        : {
            reply: adapter.encode(
              withPending(quick.decision, event, adapter, environment),
              event,
              config.settings.degrade,
            ),
            decided: [quick],
          };
    const after = async (): Promise<void> => {
      const asyncHooks = await result.asyncHooks?.();
      if (result.recorded === undefined) recordDecisions(result.decided, environment);
      const [first] = result.decided;
      const isReported =
        Object.hasOwn(DETECTED, event.hook_event_name) && isWatched(config.settings.monitor, environment);
      if (first !== undefined && isReported) {
        const usage = await usageReported(first.event, event, adapter, config.prices);
        (await import("./background/report-event.ts")).reportEvent(first, adapter, environment, usage);
      }
      if (first !== undefined && asyncHooks !== undefined && asyncHooks.length > 0) {
        const { startAsyncHooks } = await import("./background/start-async.ts");
        startAsyncHooks({ hooks: asyncHooks, event_id: first.event.event_id }, text);
      }
      await result.close?.();
    };
    return { reply: result.reply, after: () => after().catch(() => undefined) };
  } catch (error) {
    const reply = await refusal(`tenterhook could not decide: ${messageOf(error)}`, environment, text);
    return { reply, after: async () => {} };
  }
}

/**
 * Finds what decides an event: in the cache, or in the configuration's files.
 *
 * @param name another event of the same agent.
 */
export async function findConfig(
  { places, event: { hook_event_name, host } }: NativeCall,
  name = hook_event_name,
): Promise<FoundConfig> {
  const cached = readCachedEvent(places, name);
  return cached ?? (await import("./slow-path.ts")).readConfigFiles(places, name, host);
}

/** What an agent reads when nothing could be decided about its payload, whatever that is. Never rejects. */
export async function refusal(
  reason: string,
  environment: NodeJS.ProcessEnv,
  text = "",
): Promise<NativeReply> {
  const payload = knownPayload(text);
  const adapter = await adapterFor(payload ?? {}, environment).catch(() => USUAL_ADAPTER);
  return adapter.refuse(payload, reason);
}

/** `undefined` for a payload that can't be read, and for one that may name two events: nobody knows which one is refused. */
function knownPayload(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const payload: unknown = JSON.parse(text);
    return isRecord(payload) && repeatedKey(text)?.depth !== 1 ? payload : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  if (isTenterhookError(error)) return `${error.code}: ${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
