import type { AgentItem } from "../../agent.ts";
import type { Hooks } from "../../index.ts";

/** Events that lie before and after every turn, so that the items of a run do not tell of them. */
const AROUND: readonly string[] = ["SessionStart", "SessionEnd"];

/** Tells of what hooks do when a session starts and ends, as items of the kind a run has. Answers a function that ends it. */
export function followSession(
  hooks: Pick<Hooks, "observe" | "observeDecisions">,
  onItem: (item: AgentItem) => void,
): () => void {
  const endRuns = hooks.observe((event) => {
    const { run_id, hook, hook_event_name } = event;
    if (!AROUND.includes(hook_event_name)) return;
    const about = { run_id, hook, hook_event_name };
    if (event.type === "begin") onItem({ type: "hook_begin", ...about });
    else if (event.type === "end") onItem({ type: "hook_end", ...about, run: event.run });
    else onItem({ type: "hook_output", ...about, stream: event.stream, text: event.text });
  });
  const endDecisions = hooks.observeDecisions(({ event, decision }) => {
    if (!AROUND.includes(event.hook_event_name)) return;
    for (const { text, level, hook } of decision.user_messages) onItem({ type: "notice", text, level, hook });
  });
  return () => {
    endRuns();
    endDecisions();
  };
}
