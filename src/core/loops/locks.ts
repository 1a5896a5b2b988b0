import type { Decision } from "../decide/decision.ts";
import type { LockedCall, Ports } from "../ports.ts";
import type { Registry } from "../registration/registry.ts";

/**
 * Takes the locks of the hooks that a call has matched (`locks`).
 *
 * @returns a function that releases them; or the sentence that refuses the call, and then none is held.
 * @throws the reason of the signal.
 */
export async function takeLocks(
  { registry, ports }: { readonly registry: Registry; readonly ports: Ports },
  { runs }: Pick<Decision, "runs">,
  call: LockedCall,
  signal: AbortSignal,
): Promise<(() => void) | string> {
  const hooks = registry
    .candidates("PreToolUse", call.tool_name)
    .filter(({ hook }) => hook.locks !== undefined && runs.some(({ name }) => name === hook.name))
    .map(({ hook }) => hook);
  if (hooks.length === 0) return () => {};
  return ports.lock?.(hooks, call, signal) ?? "This hook set can't lock.";
}
