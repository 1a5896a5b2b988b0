import type { AgentItem, AgentResult } from "../../agent.ts";
import type { OpenedAgent } from "./open-agent.ts";
import { followSession } from "./session-items.ts";

/**
 * Has an agent work on one task, and closes it whatever comes of that: SessionEnd hooks run, and nothing is left running.
 * Everything that happens is told; `done` is the last item.
 *
 * @throws TenterhookError as `agent.run` does; the agent is closed then too.
 */
export async function workOn(
  { agent, hooks, close }: OpenedAgent,
  task: string,
  { signal, onItem }: { readonly signal: AbortSignal; readonly onItem: (item: AgentItem) => void },
): Promise<AgentResult> {
  const unfollow = followSession(hooks, onItem);
  let reason = "error";
  try {
    const result = await agent.run(task, {
      signal,
      onItem: (item) => {
        if (item.type !== "done") onItem(item);
      },
    });
    reason = result.stop_reason === "cancelled" ? "interrupt" : "exit";
    await close(reason);
    onItem({ type: "done", result });
    return result;
  } finally {
    await close(reason);
    unfollow();
  }
}
