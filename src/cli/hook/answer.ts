import type { DecodedEvent, NativeReply } from "../../adapters/adapter.ts";
import { adapterFor, USUAL_ADAPTER } from "../../adapters/agents.ts";
import { isTenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { repeatedKey } from "../../core/base/json-keys.ts";
import type { Decided } from "../../core/decide/observers.ts";
import { isReported } from "../../monitor/detect.ts";
import { promptOf } from "../../monitor/prompt.ts";
import { usageReported, withUsage } from "../usage/with-usage.ts";
import { findConfig } from "./find-config.ts";
import { decideWithoutEngine } from "./quick/decide-without-engine.ts";
import { quickReply, record } from "./quick/quick-reply.ts";
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
  let payload: unknown;
  let adapter = USUAL_ADAPTER;
  const refuse = (reason: string) => adapter.refuse(payload, reason);
  try {
    payload = parsePayload(text);
    if (!isRecord(payload)) throw new Error("The payload is not an object.");
    adapter = await adapterFor(payload, environment);
    const twice = repeatedKey(text);
    if (twice !== undefined) {
      // It may be the event's name, and then nobody knows which event is refused.
      if (twice.depth === 1) payload = undefined;
      throw new Error(`The payload gives ${JSON.stringify(twice.key)} twice.`);
    }
    const decoded = adapter.decode(payload);
    const { config, notice } = await findConfig(decoded, adapter, environment);
    const event = await withUsage(decoded, adapter, config);
    const prompt = promptOf(event);
    const report = async (one: Decided): Promise<void> => {
      if (!isReported(one.event, config.settings.monitor, environment)) return;
      const usage = await usageReported(one.event, event, adapter, config.prices);
      (await import("./background/report-event.ts")).reportEvent(one, adapter, environment, usage);
    };
    const decided =
      prompt === undefined && notice === undefined
        ? await decideWithoutEngine(config, event, eventId)
        : undefined;
    if (decided !== undefined) {
      const reply = quickReply(decided, { adapter, event, config, environment });
      return {
        reply,
        async after() {
          record([decided], environment);
          await report(decided);
        },
      };
    }
    const { decideWithEngine } = await import("./decide-with-engine.ts");
    const result = await decideWithEngine({
      adapter,
      event,
      text,
      config,
      environment,
      called: Date.now() - process.uptime() * 1000,
      prompt,
      notice,
      eventId,
      configOf: async (other: DecodedEvent) => (await findConfig(other, adapter, environment)).config,
      record: (some) => record(some, environment),
      guard: { reply: state, refuse },
    });
    const after = async (): Promise<void> => {
      const hooks = await result.asyncHooks();
      if (result.recorded === undefined) record(result.decided, environment);
      const [first] = result.decided;
      if (first !== undefined) await report(first);
      if (hooks.length > 0 && first !== undefined) {
        const { startAsyncHooks } = await import("./background/start-async.ts");
        startAsyncHooks({ hooks, event_id: first.event.event_id }, text);
      }
      await result.close();
    };
    return { reply: result.reply, after: () => after().catch(() => undefined) };
  } catch (error) {
    if (payload === undefined)
      return {
        reply: await refusal(`tenterhook could not decide: ${messageOf(error)}`, environment),
        after: async () => {},
      };
    return { reply: refuse(`tenterhook could not decide: ${messageOf(error)}`), after: async () => {} };
  }
}

function parsePayload(text: string): unknown {
  if (text.trim() === "") throw new Error("Stdin is empty. An agent writes its event there, as JSON.");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`Stdin is not valid JSON: ${messageOf(error)}.`);
  }
}

/** What an agent reads when not even its payload could be read: only the environment tells which agent it is. */
export async function refusal(reason: string, environment: NodeJS.ProcessEnv): Promise<NativeReply> {
  const adapter = await adapterFor({}, environment).catch(() => USUAL_ADAPTER);
  return adapter.refuse(undefined, reason);
}

function messageOf(error: unknown): string {
  if (isTenterhookError(error)) return `${error.code}: ${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
