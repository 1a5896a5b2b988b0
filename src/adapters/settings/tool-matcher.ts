import { canonicalToolName, TOOL_NAMES, toolSpellings, toolTest } from "../../core/match/tool-names.ts";
import { linearRegex } from "../../node/regex.ts";
import type { AgentTable } from "../codec/agent-table.ts";
import type { HookInForce } from "./agent-settings.ts";

/** How an agent calls its tools, and which of them a matcher can select. */
export interface ToolNaming {
  /** Its names of tools that have another one with us, or several. */
  readonly names: AgentTable["tools"];
  /** Its tools that change no file and start nothing; absent when an expression can't say "all but" (Rust, Go). */
  readonly changeNothing?: readonly string[];
  /** True when `A|B` selects exactly these tools; otherwise it is an expression that has to be anchored. */
  readonly lists?: true;
  /** True when tools of MCP servers are called `mcp__server__tool`. */
  readonly mcpNames?: true;
}

/**
 * The matcher for the tools that hooks want, in the agent's syntax; `undefined` when it has to call us for every tool.
 * Where it is not certain that nobody wants a tool, it is asked about.
 */
export function toolMatcher(
  naming: ToolNaming,
  hooks: readonly Pick<HookInForce, "tools" | "only_changes">[],
): string | undefined {
  const named = hooks.flatMap(({ tools }) => (tools === undefined ? [] : [tools]));
  const wide = hooks.filter(({ tools }) => tools === undefined);
  if (wide.length === 0) return matcherOf(naming, named.flat());
  const { changeNothing } = naming;
  if (changeNothing === undefined || wide.some(({ only_changes }) => only_changes !== true)) return undefined;
  const isWanted = toolTest(named.flat(), "tools", { regex: linearRegex });
  const rest = changeNothing.filter((tool) => !isWanted(tool));
  return rest.length === 0 ? undefined : `^(?!(?:${rest.join("|")})$)`;
}

function matcherOf(naming: ToolNaming, tools: readonly string[]): string | undefined {
  const names = new Set<string>();
  const globs = new Set<string>();
  for (const given of tools) {
    // Our expressions are not those of JavaScript.
    if (given.startsWith("/")) return undefined;
    for (const name of given.split("|").map((one) => one.trim())) {
      if (!/^[\w*-]+$/.test(name)) return undefined;
      if (!naming.mcpNames && (name.startsWith("mcp__") || name.includes("*"))) return undefined;
      for (const own of ownNames(naming, name)) names.add(own);
      if (name.includes("*")) globs.add(name.replaceAll("*", ".*"));
    }
  }
  const all = [...[...names].sort(), ...[...globs].sort()].join("|");
  return globs.size === 0 && naming.lists === true ? all : `^(?:${all})$`;
}

/** The agent's names of the known tools that a name or glob fits; a tool we do not know has one name. */
function ownNames(naming: ToolNaming, name: string): readonly string[] {
  if (!name.includes("*")) return namesOf(naming, canonicalToolName(name));
  const fits = toolTest([name], "tools", {});
  return Object.keys(TOOL_NAMES)
    .filter((tool) => toolSpellings(tool).some(fits))
    .flatMap((tool) => namesOf(naming, tool));
}

function namesOf({ names = {} }: ToolNaming, tool: string): readonly string[] {
  return (Object.hasOwn(names, tool) ? names[tool] : undefined) ?? [tool];
}

/** True unless one matcher certainly fits everything that the other does. */
export function isNarrower(matcher: unknown, than: string | undefined): boolean {
  if (matcher === undefined) return false;
  const [given, wanted] = [partsOf(matcher), partsOf(than)];
  if (given === undefined || wanted === undefined) return true;
  if (given.except) {
    const left = wanted.except ? given.names.filter((name) => !wanted.names.includes(name)) : given.names;
    return wanted.except ? left.length > 0 : given.names.some((name) => wanted.names.includes(name));
  }
  return wanted.except || wanted.names.some((name) => !given.names.includes(name));
}

/** The names that a matcher of ours fits, or all but which. */
function partsOf(
  matcher: unknown,
): { readonly names: readonly string[]; readonly except: boolean } | undefined {
  if (typeof matcher !== "string") return undefined;
  const except = /^\^\(\?!\(\?:([\w|]+)\)\$\)$/.exec(matcher)?.[1];
  if (except !== undefined) return { names: except.split("|"), except: true };
  const only = /^\^\(\?:([\w|.-]+)\)\$$/.exec(matcher)?.[1] ?? matcher;
  return /^[\w|.-]+$/.test(only) ? { names: only.split("|"), except: false } : undefined;
}
