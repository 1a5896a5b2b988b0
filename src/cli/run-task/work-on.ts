import type { AgentItem, AgentResult } from "../../agent.ts";
import type { OpenedAgent } from "./open-agent.ts";
import { followSession } from "./session-items.ts";

/** What the user says; or that it goes on, with the answer it waited for. */
export type Task = string | { readonly answers?: string };

/**
 * Has an agent work on one task, or go on with what it was at, and closes it whatever comes of that: SessionEnd hooks run, and nothing is left running.
 * Everything that happens is told; `done` is the last item.
 *
 * @throws TenterhookError as `agent.run` does; the agent is closed then too.
 */
export async function workOn(
  { agent, hooks, close }: OpenedAgent,
  task: Task,
  { signal, onItem }: { readonly signal: AbortSignal; readonly onItem: (item: AgentItem) => void },
): Promise<AgentResult> {
  const unfollow = followSession(hooks, onItem);
  let reason = "error";
  try {
    const watching = {
      signal,
      onItem: (item: AgentItem): void => {
        if (item.type !== "done") onItem(item);
      },
    };
    const result =
      typeof task === "string"
        ? await agent.run(task, watching)
        : await agent.continue({ ...watching, ...task });
    reason = result.stop_reason === "cancelled" ? "interrupt" : "exit";
    await close(reason);
    onItem({ type: "done", result });
    return result;
  } finally {
    await close(reason);
    unfollow();
  }
}
