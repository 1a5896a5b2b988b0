import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { compileGlob } from "../../core/match/glob.ts";
import { canonicalToolName, TOOL_NAMES, toolSpellings } from "../../core/match/tool-names.ts";
import { canonicalHost } from "../../core/match/url-hosts.ts";
import {
  asGlob,
  atRule,
  type ParsedRule,
  parsePermissionRule,
  readHost,
  type SpecifierKind,
} from "../../rules/permissions/parse-rule.ts";
import { compileCommandRule } from "./command-rule.ts";
import type { PermissionRule } from "./judged-call.ts";
import { compilePathRule, coveredTools } from "./path-rule.ts";
import type { PermissionPorts } from "./permission-types.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Compiles a rule.
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

/** A warning about a rule whose tool is unknown and spelt almost like a known one. */
export function misspelling(given: string): string | undefined {
  const { tool, text } = parsePermissionRule(given);
  if (Object.hasOwn(TOOL_NAMES, tool) || tool.startsWith("mcp__") || tool.includes("*")) return undefined;
  const near = didYouMean(tool, Object.keys(TOOL_NAMES).flatMap(toolSpellings));
  return near === ""
    ? undefined
    : `The permission rule ${JSON.stringify(text)} names an unknown tool.${near}`;
}

/** The tool that a rule names; `undefined` for a pattern, and for all tools of an MCP server. */
export function namedTool(given: string): string | undefined {
  const { tool } = parsePermissionRule(given);
  return tool.includes("*") || /^mcp__(?!.*__)/.test(tool) ? undefined : tool;
}

/** A rule for every call of a tool, of all tools of an MCP server (`mcp__server`), or of tools by a glob. */
function compileToolRule({ text, tool }: ParsedRule): PermissionRule {
  const named = toolTest(tool);
  const covered = coveredTools(tool);
  // Deleting a file changes it, but leave to edit a file is not leave to delete it.
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
  // Names of servers have no double underscore, so the tool follows the first one.
  if (/^mcp__(?:(?!__).)+$/s.test(tool) && !tool.includes("*")) return (name) => name.startsWith(`${tool}__`);
  if (!tool.includes("*")) return (name) => canonicalToolName(name) === tool;
  return compileGlob(asGlob(tool), { kind: "text" });
}

/**
 * A rule for hosts: `domain:example.com` is that host alone, `domain:*.example.com` every host below it. As a deny or ask
 * it is about every call that names or connects to such a host, `curl` included; as an allow only about a fetch of a plain
 * http or https address.
 *
 * @throws TenterhookError `bad_permission` for anything but one host.
 */
function compileDomainRule(text: string, value: string): PermissionRule {
  const fits = compileHost(text, value);
  return {
    text,
    concerns: (judged) => {
      const hosts = judged.hosts();
      if (hosts.some((host) => fits(canonicalHost(host)))) return "yes";
      return judged.shell?.dynamic === true || hosts.some((host) => /[$*]/.test(host)) ? "maybe" : "no";
    },
    covers: (judged) => {
      if (judged.tool !== "WebFetch" || !isPlainAddress(judged.call.tool_input)) return false;
      const hosts = judged.hosts();
      return hosts.length > 0 && hosts.every(fits);
    },
  };
}

function compileHost(text: string, value: string): (host: string) => boolean {
  const { host, below } = readHost(text, value);
  return below ? (other) => other.endsWith(`.${host}`) : (other) => other === host;
}

/** True for an http or https address without a user and without a dot at the end of the host. */
function isPlainAddress(input: unknown): boolean {
  const address = isRecord(input) ? input.url : undefined;
  if (typeof address !== "string" || !URL.canParse(address)) return false;
  const { protocol, username, password, hostname } = new URL(address);
  return /^https?:$/.test(protocol) && username === "" && password === "" && !hostname.endsWith(".");
}
