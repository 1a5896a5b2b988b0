import { domainsOf } from "../../core/hosts.ts";
import { canonicalToolName } from "../../core/tool-names.ts";
import { callAnalysis } from "../../rules/run-field.ts";
import type { ShellAnalysis } from "../../rules/shell/analysis.ts";
import { missingForShell } from "../../rules/shell-analysis.ts";
import { shellTextsOf } from "../../rules/shell-text.ts";
import { type Subject, subjectOf } from "../../rules/subject.ts";
import { type Access, touchedBy, wildcardsBy } from "../../rules/touched.ts";
import type { PermissionCall, PermissionPorts } from "./permission-types.ts";

/** A call made ready to be judged: what it is and what it touches. */
export interface JudgedCall {
  readonly call: PermissionCall;
  /** Our name of the tool; a tool of an MCP server keeps its own, whatever it is called there. */
  readonly tool: string;
  readonly subject: Subject;
  /** What its shell text does; `undefined` when the call has none. */
  readonly shell: ShellAnalysis | undefined;
  /** The paths it touches, as written; `certain` leaves out what it merely may touch. */
  touched(access: Access, certain: boolean): readonly string[];
  /** Those among them that stand for several files. */
  wildcards(access: Access): readonly string[];
  /** Every host it names or talks to, in lower case and without a dot at the end. */
  hosts(): readonly string[];
}

/** Reads a call, after everything that takes was loaded. */
export async function judgedCall(call: PermissionCall, ports: PermissionPorts): Promise<JudgedCall> {
  const event = {
    hook_event_name: "PreToolUse",
    cwd: call.cwd,
    tool_name: call.tool_name,
    tool_input: call.tool_input,
  };
  const subject = subjectOf(event, ports.rules);
  for (const text of shellTextsOf(subject)) await missingForShell(text);
  return {
    call,
    tool: canonicalToolName(call.tool_name),
    subject,
    shell: callAnalysis(subject),
    touched: (access, certain) => touchedBy(subject, access, certain),
    wildcards: (access) => wildcardsBy(subject, access),
    hosts: () => [...new Set([...domainsOf(event), ...touchedBy(subject, "connects", false)])],
  };
}
