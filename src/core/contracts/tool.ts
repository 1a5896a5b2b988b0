import type { ContentPart } from "./content.ts";

/** What a tool does to the world, as permissions and the loop need to know it. */
export interface ToolAnnotations {
  /** Changes nothing: may run in parallel with others, and in plan mode. */
  readonly read_only?: boolean;
  /**
   * True: runs alone, after the calls before it and before those after it. False: may run in parallel with other calls of the
   * same message, although it changes something. Default: false for tools that only read.
   */
  readonly sequential?: boolean;
  /** May lose what was there. */
  readonly destructive?: boolean;
  /** The same call twice is the same as once. */
  readonly idempotent?: boolean;
  /** Changes files of the workspace and nothing else: what accept-edits lets pass. */
  readonly edits_files?: boolean;
  /** Reaches hosts outside this machine. */
  readonly open_world?: boolean;
}

/** What the commands of a hook or a tool can change, the loosest mode first. */
export const SANDBOX_MODES = ["off", "workspace-write", "read-only"] as const;

/** What the commands of a hook or a tool can change. */
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** The permission modes, the loosest first. */
export const PERMISSION_MODES = ["bypass", "accept-edits", "default", "dont-ask", "plan"] as const;

/** How far an agent may go without asking. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** The one of two modes in which less goes on without asking. */
export function stricterMode(one: PermissionMode, other: PermissionMode): PermissionMode {
  return isLooser(one, other) ? other : one;
}

/** True when more goes on without asking in the first than in the second. */
export function isLooser(one: PermissionMode, other: PermissionMode): boolean {
  return PERMISSION_MODES.indexOf(one) < PERMISSION_MODES.indexOf(other);
}

/** A question to the user, with options to choose from. */
export interface UserQuestion {
  readonly question: string;
  readonly header?: string;
  readonly options?: readonly { readonly label: string; readonly description?: string }[];
  readonly multi_select?: boolean;
}

/** What a subagent is to do. */
export interface TaskRequest {
  readonly agent_type: string;
  readonly task: string;
  readonly description: string;
  readonly resume_agent_id?: string;
  readonly run_in_background?: boolean;
}

/** Work that goes on after its call was answered. */
export interface BackgroundTask {
  /** The model names it by this: `bash_1a2b3c4d`, or the id of a subagent. */
  readonly id: string;
  /** The command, or what the subagent works on. */
  readonly title: string;
  /** What it has said from a position on, 0 at first, and the position after it. */
  read(from: number): { readonly text: string; readonly next: number };
  /** Calls the listener whenever it has said more; returns a function that removes the listener. */
  onOutput(listener: () => void): () => void;
  /** Ends it, with everything it started. Its result is delivered as always. */
  stop(): void;
}

export interface StartedTask extends BackgroundTask {
  readonly state: "running" | "ended";
  /** Resolves when it has ended; never rejects. */
  readonly ended: Promise<unknown>;
}

/** What the agent offers its tools. A tool that needs something else returns an error that says so. */
export interface ToolHost {
  readonly mode: PermissionMode;
  /** The mode that leaving plan mode leads back to. Default `default`. */
  readonly mode_before?: PermissionMode;
  /** A mark for the variables of programs: what they leave running is found by it when the agent is closed. */
  readonly mark?: string;
  /** Changes the mode once the user or a hook has agreed; otherwise `agreed` is false, with their feedback. */
  setMode?(
    mode: PermissionMode,
    plan?: string,
  ): Promise<{ readonly agreed: boolean; readonly feedback?: string }>;
  /** Asks the user and returns the answers by question. `undefined` when there is no user to ask. */
  askUser?(
    questions: readonly UserQuestion[],
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>> | undefined>;
  /** Runs or resumes a subagent. */
  startTask?(request: TaskRequest, signal: AbortSignal): Promise<ToolResult>;
  /**
   * Delivers the result of work that goes on after the call was answered. The promise never rejects. With a task, the model
   * can watch and stop it meanwhile.
   */
  deliverLater?(result: Promise<ToolResult>, task?: BackgroundTask): void;
  /** The tasks of the agent in the background, by id: those that go on, and those that have ended. */
  readonly tasks?: ReadonlyMap<string, StartedTask>;
  /** Aborted when the agent is closed: work that goes on after its call ends then, not with the call. */
  readonly lifetime?: AbortSignal;
  /** Loads a skill: puts its hooks in force and returns its instructions. */
  loadSkill?(skill: string, args: string): Promise<ToolResult>;
  /** The memory files of the agent, as absolute paths. */
  readonly memory_files?: readonly string[];
  /** The work list of the agent was replaced. */
  setTodos?(todos: readonly unknown[]): void;
}

/** A call of the conversation that came to a good end. */
export interface EarlierCall {
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  /** ISO time. */
  readonly called_at: string;
  /** ISO time. */
  readonly answered_at: string;
}

/** What a tool is given with its input. */
export interface ToolContext {
  readonly session_id: string;
  readonly agent_id: string;
  readonly tool_use_id: string;
  readonly cwd: string;
  /** The folders the tool is confined to; the first is the workspace itself. */
  readonly workspace: readonly string[];
  readonly signal: AbortSignal;
  readonly sandbox: SandboxMode;
  /** True for a file that permissions forbid to read, by its absolute path: searches leave it out. */
  readonly hides?: (path: string) => boolean;
  /** The variables of the agent. A tool that starts processes takes keys and tokens out. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Shows a piece of output while the tool runs. */
  readonly progress: (text: string, stream?: "stdout" | "stderr") => void;
  /** One map for all calls of an agent, for what a tool has to remember: which files were read, and how they were. */
  readonly memory: Map<string, unknown>;
  /** The calls of a conversation that was resumed, of which the memory does not know. */
  readonly earlier?: () => readonly EarlierCall[];
  readonly host: ToolHost;
}

/** What a preview is given with the input. */
export type PreviewContext = Pick<ToolContext, "cwd" | "workspace" | "signal">;

/** The result of a tool. */
export interface ToolResult {
  /** What the model reads: a string, or text with images and files. */
  readonly content: string | readonly ContentPart[];
  /** True: the call failed, though the tool itself did not throw. */
  readonly is_error?: boolean;
  /** The result as data, for hooks (`tool_response`); the content when it is not given. */
  readonly data?: unknown;
  /** What else the model should know. It reads this as it reads the context of hooks. */
  readonly additional_context?: string;
}

/** A result that is text alone. */
export interface TextResult extends ToolResult {
  readonly content: string;
}

/** Something an agent can do. */
export interface Tool {
  readonly name: string;
  /** What the model reads about it. */
  readonly description: string;
  /** JSON Schema of the input. */
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolAnnotations;
  /** True for a call that only reads, of a tool that else may change something: permissions take it for read-only. */
  reads?(input: Readonly<Record<string, unknown>>): boolean;
  /** `safe`: a call whose outcome was lost may run again. */
  readonly replay?: "safe";
  /**
   * What the call would do, for the human who is asked about it: a difference, for example. Changes nothing. Without a
   * preview, or when it fails, they see the input.
   */
  preview?(
    input: Readonly<Record<string, unknown>>,
    context: PreviewContext,
  ): string | undefined | Promise<string | undefined>;
  /**
   * Runs the call. The input fits the schema. Throwing is a failed call: the message is what the model reads.
   */
  run(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}
