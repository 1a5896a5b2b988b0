import type { DecodedEvent, NativeReply } from "../../adapters/adapter.ts";
import { type EventConfig, readKept } from "../../config/cache/kept.ts";
import { isTenterhookError } from "../../core/errors.ts";
import { isRecord } from "../../core/json.ts";
import type { Decided } from "../../core/observers.ts";
import { Journal } from "../../stores/journal/journal.ts";
import { ADAPTERS, adapterFor } from "./agents.ts";
import { cleared } from "./cleared.ts";

/** The variables of the process an agent started. */
export type Variables = NodeJS.ProcessEnv;

/** What is said to an agent, and what is done once it has been said. */
export interface Answer {
  readonly reply: NativeReply;
  /** Writes the decision down, starts what runs beside it and ends what hooks keep alive. Never rejects. */
  readonly after: () => Promise<void>;
}

/**
 * Decides one event of a foreign agent: its payload as text in, what it must read out. Never rejects: what can't be
 * decided is refused where the event is a gate.
 */
export async function answer(text: string, environment: Variables): Promise<Answer> {
  let payload: unknown;
  let adapter = ADAPTERS[0];
  try {
    payload = JSON.parse(text);
    if (!isRecord(payload)) throw new Error("The payload is not an object.");
    adapter = adapterFor(payload, environment);
    const event = adapter.decode(payload);
    const config = await configFor(event, environment);
    const clear = await cleared(config, event);
    if (clear !== undefined) {
      const reply = adapter.encode(clear.decision, event, config.settings.degrade);
      return { reply, after: async () => record(clear, environment) };
    }
    const { decide } = await import("./decide.ts");
    const { reply, decided, beside, close } = await decide(adapter, event, config, environment);
    const after = async (): Promise<void> => {
      const hooks = await beside();
      if (decided !== undefined) {
        record(decided, environment);
        const { handOver } = hooks.length > 0 ? await import("./beside.ts") : {};
        handOver?.({ hooks, event_id: decided.event.event_id }, text);
      }
      await close();
    };
    return { reply, after: () => after().catch(() => undefined) };
  } catch (error) {
    return refusal(`tenterhook could not decide: ${messageOf(error)}`, payload, adapter);
  }
}

/** What is said when not even a payload could be read. */
export function refusal(reason: string, payload?: unknown, adapter = ADAPTERS[0]): Answer {
  const reply = adapter?.refuse(payload, reason) ?? { stdout: "", stderr: reason, exit_code: 2, losses: [] };
  return { reply, after: async () => {} };
}

/** What of the configuration the event is decided by: as it was kept, or from its files. */
export async function configFor(
  { cwd, hook_event_name: event }: DecodedEvent,
  environment: Variables,
): Promise<EventConfig> {
  const places = { cwd, environment };
  const kept = readKept(places, event);
  if (kept !== undefined) return kept;
  const { openEventConfig } = await import("./rest.ts");
  return openEventConfig(places, event);
}

function record(decided: Decided, environment: Variables): void {
  new Journal({ environment }).recordNow(decided);
}

function messageOf(error: unknown): string {
  if (isTenterhookError(error)) return `${error.code}: ${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
