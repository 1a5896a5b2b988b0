import type { DecodedEvent, NativeReply } from "../../adapters/adapter.ts";
import { readKept } from "../../config/cache/kept.ts";
import { isTenterhookError } from "../../core/errors.ts";
import { isRecord } from "../../core/json.ts";
import type { Decided } from "../../core/observers.ts";
import { promptOf } from "../../monitor/prompt.ts";
import { Journal } from "../../stores/journal/journal.ts";
import { adapterFor, USUAL_ADAPTER } from "../agents.ts";
import { cleared } from "./cleared.ts";
import type { OpenedConfig } from "./rest.ts";

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
  let adapter = USUAL_ADAPTER;
  try {
    payload = JSON.parse(text);
    if (!isRecord(payload)) throw new Error("The payload is not an object.");
    adapter = adapterFor(payload, environment);
    const event = adapter.decode(payload);
    const { config, notice } = await configFor(event, environment);
    const prompt = promptOf(event);
    const clear = prompt === undefined && notice === undefined ? await cleared(config, event) : undefined;
    if (clear !== undefined) {
      const reply = adapter.encode(clear.decision, event, config.settings.degrade);
      return { reply, after: async () => record([clear], environment) };
    }
    const { decide } = await import("./decide.ts");
    const configOf = async (other: DecodedEvent) => (await configFor(other, environment)).config;
    const { reply, decided, beside, close } = await decide({
      adapter,
      event,
      config,
      environment,
      prompt,
      notice,
      configOf,
    });
    const after = async (): Promise<void> => {
      const hooks = await beside();
      record(decided, environment);
      const { handOver } = hooks.length > 0 ? await import("./beside.ts") : {};
      const [{ event: first } = {}] = decided;
      if (first !== undefined) handOver?.({ hooks, event_id: first.event_id }, text);
      await close();
    };
    return { reply, after: () => after().catch(() => undefined) };
  } catch (error) {
    return refusal(`tenterhook could not decide: ${messageOf(error)}`, payload, adapter);
  }
}

/** What is said when not even a payload could be read. */
export function refusal(reason: string, payload?: unknown, adapter = USUAL_ADAPTER): Answer {
  return { reply: adapter.refuse(payload, reason), after: async () => {} };
}

/** What of the configuration the event is decided by: as it was kept, or from its files. */
export async function configFor(event: DecodedEvent, environment: Variables): Promise<OpenedConfig> {
  const { cwd, hook_event_name } = event;
  const kept = readKept({ cwd, environment }, hook_event_name);
  if (kept !== undefined) return { config: kept };
  const { openEventConfig } = await import("./rest.ts");
  return openEventConfig(event, environment);
}

function record(decided: readonly Decided[], environment: Variables): void {
  const journal = new Journal({ environment });
  for (const one of decided) journal.recordNow(one);
}

function messageOf(error: unknown): string {
  if (isTenterhookError(error)) return `${error.code}: ${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
