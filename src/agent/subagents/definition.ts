import { didYouMean, nearestName } from "../../core/base/suggest.ts";
import type { ModelChoice } from "../model/agent-model.ts";

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
  /** Fewer iterations than its parent may have. */
  readonly max_iterations?: number;
  /** Why it can't be used. */
  readonly problem?: string;
  /** Possible mistakes of its author; shown whenever it is used. */
  readonly warnings?: readonly string[];
}

/** The kind that always exists. */
export const GENERAL: AgentDefinition = {
  name: "general-purpose",
  description: "Works on any task with the tools of the agent that starts it.",
};

/**
 * Why a file of the workspace can't define a kind with this name: it is the name of a built-in kind, or looks like it.
 * Nobody has trusted the file.
 */
export function builtInProblem(name: string): string | undefined {
  if (plainName(name) === plainName(GENERAL.name))
    return `${JSON.stringify(GENERAL.name)} is built in; give the definition another name.`;
  if (
    /\p{Script=Latin}/u.test(name) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(name)
  )
    return "its name mixes alphabets, so that it looks like another one.";
  return undefined;
}

/** Letters and digits only, however they are encoded. */
function plainName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** True for a tool that an agent with this definition has. `disallowed_tools` ignores case. */
export function allowsTool({ tools, disallowed_tools }: AgentDefinition, name: string): boolean {
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
