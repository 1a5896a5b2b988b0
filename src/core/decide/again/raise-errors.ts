import { toolOf } from "../../match/tool-names.ts";
import { addAbort } from "../collect.ts";
import type { FiredEvent, FireOptions } from "../fired-event.ts";
import { newCollected } from "../open-event.ts";

/** Fires an Error event for each hook that failed, once. A failing Error hook fires none. */
export async function raiseFailures(scope: FiredEvent): Promise<void> {
  for (const { hook, failure } of scope.collected.failures) {
    await raiseError(
      scope,
      `hook_${failure.kind}`,
      `Hook "${hook.hook.name}" failed on ${scope.known.name} (${failure.kind}): ${failure.message}`,
    );
  }
}

/** Fires one Error event; its messages to the user and its abort join the decision. */
export async function raiseError(
  scope: FiredEvent,
  error_type: string,
  error_message: string,
): Promise<void> {
  const { known, engine, event, options, collected } = scope;
  if (known.name === "Error") return;
  const { session_id, cwd, agent_id, agent_type, host, parent_agent_id, turn_id, transcript_path } = event;
  const { tool_use_id } = event;
  const whose = { session_id, cwd, agent_id, agent_type, host, parent_agent_id, turn_id, transcript_path };
  const decision = await engine.fire(
    { ...whose, tool: toolOf(event), tool_use_id, error_type, error_message, hook_event_name: "Error" },
    errorOptions(options),
  );
  collected.userMessages.push(...decision.user_messages);
  if (decision.abort !== undefined) addAbort(scope, decision.abort);
}

/** Inside the engine there is nothing to try again; and the signal that cancelled the event is not that of its Error hooks. */
function errorOptions({ signal, late_signal }: FireOptions): FireOptions {
  return { no_retry: true, signal: signal?.aborted === true ? late_signal?.() : undefined };
}

/** A caller that cancels must not wait for Error hooks, but they run nevertheless. */
export function raiseInBackground(scope: FiredEvent): void {
  const { engine, collected } = scope;
  const { failures } = collected;
  const raising = raiseFailures({
    ...scope,
    collected: { ...newCollected(), failures: [...failures] },
  }).finally(() => engine.background.delete(raising));
  engine.background.add(raising);
}
