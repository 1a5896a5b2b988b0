import type { Adapter } from "../adapters/adapter.ts";
import { TenterhookError } from "../core/errors.ts";
import { didYouMean } from "../core/suggest.ts";

/** The agents whose payloads we read and answer, each loaded when it is needed. */
const ADAPTERS: ReadonlyMap<string, () => Promise<Adapter>> = new Map([
  ["claude", async () => (await import("../adapters/claude/claude.ts")).claude],
]);

/**
 * The adapter of an agent.
 *
 * @throws TenterhookError `usage_error` with the nearest name.
 */
export async function adapterOf(name: string): Promise<Adapter> {
  const load = ADAPTERS.get(name);
  if (load !== undefined) return load();
  throw new TenterhookError(
    "usage_error",
    `There is no agent ${JSON.stringify(name)}.${didYouMean(name, ADAPTERS.keys())}`,
    { hint: `Agents: ${[...ADAPTERS.keys()].join(", ")}.` },
  );
}
