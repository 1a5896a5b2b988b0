import { didYouMean, nearestName } from "../../core/base/suggest.ts";
import type { ModelChoice } from "../model/agent-model.ts";

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

/** True for a tool that a definition leaves to an agent. What it takes away may be written in any case. */
export function allowsTool({ tools, disallowed_tools }: AgentDefinition, name: string): boolean {
  if (tools !== undefined && !tools.includes(name)) return false;
  return disallowed_tools?.some((other) => other.toLowerCase() === name.toLowerCase()) !== true;
}

/** A sentence for each tool that a definition leaves or takes away and nobody has, when its name looks like another's. */
export function misspeltTools(
  { name, tools = [], disallowed_tools = [] }: AgentDefinition,
  known: readonly string[],
): { readonly left: readonly string[]; readonly taken: readonly string[] } {
  const told = (key: string, names: readonly string[], isKnown: (tool: string) => boolean) =>
    names
      .filter((tool) => !isKnown(tool) && nearestName(tool, known) !== undefined)
      .map((tool) => `${name}: ${key}: there is no tool ${JSON.stringify(tool)}.${didYouMean(tool, known)}`);
  const inAnyCase = known.map((tool) => tool.toLowerCase());
  return {
    left: told("tools", tools, (tool) => known.includes(tool)),
    taken: told("disallowed-tools", disallowed_tools, (tool) => inAnyCase.includes(tool.toLowerCase())),
  };
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
