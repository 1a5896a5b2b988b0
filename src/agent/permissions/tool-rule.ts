import { compileGlob } from "../../core/match/glob.ts";
import { canonicalToolName, toolSpellings } from "../../core/match/tool-names.ts";
import { asGlob, type ParsedRule } from "../../rules/permissions/parse-rule.ts";
import type { PermissionRule } from "./permission-rule.ts";

/** The tools that a rule for one of them is about too. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  Read: ["Read", "LS", "Glob", "Grep"],
  Edit: ["Edit", "Write", "NotebookEdit", "ApplyPatch"],
};

/** The tools a rule for this one may allow. */
export function coveredTools(tool: string): readonly string[] {
  return (Object.hasOwn(FAMILIES, tool) ? FAMILIES[tool] : undefined) ?? [tool];
}

/** A rule for every call of a tool, of all tools of an MCP server (`mcp__server`), or of tools by a glob. */
export function compileToolRule({ text, tool }: ParsedRule): PermissionRule {
  const named = toolTest(tool);
  const covered = coveredTools(tool);
  // To delete a file is to change it, but who may edit a file may not yet delete it.
  const concerned = tool === "Edit" ? [...covered, "Delete"] : covered;
  return {
    text,
    concerns: (judged) => {
      const names = [judged.call.tool_name, ...toolSpellings(judged.call.tool_name)];
      return concerned.includes(judged.tool) || names.some(named) ? "yes" : "no";
    },
    covers: (judged) => covered.includes(judged.tool) || named(judged.tool),
  };
}

function toolTest(tool: string): (name: string) => boolean {
  // The names of servers have no double underscore, so that what follows the first one is the tool.
  if (/^mcp__(?:(?!__).)+$/s.test(tool) && !tool.includes("*")) return (name) => name.startsWith(`${tool}__`);
  if (!tool.includes("*")) return (name) => canonicalToolName(name) === tool;
  return compileGlob(asGlob(tool), { kind: "text" });
}
