import { canonicalToolName, TOOL_NAMES } from "../core/tool-names.ts";
import type { RuleEvent, Subject } from "./subject.ts";
import { readPath } from "./values.ts";

/** The fields of a tool's input that hold shell text, by the agents' names for them. */
export const SHELL_FIELDS = ["command", "cmd", "command_line", "commandLine", "CommandLine", "argv"] as const;

/** The shell text of the call, or `undefined` when the call is none of a shell. */
export function shellTextOf(subject: Subject): string | undefined {
  const { found } = subject;
  if (found.shellText === undefined) found.shellText = findShellText(subject.event) ?? null;
  return found.shellText ?? undefined;
}

/** Our name of the tool an event is about; of an MCP tool, our name of what follows the server. */
export function toolOf(event: RuleEvent): string | undefined {
  const name = readPath(event, ["tool_name"]) ?? readPath(event, ["tool"]);
  if (typeof name !== "string") return undefined;
  return canonicalToolName(name.startsWith("mcp__") ? name.slice(name.lastIndexOf("__") + 2) : name);
}

/** True for a tool of the table, so that what it does is known. */
export function isKnownTool(tool: string): boolean {
  return Object.hasOwn(TOOL_NAMES, tool);
}

/** Where in the event the shell text stands. */
export function shellFieldOf(event: RuleEvent): readonly string[] | undefined {
  const tool = toolOf(event);
  if (tool !== undefined && tool !== "Bash" && isKnownTool(tool)) return undefined;
  const input = readPath(event, ["tool_input"]);
  if (tool === "Bash" && typeof input === "string") return ["tool_input"];
  const from = input === undefined ? event : input;
  const field = SHELL_FIELDS.find((name) => shellJoined(readPath(from, [name])) !== undefined);
  if (field === undefined) return undefined;
  return input === undefined ? [field] : ["tool_input", field];
}

/** A value as shell text: a text is itself, a list of arguments is quoted so that a shell would split it the same. */
export function shellJoined(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return undefined;
  return value.map(quoted).join(" ");
}

function findShellText(event: RuleEvent): string | undefined {
  const field = shellFieldOf(event);
  return field === undefined ? undefined : shellJoined(readPath(event, field));
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
