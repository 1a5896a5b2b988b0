import type { ToolResult } from "../../core/contracts/tool.ts";
import type { AgentStore } from "../contracts.ts";
import { refused } from "./task-result.ts";

/** The subagents that work now, by the store that keeps them. */
const atWork = new WeakMap<AgentStore, Set<string>>();

/** What a subagent goes on with in the background, after its call was answered. */
type GoesOn = (result: Promise<ToolResult>) => void;

/**
 * Has a subagent work, unless it does already: two runs of one conversation would mix what they say, and neither would
 * know what the other has done. It counts as at work until what it does in the background is done too.
 *
 * @throws what the work throws.
 */
export async function alone(
  store: AgentStore | undefined,
  agent_id: string,
  work: (goesOn: GoesOn) => Promise<ToolResult>,
): Promise<ToolResult> {
  if (store === undefined) return work(() => {});
  const ids = atWork.get(store) ?? new Set();
  atWork.set(store, ids);
  if (ids.has(agent_id))
    return refused(`The subagent ${agent_id} is still at work; its result is delivered when it is done.`);
  ids.add(agent_id);
  const done = (): void => {
    ids.delete(agent_id);
  };
  let background: Promise<ToolResult> | undefined;
  try {
    return await work((result) => {
      background = result;
    });
  } finally {
    if (background === undefined) done();
    else background.then(done, done);
  }
}
