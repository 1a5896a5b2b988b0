import type { ModelChoice } from "../options.ts";

/** A kind of subagent. It can only narrow what its parent may do: nothing here adds a tool, a permission or a limit. */
export interface AgentDefinition {
  readonly name: string;
  /** What it is for, as the model that chooses reads it. */
  readonly description: string;
  /** Its system prompt. Default: its parent's. */
  readonly prompt?: string;
  /** Default: its parent's. */
  readonly model?: ModelChoice;
  /** The tools it has, of those of its parent. Default: all of them. */
  readonly tools?: readonly string[];
  /** Tools it does not have. */
  readonly disallowed_tools?: readonly string[];
  /** Fewer rounds than its parent may have. */
  readonly max_iterations?: number;
  /** Why it can't be used. */
  readonly problem?: string;
  /** What is not as its author may have meant it; told whenever it is used. */
  readonly warnings?: readonly string[];
}

/** The kind that is always there. */
export const GENERAL: AgentDefinition = {
  name: "general-purpose",
  description: "Works on any task with the tools of the agent that starts it.",
};

/** True for a tool that a definition leaves to an agent. */
export function allowsTool({ tools, disallowed_tools }: AgentDefinition, name: string): boolean {
  return (tools === undefined || tools.includes(name)) && disallowed_tools?.includes(name) !== true;
}

/** The kinds by name, the first given wins. */
export function definitionsByName(
  ...lists: readonly (readonly AgentDefinition[])[]
): ReadonlyMap<string, AgentDefinition> {
  const found = new Map<string, AgentDefinition>();
  for (const definition of lists.flat())
    if (!found.has(definition.name)) found.set(definition.name, definition);
  return found;
}
