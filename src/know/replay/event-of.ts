import type { Adapter } from "../../adapters/adapter.ts";
import { allAdapters } from "../../adapters/agents.ts";
import { RECORDED_SESSIONS } from "../../adapters/recorded-sessions.ts";
import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import { OWN } from "./own-sessions.ts";
import type { TellsOf } from "./read-session.ts";

const OUR_NAMES = { call: "PreToolUse", prompt: "UserPromptSubmit", answer: "Stop" };

/** Makes events of what sessions tell; `undefined` for a call without a name or an input, which no hook was asked about. */
export type EventOf = (told: TellsOf, agent: string) => Readonly<Record<string, unknown>> | undefined;

/**
 * Makes of what a session tells the payload that its agent would have sent, and of that our event, as `tenterhook hook`
 * does. `folder` is where sessions worked that do not say so themselves.
 */
export async function eventMaker(folder: string): Promise<EventOf> {
  const adapters = new Map<string, Adapter>((await allAdapters()).map((adapter) => [adapter.name, adapter]));
  return (told, agent) => {
    const { events = OUR_NAMES, payload: form = {} } = RECORDED_SESSIONS.get(agent) ?? {};
    const { session_id, cwd = folder, agent_id } = told;
    const common = { session_id, cwd, ...withoutUndefined({ agent_id, plugin: form.plugin }) };
    const payload = payloadOf(told, { ...common }, events, form.answer ?? "last_assistant_message");
    if (payload === undefined) return undefined;
    // What the journal and our own transcripts tell is one of our events already.
    const adapter = agent === OWN ? undefined : adapters.get(agent);
    return adapter === undefined
      ? { ...payload, ...withoutUndefined({ host: told.host }) }
      : adapter.decode(payload, cwd);
  };
}

function payloadOf(
  told: TellsOf,
  common: Readonly<Record<string, unknown>>,
  { call, prompt, answer }: typeof OUR_NAMES,
  answerField: string,
): Readonly<Record<string, unknown>> | undefined {
  if ("prompt" in told) return { ...common, hook_event_name: prompt, prompt: told.prompt };
  if ("answer" in told) return { ...common, hook_event_name: answer, [answerField]: told.answer };
  const { tool_name, tool_input, tool_use_id } = told;
  if (typeof tool_name !== "string" || tool_name === "" || !isRecord(tool_input)) return undefined;
  const id = typeof tool_use_id === "string" ? { tool_use_id } : {};
  return { ...common, hook_event_name: call, tool_name, tool_input, ...id };
}
