import type { AgentItem, AgentResult, AskApproval, AskUser, SteerResult } from "../../agent.ts";
import type { AnswerTime } from "../../core/contracts/approval.ts";

/** Which conversation to open. */
export type Opening =
  | { readonly type: "new" }
  | { readonly type: "resume"; readonly id: string }
  | { readonly type: "fork"; readonly id: string; readonly turn?: number };

/** What an agent needs of the screen. */
export interface ChatHost {
  readonly onItem: (item: AgentItem) => void;
  readonly approval: AskApproval;
  readonly askUser: AskUser;
  /** Shows a warning. */
  readonly report: (text: string) => void;
}

/** An opened conversation. */
export interface ChatSession {
  readonly agent_id: string;
  readonly model: string;
  readonly mode: string;
  /** How many hooks are in force. */
  hookCount(): number;
  /** How long a human has for an answer; `undefined` for any time. */
  readonly answer_time?: AnswerTime;
  /** What was said before. */
  readonly earlier: readonly EarlierMessage[];
  /** True when a turn was cut off: `run` without a text completes it. */
  readonly unfinished: boolean;
  run(text: string | undefined): Promise<AgentResult>;
  steer(text: string): Promise<SteerResult>;
  interrupt(): void;
  compact(): Promise<Compacted>;
  switchModel(name: string): Promise<void>;
  close(): Promise<void>;
}

/** What became of a wish for a summary; who stopped it has said so. */
export type Compacted = "done" | "too little" | "stopped";

export interface EarlierMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface HookRow {
  readonly name: string;
  /** `on`, `off`, `shadow`, `not trusted`. */
  readonly state: string;
  readonly events: string;
}

export interface SessionRow {
  readonly id: string;
  readonly updated_at: string;
  readonly title: string;
}

export type HookSwitch = "enable" | "disable" | "shadow";

/** What the chat needs of the command line. */
export interface ChatPort {
  readonly folder: string;
  open(opening: Opening, host: ChatHost): Promise<ChatSession>;
  /** The sessions of this folder, the newest first. */
  sessions(): Promise<readonly SessionRow[]>;
  hooks(): Promise<readonly HookRow[]>;
  /** Switches a hook or a pack on, off, or into shadow mode. Returns what was changed, as a sentence. */
  switchHook(name: string, to: HookSwitch): Promise<string>;
  /** The files and folders whose paths begin like this. */
  files(begin: string): Promise<readonly string[]>;
  /** What the user typed in earlier chats, the newest last. */
  readonly history: readonly string[];
  remember(text: string): void;
  now(): number;
}
