import type { AgentItem, AgentResult } from "../../../../agent.ts";
import type { OpenedAgent } from "./open-agent.ts";

/** What the user says; or that it goes on, with the answer it waited for. */
export type Task = string | { readonly answers?: string };

/**
 * Has an agent work on one task, or go on with what it was at, and closes it whatever comes of that: SessionEnd hooks run, and nothing is left running.
 * Everything that happens is told; `done` is the last item.
 *
 * @throws TenterhookError as `agent.run` does; the agent is closed then too.
 */
export async function workOn(
  { agent, close }: OpenedAgent,
  task: Task,
  { signal, onItem }: { readonly signal: AbortSignal; readonly onItem: (item: AgentItem) => void },
): Promise<AgentResult> {
  const watching = { signal, onItem, close: true };
  try {
    return typeof task === "string"
      ? await agent.run(task, watching)
      : await agent.continue({ ...watching, ...task });
  } finally {
    await close("exit");
  }
}
