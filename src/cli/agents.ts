import type { Adapter } from "../adapters/adapter.ts";
import type { Bridge } from "../adapters/bridge.ts";
import { TenterhookError } from "../core/errors.ts";
import { didYouMean } from "../core/suggest.ts";

/** The agents whose payloads we read and answer, each loaded when it is needed. */
const BRIDGES: ReadonlyMap<string, () => Promise<Bridge>> = new Map([
  ["claude", async () => (await import("../adapters/claude/bridge.ts")).claudeBridge],
]);

/** The names of all agents. */
export const AGENT_NAMES: readonly string[] = [...BRIDGES.keys()];

/**
 * Everything about an agent.
 *
 * @throws TenterhookError `usage_error` with the nearest name.
 */
export async function bridgeOf(name: string): Promise<Bridge> {
  const load = BRIDGES.get(name);
  if (load !== undefined) return load();
  throw new TenterhookError(
    "usage_error",
    `There is no agent ${JSON.stringify(name)}.${didYouMean(name, AGENT_NAMES)}`,
    { hint: `Agents: ${AGENT_NAMES.join(", ")}.` },
  );
}

/** The adapter of an agent; throws as {@link bridgeOf} does. */
export async function adapterOf(name: string): Promise<Adapter> {
  return (await bridgeOf(name)).adapter;
}
