import { TenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { internals } from "../../core/internals.ts";
import { compileNames, selectedTools, TOOL_NAMES } from "../../core/match/tool-names.ts";
import { type AgentSession, emit } from "./session/session.ts";

interface Named {
  readonly tool: string;
  /** `Hook "x" is for` … */
  readonly where: string;
  /** True where tools of other agents may be meant too: in files and packs, which serve several agents. */
  readonly shared: boolean;
}

/**
 * Tells the user of tools that hooks, rules and permissions name and the agent does not have: nothing would ever come of them.
 *
 * @throws TenterhookError `unknown_tool` if the agent is `strict`.
 */
export function tellUnknownTools(session: AgentSession): void {
  // A subagent has some of the tools only, under the same hooks.
  if (session.identity.parent_agent_id !== undefined) return;
  const { toolbox, options, warned } = session;
  const names = [...toolbox.tools.keys()];
  const known = new Set(names.flatMap(selectedTools));
  for (const { tool, where, shared } of namedTools(session)) {
    const selected = selectedTools(tool);
    if (selected.some((name) => known.has(name))) continue;
    if (shared && selected.some((name) => Object.hasOwn(TOOL_NAMES, name))) continue;
    const text = `${where} the tool ${JSON.stringify(tool)}, which this agent does not have.${didYouMean(tool, names)}`;
    if (options.strict === true) throw new TenterhookError("unknown_tool", text);
    if (warned.has(text)) continue;
    warned.add(text);
    emit(session, { type: "notice", text, level: "warning" });
  }
}

function namedTools({ hooks, options }: AgentSession): readonly Named[] {
  const inHooks = internals(hooks)
    .registry.all()
    .flatMap(({ hook, handler, enabled }) => {
      if (!enabled) return [];
      const shared = handler.type !== "function";
      const name = JSON.stringify(hook.name);
      return [
        ...exactNames(hook.matcher.tools).map((tool) => ({ tool, where: `Hook ${name} is for`, shared })),
        ...(handler.tools ?? []).map((tool) => ({ tool, where: `A rule of hook ${name} names`, shared })),
      ];
    });
  const inPermissions = (options.permissions?.tools ?? []).map((tool) => ({
    tool,
    where: "A permission rule names",
    shared: true,
  }));
  return [...inHooks, ...inPermissions];
}

/** Without patterns, which may fit tools of later. */
function exactNames(tools: string | readonly string[] = []): readonly string[] {
  const plain = [tools].flat().filter((name) => !name.startsWith("/"));
  return [...compileNames(plain, undefined, "tools").exact];
}
