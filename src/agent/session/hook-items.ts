import type { RunEvent } from "../../core/decide/observers.ts";
import type { ItemListener } from "../items.ts";
import { type AgentSession, emit } from "./session.ts";

/** Has somebody hear of everything in this session, runs of hooks included. Answers a function that ends it. */
export function listen(session: AgentSession, onItem: ItemListener): () => void {
  // A function of its own, so that who is given twice can be taken away once.
  const listener: ItemListener = (item) => onItem(item);
  session.listeners.add(listener);
  session.unfollow ??= followHookRuns(session);
  return () => {
    session.listeners.delete(listener);
    if (session.listeners.size > 0) return;
    session.unfollow?.();
    session.unfollow = undefined;
  };
}

/** Tells listeners of the runs of hooks. Hook sets are often shared: those of other sessions are not told. */
function followHookRuns(session: AgentSession): () => void {
  return session.hooks.observe((event: RunEvent) => {
    if (event.session_id !== session.identity.session_id) return;
    const { run_id, hook, hook_event_name, tool_use_id } = event;
    const about = { run_id, hook, hook_event_name, ...(tool_use_id === undefined ? {} : { tool_use_id }) };
    if (event.type === "begin") emit(session, { type: "hook_begin", ...about });
    else if (event.type === "end") emit(session, { type: "hook_end", ...about, run: event.run });
    else emit(session, { type: "hook_output", ...about, stream: event.stream, text: event.text });
  });
}
