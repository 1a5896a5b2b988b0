import { didYouMean } from "../../core/base/suggest.ts";
import { TOOL_NAMES, toolSpellings } from "../../core/match/tool-names.ts";
import { atRule } from "../../rules/permissions/check-rule.ts";
import { parsePermissionRule, type SpecifierKind } from "../../rules/permissions/parse-rule.ts";
import { compileCommandRule } from "./command-rule.ts";
import { compileDomainRule } from "./domain-rule.ts";
import { compilePathRule } from "./path-rule.ts";
import type { PermissionRule } from "./permission-rule.ts";
import type { PermissionPorts } from "./permission-types.ts";
import { compileToolRule } from "./tool-rule.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Makes a rule ready.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` that names the rule.
 */
export function compilePermissionRule(
  given: unknown,
  ports: PermissionPorts,
  workspace: Workspace,
): PermissionRule {
  const parsed = parsePermissionRule(given);
  if (parsed.specifier === undefined) return compileToolRule(parsed);
  const { kind, value } = parsed.specifier;
  const compile: Readonly<Record<SpecifierKind, () => PermissionRule>> = {
    command: () => compileCommandRule(parsed.text, value),
    domain: () => compileDomainRule(parsed.text, value),
    reads: () => compilePathRule(parsed, "reads", value, ports, workspace),
    writes: () => compilePathRule(parsed, "writes", value, ports, workspace),
  };
  try {
    return compile[kind]();
  } catch (error) {
    throw atRule(error, parsed.text);
  }
}

/** Says of a rule that it names a tool which nobody knows but which is spelt almost like one, or nothing. */
export function misspelling(given: string): string | undefined {
  const { tool, text } = parsePermissionRule(given);
  if (Object.hasOwn(TOOL_NAMES, tool) || tool.startsWith("mcp__") || tool.includes("*")) return undefined;
  const near = didYouMean(tool, Object.keys(TOOL_NAMES).flatMap(toolSpellings));
  return near === ""
    ? undefined
    : `The permission rule ${JSON.stringify(text)} names no tool we know.${near}`;
}
