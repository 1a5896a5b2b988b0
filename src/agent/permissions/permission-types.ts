import type { PermissionMode, ToolAnnotations } from "../../core/contracts/tool.ts";
import type { PathNormaliser } from "../../core/match/paths.ts";
import type { RulePorts } from "../../rules/fields/subject.ts";
import type { FilesBelow } from "./files-below.ts";

/** A call of a tool, as permissions judge it. */
export interface RequestedCall {
  readonly tool_name: string;
  readonly tool_input: unknown;
  /** Where relative paths of the call start. */
  readonly cwd: string;
  /** What the tool does to the world; without them it may do anything. */
  readonly annotations?: ToolAnnotations | undefined;
  /** The mode of the agent that calls, when that is another than the one that was set. */
  readonly mode?: PermissionMode;
}

/** What is done with a call. */
export interface PermissionDecision {
  readonly action: "allow" | "ask" | "deny";
  /** Why, in a sentence that the user and the model can read. */
  readonly reason: string;
  /** The rule that decided, as written; several when a line needed several. */
  readonly rule?: string;
}

/** The key `permissions` of a configuration. */
export interface PermissionSettings {
  /** What is done without a rule. Default `default`. */
  readonly mode?: PermissionMode;
  /** Calls that are refused, in every mode. */
  readonly deny?: readonly string[];
  /** Calls a human is asked about, also in bypass. */
  readonly ask?: readonly string[];
  /** Calls that go on without asking. */
  readonly allow?: readonly string[];
}

/** What permissions need from outside. */
export interface PermissionPorts {
  readonly paths: PathNormaliser;
  readonly rules: RulePorts;
  /** Looks through the folders that a command goes through. */
  readonly filesBelow: FilesBelow;
  /** The folders the agent works in; relative patterns start from each of them. */
  readonly workspace: readonly string[];
}
