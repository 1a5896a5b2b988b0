import { canonicalToolName, TOOL_NAMES, toolSpellings } from "../../core/match/tool-names.ts";
import { toolTest } from "../../core/registration/matcher.ts";
import { linearRegex } from "../../node/regex.ts";
import type { HookInForce } from "../settings/agent-settings.ts";

/** Claude Code's names of tools that have another one with us, or several. */
const ITS_NAMES: Readonly<Record<string, readonly string[]>> = {
  Bash: ["Bash", "PowerShell"],
  Edit: ["Edit", "MultiEdit"],
  Task: ["Agent", "Task"],
};

/** Tools of Claude Code that change no file and start nothing. */
const CHANGE_NOTHING: readonly string[] = [
  "AskUserQuestion",
  "BashOutput",
  "EnterPlanMode",
  "ExitPlanMode",
  "Glob",
  "Grep",
  "LS",
  "ListMcpResourcesTool",
  "NotebookRead",
  "Read",
  "ReadMcpResourceTool",
  "TodoRead",
  "TodoWrite",
  "ToolSearch",
  "WebFetch",
  "WebSearch",
];

/**
 * The matcher for the tools that hooks want, in Claude Code's syntax; `undefined` when it has to call us for every tool.
 * Where it is not certain that nobody wants a tool, it is asked about.
 */
export function toolMatcher(
  hooks: readonly Pick<HookInForce, "tools" | "only_changes">[],
): string | undefined {
  const named = hooks.flatMap(({ tools }) => (tools === undefined ? [] : [tools]));
  const wide = hooks.filter(({ tools }) => tools === undefined);
  if (wide.length === 0) return matcherOf(named.flat());
  if (wide.some(({ only_changes }) => only_changes !== true)) return undefined;
  const isWanted = toolTest(named.flat(), "tools", { regex: linearRegex });
  const rest = CHANGE_NOTHING.filter((tool) => !isWanted(tool));
  return rest.length === 0 ? undefined : `^(?!(?:${rest.join("|")})$)`;
}

function matcherOf(tools: readonly string[]): string | undefined {
  const names = new Set<string>();
  const globs = new Set<string>();
  for (const given of tools) {
    // Our expressions are not those of JavaScript.
    if (given.startsWith("/")) return undefined;
    for (const name of given.split("|").map((one) => one.trim())) {
      if (!/^[\w*-]+$/.test(name)) return undefined;
      for (const own of ownNames(name)) names.add(own);
      if (name.includes("*")) globs.add(name.replaceAll("*", ".*"));
    }
  }
  const all = [...[...names].sort(), ...[...globs].sort()].join("|");
  return globs.size === 0 ? all : `^(?:${all})$`;
}

/** Claude Code's names of the known tools that a name or glob fits; a tool we do not know has one name. */
function ownNames(name: string): readonly string[] {
  if (!name.includes("*")) return namesOf(canonicalToolName(name));
  const fits = toolTest([name], "tools", {});
  return Object.keys(TOOL_NAMES)
    .filter((tool) => toolSpellings(tool).some(fits))
    .flatMap(namesOf);
}

function namesOf(tool: string): readonly string[] {
  return (Object.hasOwn(ITS_NAMES, tool) ? ITS_NAMES[tool] : undefined) ?? [tool];
}

/** The names of the files that Claude Code has to watch, wherever they are; `undefined` when hooks do not name them. */
export function fileMatcher(hooks: readonly Pick<HookInForce, "files">[]): string | undefined {
  const names = hooks.flatMap(({ files = [] }) => files).filter((name) => /^[^/*?[\]{}\\|]+$/.test(name));
  return names.length === 0 ? undefined : [...new Set(names)].sort().join("|");
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
  return /^[\w|.-]+$/.test(matcher) ? { names: matcher.split("|"), except: false } : undefined;
}
