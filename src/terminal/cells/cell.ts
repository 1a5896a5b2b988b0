import type { HookRun } from "../../core/decide/decision.ts";
import type { Output } from "./output.ts";

export type Input = Readonly<Record<string, unknown>>;

/** What happened, as one thing to look at. Plain data: how it looks is the business of `draw/`. */
export type Cell =
  /** What the user typed. */
  | { readonly type: "user"; readonly text: string }
  /** A part of an answer, in Markdown. */
  | { readonly type: "text"; readonly text: string }
  | ToolCell
  | HookCell
  /** Text of a hook that joined or started a turn. */
  | { readonly type: "hook_input"; readonly hook: string; readonly text: string }
  /** A turn that a hook or a client started. */
  | { readonly type: "turn"; readonly turn: number; readonly hook: string }
  /** What a hook added to the conversation. */
  | { readonly type: "context"; readonly hook: string; readonly text: string }
  | NoticeCell
  /** Lines of the command that shows the conversation. */
  | { readonly type: "lines"; readonly lines: readonly string[] }
  /** What a command of the chat printed, in two columns. */
  | { readonly type: "table"; readonly rows: readonly TableRow[] };

export type TableRow = readonly [title: string, text: string];

export interface NoticeCell {
  readonly type: "notice";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}

/** What a hook did with a call. */
export interface CallNote {
  readonly tone: "refusal" | "change" | "info";
  readonly text: string;
  readonly reason?: string;
}

export interface ToolCell {
  readonly type: "tool";
  readonly id: string;
  readonly name: string;
  readonly input: Input;
  readonly notes: readonly CallNote[];
  readonly output: Output;
  readonly started: number;
  /** True while a human is asked about it. */
  readonly waits?: boolean;
  readonly end?: ToolEnd;
  /** A rewritten call shows what it was, and who changed it. */
  readonly rewritten?: { readonly by: string; readonly before: Input };
  /** What a subagent does, when the call started one. */
  readonly inside: readonly ToolCell[];
}

export interface ToolEnd {
  /** `unknown`: an earlier process called it and ended before the result was stored. */
  readonly state: "ok" | "failed" | "denied" | "interrupted" | "not_run" | "unknown";
  readonly content: string;
  readonly duration_ms: number;
}

export interface HookCell {
  readonly type: "hook";
  readonly id: string;
  /** `TurnStart`, `Stop`. */
  readonly event: string;
  /** Its name; empty for a program of `.agent/hook.toml`. */
  readonly hook: string;
  readonly command?: readonly string[];
  readonly output: Output;
  readonly started: number;
  readonly run?: HookRun;
}

/** True when nothing can change it any more. */
export function isFinished(cell: Cell): boolean {
  if (cell.type === "tool") return cell.end !== undefined;
  return cell.type !== "hook" || cell.run !== undefined;
}
