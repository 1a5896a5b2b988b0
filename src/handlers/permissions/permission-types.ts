import type { PermissionMode, Tool, ToolAnnotations } from "../../core/contracts/tool.ts";
import type { ToolInput } from "../../core/contracts/tool-types.ts";
import type { PathNormaliser } from "../../core/match/paths.ts";
import type { RulePorts } from "../../rules/fields/judged-event.ts";
import type { FilesBelow } from "./files-below.ts";

/** A tool call to decide. */
export interface RequestedCall {
  readonly tool_name: string;
  readonly tool_input: unknown;
  /** Where relative paths of the call start. */
  readonly cwd: string;
  /** What the tool does; without them it may do anything. */
  readonly annotations?: ToolAnnotations | undefined;
  /** The mode of the calling agent. Default: the mode of the settings. */
  readonly mode?: PermissionMode;
}

export interface PermissionDecision {
  readonly action: "allow" | "ask" | "deny";
  /** Why, in a sentence that the user and the model can read. */
  readonly reason: string;
  /** The rule that decided, or several for a shell line. */
  readonly rule?: string;
}

/** The key `permissions` of a configuration. */
export interface PermissionSettings {
  /** Decides calls without a rule. Default `default`. */
  readonly mode?: PermissionMode;
  /** Calls that are refused, in every mode. */
  readonly deny?: readonly string[];
  /** Calls a human is asked about, also in bypass. */
  readonly ask?: readonly string[];
  /** Calls that are allowed without asking. */
  readonly allow?: readonly string[];
}

export interface PermissionPorts {
  readonly paths: PathNormaliser;
  readonly rules: RulePorts;
  /** Searches the folders that a command walks. */
  readonly filesBelow: FilesBelow;
  /** The folders the agent works in; relative patterns start from each of them. */
  readonly workspace: readonly string[];
}

/** A call that permissions judge. */
export interface PermissionCall {
  readonly tool_name: string;
  readonly tool_input: ToolInput;
  readonly tool?: Tool;
  readonly mode: PermissionMode;
  readonly cwd: string;
  readonly workspace: readonly string[];
}

/** What permissions say about a call, and the rule that says it. */
export interface PermissionVerdict {
  readonly action: "allow" | "ask" | "deny";
  readonly reason?: string;
  /** The rule that decided, if one did: its ask remains even if a hook allows the call. */
  readonly rule?: string;
  /** What a human could grant, for the PermissionRequest event. */
  readonly suggestions?: readonly unknown[];
}

/** Decides about the final input of every call, after the hooks; nobody can lift a deny. A rejection is a deny. */
export interface Permissions {
  check(call: PermissionCall, signal: AbortSignal): PermissionVerdict | Promise<PermissionVerdict>;
  /** The tools that its rules name, without patterns. */
  readonly tools?: readonly string[];
  /** Called when a human grants exactly this call for the rest of the session. */
  grant?(call: PermissionCall): void;
  /** The loosest mode that agents may be in now, for a configuration that can become stricter. */
  bound?(): PermissionMode | undefined;
  /** True for a file that must not be read: searches skip it. */
  hides?(path: string, place: Pick<PermissionCall, "cwd" | "workspace">): boolean;
}
