import { errorMessage } from "../../../core/base/error-text.ts";
import { isRecord } from "../../../core/base/json.ts";
import { TRUST_WAY_OUT } from "../../../core/base/untrusted.ts";
import { internals } from "../../../core/internals.ts";
import type { PreparedHook } from "../../../core/registration/registered-hook.ts";
import type { OwnHooks } from "../../definitions/skill.ts";
import type { AgentSession } from "../session/session.ts";

/**
 * Puts hooks in force for an agent and the subagents that it starts from now on. They can only narrow: an allow of theirs counts
 * for nothing, and they can't answer in place of the user.
 *
 * @throws Error that says why they can't run; then none is in force, and what they belong to must not be used.
 */
export async function activate(session: AgentSession, own: OwnHooks): Promise<void> {
  const { active, identity, hooks, toolbox, options } = session;
  if (active.some(({ file, agents }) => file === own.file && agents.has(identity.agent_id))) return;
  const { trustOfOwned } = await import("../../../config/trust/agent-trust.ts");
  const trust = own.owner === "user" ? {} : await trustOfOwned(identity.cwd, own, { ...toolbox.environment });
  if ("untrusted" in trust)
    throw new Error(`The hooks in ${own.file} can't run: ${trust.untrusted}. ${TRUST_WAY_OUT}`);
  const set = internals(hooks);
  const agents = new Set([identity.agent_id]);
  const site = { ...options.hookSite?.(own.owner), root: own.root, owner: own.owner, ...trust };
  const prepared: PreparedHook[] = [];
  try {
    for (const definition of await definitionsIn(own)) {
      const origin = { scope: own.owner, file: own.file, line: 1 } as const;
      prepared.push(await limited(await set.definitions.prepare({ ...definition, origin }, site), agents));
    }
  } catch (error) {
    throw new Error(`The hooks in ${own.file} can't be used: ${errorMessage(error)}`, { cause: error });
  }
  // Nothing is awaited from here on: another agent of this set may be about to take the same names.
  const taken = new Set(hooks.list().map(({ name }) => name));
  const ready = prepared.map((one) => ({
    ...one,
    hook: { ...one.hook, name: freeName(one.hook.name, taken) },
  }));
  set.replace([], ready);
  active.push({ file: own.file, agents, remove: () => set.replace(ready, []) });
}

/** Ends the hooks for an agent that has ended. A subagent in the background, which goes on, keeps those it began with. */
export function deactivate({ active, identity }: AgentSession): void {
  for (const { agents, remove } of active.splice(0)) {
    agents.delete(identity.agent_id);
    if (agents.size === 0) remove();
  }
}

/** A copy of the hook for these agents only, whose allow counts for nothing. */
async function limited(hook: PreparedHook, agents: ReadonlySet<string>): Promise<PreparedHook> {
  if (hook.hook.events.includes("AgentPrompt"))
    throw new Error(`${hook.hook.name}: a hook on AgentPrompt would answer in place of the user`);
  // Until then its matcher is not the final one.
  await hook.loading;
  const { test } = hook;
  return {
    ...hook,
    test: (event) => agents.has(event.agent_id ?? "") && (test === undefined || test(event)),
    covers: () => false,
  };
}

type Definition = Parameters<ReturnType<typeof internals>["definitions"]["prepare"]>[0];

/** @throws Error when one of them would be left out: a missing gate would be open. */
async function definitionsIn({ hooks, kind, name }: OwnHooks): Promise<readonly Definition[]> {
  if (Array.isArray(hooks)) return hooks.map(checked).map((one) => ({ ...one, name: `${name}/${one.name}` }));
  if (!isRecord(hooks)) throw new Error("hooks must be a list of definitions, or hooks by event");
  const { hookEntries } = await import("../../../adapters/claude/import/entries.ts");
  const { importClaude } = await import("../../../adapters/claude/import/import.ts");
  const [unread] = hookEntries(hooks).unread;
  if (unread !== undefined) throw new Error(unread);
  return importClaude({ hooks, owner: { kind, name }, scriptsOf: () => [] }).hooks.flatMap(
    ({ definition, same_as, about, differences }) => {
      if (same_as !== undefined) return [];
      if (definition === undefined) throw new Error(`${about}: ${differences.join(" ")}`);
      return [checked(definition)];
    },
  );
}

function checked(definition: unknown): Definition {
  if (isDefinition(definition)) return definition;
  throw new Error("each hook must be an object with a name, a type and a matcher with events");
}

/** As far as names and messages need it; what prepares a definition checks all of it. */
function isDefinition(value: unknown): value is Definition {
  return (
    isRecord(value) &&
    typeof value.name === "string" &&
    typeof value.type === "string" &&
    isRecord(value.matcher) &&
    value.matcher.events !== undefined
  );
}

/** Agents of one hook set may have the same hooks at the same time. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
  taken.add(free);
  return free;
}
