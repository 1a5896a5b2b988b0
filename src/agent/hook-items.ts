import type { RunEvent } from "../core/observers.ts";
import { type AgentSession, emit } from "./session.ts";

/** Tells listeners of the runs of hooks in this session, as long as there are any. Answers a function that ends it. */
export function followHookRuns(session: AgentSession): () => void {
  return session.hooks.observe((event: RunEvent) => {
    if (event.session_id !== session.identity.session_id) return;
    const { run_id, hook, hook_event_name, tool_use_id } = event;
    const about = { run_id, hook, hook_event_name, ...(tool_use_id === undefined ? {} : { tool_use_id }) };
    if (event.type === "begin") emit(session, { type: "hook_begin", ...about });
    else if (event.type === "end") emit(session, { type: "hook_end", ...about, run: event.run });
    else emit(session, { type: "hook_output", ...about, stream: event.stream, text: event.text });
  });
}
