import { ignore } from "../base/error-text.ts";
import type { AnyEvent } from "../events/payloads.ts";
import type { Decision, HookRun } from "./decision.ts";

interface RunEventBase {
  /** The same for the begin, the outputs and the end of one run. */
  readonly run_id: string;
  readonly hook: string;
  readonly hook_event_name: string;
  readonly event_id: string;
  readonly session_id: string;
  /** The tool call the event belongs to, when it belongs to one. */
  readonly tool_use_id?: string;
  /** What a program of `.agent/hook.toml` is, and where it runs. No decision has its run. */
  readonly program?: { readonly command: readonly string[]; readonly cwd: string };
}

/** What observers learn about a hook's run. Every begin has an end, also on timeout and cancel. */
export type RunEvent =
  | (RunEventBase & {
      readonly type: "begin";
      readonly handler: string;
      readonly started_at: string;
      readonly recheck: boolean;
    })
  | (RunEventBase & { readonly type: "output"; readonly stream: "stdout" | "stderr"; readonly text: string })
  | (RunEventBase & { readonly type: "end"; readonly run: HookRun });

/** Is notified of runs. What it throws is ignored: watching must not change what is watched. */
export type RunObserver = (event: RunEvent) => unknown;

/** An event, as its first hook saw it, with its decision. */
export interface Decided {
  readonly event: AnyEvent;
  readonly decision: Decision;
}

/** Is notified of decisions, also of those no hook took part in. What it throws is ignored. */
export type DecisionObserver = (decided: Decided) => unknown;

/** What `hooks.observe` takes: whom to notify of what. */
export interface Observer {
  /** Every hook run: its begin, its live output, its end. */
  readonly onRun?: RunObserver;
  /** Every decision, also of events that no hook matches, just before the caller gets it. */
  readonly onDecision?: DecisionObserver;
}

/** Notifies observers. What they throw is ignored. */
export function notify<Notice>(observers: Iterable<(notice: Notice) => unknown>, notice: Notice): void {
  for (const observer of observers) {
    try {
      ignore(observer(notice));
    } catch {
      // See RunObserver.
    }
  }
}
