import { errorMessage } from "../base/error-text.ts";
import type { Decision } from "../decide/decision.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { pathsOf } from "../match/tool-inputs.ts";
import type { Ports } from "../ports.ts";
import type { Registry } from "../registration/registry.ts";

/** A call that its PreToolUse hooks have let pass, with its final input. */
export type LockedCall = Pick<AnyEvent, "session_id" | "cwd"> & {
  readonly agent_id?: string | undefined;
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
};

const NOTHING_HELD = (): void => {};

/**
 * Takes the locks of the hooks that a call has matched (`locks`), each for as long as its hook may take. Locks are taken in one order,
 * so that two calls never wait for each other.
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
  const locking = registry
    .candidates("PreToolUse", call.tool_name)
    .filter(({ hook }) => hook.locks !== undefined);
  if (locking.length === 0) return NOTHING_HELD;
  const matched = new Set(runs.map(({ name }) => name));
  const wanted = locking
    .filter(({ hook }) => matched.has(hook.name))
    .flatMap(({ hook, timeoutMs }) =>
      keysOf(hook.locks, call, ports).map((key) => ({ key, hook, timeoutMs })),
    )
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .filter(({ key }, at, all) => all[at - 1]?.key !== key);
  const held: (() => void)[] = [];
  const release = (): void => {
    for (const leave of held.splice(0)) leave();
  };
  const who = `${call.agent_id ?? call.session_id} (${call.tool_name})`;
  for (const { key, hook, timeoutMs } of wanted) {
    try {
      if (ports.lock === undefined)
        throw new Error('This set can\'t lock. Make it by createHooks of "tenterhook".');
      held.push(await ports.lock({ key, who, milliseconds: timeoutMs, signal }));
    } catch (error) {
      release();
      signal.throwIfAborted();
      return `Hook ${JSON.stringify(hook.name)} lets one call at a time work with the ${key}. ${errorMessage(error)}`;
    }
  }
  return release;
}

function keysOf(locks: string | undefined, call: LockedCall, { paths }: Ports): readonly string[] {
  if (locks !== "file") return [`name ${JSON.stringify(locks)}`];
  // All names of a file: another call may know it by one of them only.
  const files = pathsOf(call).flatMap((path) => paths.spellings(path, call.cwd));
  return files.map((file) => `file ${file}`);
}
