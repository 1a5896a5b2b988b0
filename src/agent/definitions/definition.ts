import { didYouMean, nearestName } from "../../core/base/suggest.ts";
import type { Tool } from "../../core/contracts/tool.ts";
import type { ModelChoice } from "../model/agent-model.ts";
import type { OwnHooks } from "./skill.ts";

/** A kind of subagent. It can only narrow what its parent may do: nothing here adds a tool, a permission or a limit. */
export interface AgentDefinition {
  readonly name: string;
  /** What it is for, for the model that chooses one. */
  readonly description: string;
  /** Its system prompt. Default: its parent's. */
  readonly prompt?: string;
  /** Default: its parent's. */
  readonly model?: ModelChoice;
  /** The tools of its parent that it has. Default: all of them. */
  readonly tools?: readonly string[];
  /** Tools it does not have. */
  readonly disallowed_tools?: readonly string[];
  /** True: of those, only the ones that are annotated as reading only. */
  readonly read_only?: boolean;
  /** True: it begins with the conversation of the agent that starts it. Not for definitions in files. */
  readonly fork_context?: boolean;
  /** Fewer iterations than its parent may have. */
  readonly max_iterations?: number;
  /** Hooks that hold for it, in addition to those of its parent; from the front matter of its file. */
  readonly hooks?: OwnHooks;
  /** Why it can't be used. */
  readonly problem?: string;
  /** Possible mistakes of its author; shown whenever it is used. */
  readonly warnings?: readonly string[];
}

/** True for a tool that an agent with this definition has. `disallowed_tools` ignores case. */
export function allowsTool(
  { tools, disallowed_tools, read_only }: AgentDefinition,
  { name, annotations }: Pick<Tool, "name" | "annotations">,
): boolean {
  if (read_only === true && annotations?.read_only !== true) return false;
  if (tools !== undefined && !tools.includes(name)) return false;
  return disallowed_tools?.some((other) => other.toLowerCase() === name.toLowerCase()) !== true;
}

/** A sentence for each unknown tool of a definition whose name looks like a known one. */
export function misspeltTools(
  { name, tools = [], disallowed_tools = [] }: AgentDefinition,
  known: readonly string[],
): { readonly allowed: readonly string[]; readonly disallowed: readonly string[] } {
  const problems = (key: string, names: readonly string[], isKnown: (tool: string) => boolean) =>
    names
      .filter((tool) => !isKnown(tool) && nearestName(tool, known) !== undefined)
      .map((tool) => `${name}: ${key}: there is no tool ${JSON.stringify(tool)}.${didYouMean(tool, known)}`);
  const inAnyCase = known.map((tool) => tool.toLowerCase());
  return {
    allowed: problems("tools", tools, (tool) => known.includes(tool)),
    disallowed: problems("disallowed-tools", disallowed_tools, (tool) =>
      inAnyCase.includes(tool.toLowerCase()),
    ),
  };
}

/** The kinds by name; the first one wins. */
export function definitionsByName(
  ...lists: readonly (readonly AgentDefinition[])[]
): ReadonlyMap<string, AgentDefinition> {
  const found = new Map<string, AgentDefinition>();
  for (const definition of lists.flat())
    if (!found.has(definition.name)) found.set(definition.name, definition);
  return found;
}
