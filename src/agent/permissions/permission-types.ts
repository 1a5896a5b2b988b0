import type { PermissionMode, ToolAnnotations } from "../../core/contracts/tool.ts";
import type { PathNormaliser } from "../../core/match/paths.ts";
import type { RulePorts } from "../../rules/fields/subject.ts";
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
