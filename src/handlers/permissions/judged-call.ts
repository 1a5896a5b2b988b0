import { canonicalToolName } from "../../core/match/tool-names.ts";
import { domainsOf } from "../../core/match/url-hosts.ts";
import type { JudgedEvent } from "../../rules/fields/judged-event.ts";
import { callAnalysis, missingForShell } from "../../rules/fields/shell-analysis.ts";
import { readShell } from "../../rules/fields/shell-text.ts";
import { inShellFolders, touchedBy } from "../../rules/fields/touched.ts";
import type { ShellAnalysis, ShellCommand, ShellReach } from "../../rules/shell/analysis.ts";
import type { PermissionPorts, RequestedCall } from "./permission-types.ts";

export interface JudgedCall {
  readonly call: RequestedCall;
  /** Our name of the tool; a tool of an MCP server has its own. */
  readonly tool: string;
  readonly subject: JudgedEvent;
  /** What its shell text does; `undefined` when the call has none. */
  readonly shell: ShellAnalysis | undefined;
  /** What its commands reach by walking folders; so does a tool that deletes a folder. */
  reaches(access: "reads" | "writes"): readonly ShellReach[];
  /** Every host it names or connects to, in lower case and without a dot at the end. */
  hosts(): readonly string[];
}

/** Whether a rule is about a call; `maybe` when a part of the call is unknown. */
export type Fit = "yes" | "maybe" | "no";

/** A compiled rule. As a deny or ask it is read widely, as an allow narrowly. */
export interface PermissionRule {
  readonly text: string;
  /** As a deny or ask: is the call, or any part of it, what the rule is about? */
  concerns(judged: JudgedCall): Fit;
  /** As an allow: is everything the call does what the rule is about? */
  covers(judged: JudgedCall): boolean;
  /** As an allow: is this one command of a shell line what the rule is about? */
  coversCommand?(command: ShellCommand): boolean;
  /** As an allow: may this file be edited? For the files that a shell line writes by redirection. */
  coversEdit?(path: string, cwd: string): boolean;
  /** As a deny: does it forbid reading this file? */
  hides?(path: string, cwd: string): boolean;
}

/** Analyses a call, after loading what that needs. */
export async function judgedCall(call: RequestedCall, ports: PermissionPorts): Promise<JudgedCall> {
  const event = {
    hook_event_name: "PreToolUse",
    cwd: call.cwd,
    tool_name: call.tool_name,
    tool_input: call.tool_input,
  };
  const subject: JudgedEvent = { event, ports: ports.rules };
  const tool = canonicalToolName(call.tool_name);
  const { texts, unreadable } = readShell(event);
  let shell: ShellAnalysis | undefined;
  if (texts.length > 0 || unreadable) {
    await missingForShell(texts);
    shell = callAnalysis(subject);
  }
  return {
    call,
    tool,
    subject,
    shell,
    reaches: (access) =>
      tool === "Delete"
        ? touchedBy(subject, access, false).map((path) => ({ access, path, except: [], certain: true }))
        : reachedBy(subject, shell, access),
    hosts: () => [...new Set([...domainsOf(event), ...touchedBy(subject, "connects", false)])],
  };
}

function reachedBy(
  subject: JudgedEvent,
  shell: ShellAnalysis | undefined,
  access: "reads" | "writes",
): readonly ShellReach[] {
  const reaches = shell?.commands.flatMap((command) => command.reaches ?? []) ?? [];
  return reaches
    .filter((reach) => reach.access === access)
    .flatMap((reach) => inShellFolders(subject, [reach.path]).map((path) => ({ ...reach, path })));
}
