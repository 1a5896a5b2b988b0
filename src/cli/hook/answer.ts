import type { Adapter, DecodedEvent, NativeReply } from "../../adapters/adapter.ts";
import { readKept } from "../../config/cache/kept.ts";
import { isTenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type { Decided } from "../../core/decide/observers.ts";
import { promptOf } from "../../monitor/prompt.ts";
import { journalFolder } from "../../stores/journal/files.ts";
import { Journal } from "../../stores/journal/journal.ts";
import { adapterFor, USUAL_ADAPTER } from "../bridges/agents.ts";
import { decideWithoutEngine } from "./decide-without-engine.ts";
import { nothingSaid, type Saying } from "./saying.ts";
import type { OpenedConfig } from "./slow-path.ts";

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
export async function answer(
  text: string,
  environment: Variables,
  saying: Saying = nothingSaid(),
): Promise<Answer> {
  let payload: unknown;
  let adapter = USUAL_ADAPTER;
  const refuse = (reason: string) => adapter.refuse(payload, reason);
  try {
    payload = payloadIn(text);
    if (!isRecord(payload)) throw new Error("The payload is not an object.");
    adapter = adapterFor(payload, environment);
    const event = adapter.decode(payload);
    const { config, notice } = await configFor(event, adapter, environment);
    const prompt = promptOf(event);
    const clear =
      prompt === undefined && notice === undefined ? await decideWithoutEngine(config, event) : undefined;
    if (clear !== undefined) {
      const reply = adapter.encode(clear.decision, event, config.settings.degrade);
      return { reply, after: async () => void record([clear], environment) };
    }
    const { decide } = await import("./decide.ts");
    const configOf = async (other: DecodedEvent) => (await configFor(other, adapter, environment)).config;
    const { reply, decided, recorded, beside, close } = await decide({
      adapter,
      event,
      config,
      environment,
      prompt,
      notice,
      configOf,
      record: (some) => record(some, environment),
      guard: { saying, refuse },
    });
    const after = async (): Promise<void> => {
      const hooks = await beside();
      if (recorded === undefined) record(decided, environment);
      const { handOver } = hooks.length > 0 ? await import("./async-process.ts") : {};
      const [{ event: first } = {}] = decided;
      if (first !== undefined) handOver?.({ hooks, event_id: first.event_id }, text);
      await close();
    };
    return { reply, after: () => after().catch(() => undefined) };
  } catch (error) {
    return refusal(`tenterhook could not decide: ${messageOf(error)}`, payload, adapter);
  }
}

/** What an agent gave on stdin. */
function payloadIn(text: string): unknown {
  if (text.trim() === "") throw new Error("Nothing came on stdin, where an agent gives its event as JSON.");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`What came on stdin is no JSON, as an agent gives its event: ${messageOf(error)}.`);
  }
}

/** What is said when not even a payload could be read. */
export function refusal(reason: string, payload?: unknown, adapter = USUAL_ADAPTER): Answer {
  return { reply: adapter.refuse(payload, reason), after: async () => {} };
}

/** What of the configuration the event is decided by: as it was kept, or from its files. */
export async function configFor(
  { cwd, hook_event_name: event, host }: DecodedEvent,
  { projectVariable = "" }: Adapter,
  environment: Variables,
): Promise<OpenedConfig> {
  const project = environment[projectVariable];
  const places = { cwd, environment, ...(project ? { project } : {}) };
  const fromFiles = async () => (await import("./slow-path.ts")).openEventConfig(places, event, host);
  const kept = readKept(places, event, async () => (await fromFiles()).config);
  return kept === undefined ? fromFiles() : { config: kept };
}

/** Answers why it can't be written. */
function record(decided: readonly Decided[], environment: Variables): string | undefined {
  let problem: string | undefined;
  const report = (): void => {
    problem = `the journal in ${journalFolder(environment)} can't be written`;
  };
  const journal = new Journal({ environment, report });
  for (const one of decided) journal.recordNow(one);
  return problem;
}

function messageOf(error: unknown): string {
  if (isTenterhookError(error)) return `${error.code}: ${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
