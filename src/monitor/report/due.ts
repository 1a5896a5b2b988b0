import { capText } from "../../core/base/text.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import type { PendingAction } from "../../shared/monitor/pending-action.ts";
import type { MonitorSettings } from "../../shared/monitor/settings.ts";
import { secondsIn, type TriggerSettings, triggerOf } from "../../shared/monitor/trigger-settings.ts";
import type { TriggerName } from "../../shared/monitor/triggers.ts";
import { askForSignal } from "./stop-signals.ts";

/** The seconds that an agent does nothing before it is idle, between two attempts, and for the command of a check. */
export const DEFAULT_SECONDS = { grace: 60, cooldown: 60, check: 30 } as const;
const DEFAULT_ATTEMPTS = 1;

/** What the monitor looks at besides the agent's status. Times are in milliseconds. */
export interface Facts {
  readonly now: number;
  readonly transcript_changed?: number;
  /** True when a human is asked about the agent already. */
  readonly asked?: boolean;
}

/** What the monitor does now: the fields of an event. */
export type Due = Readonly<Record<string, unknown>> & {
  readonly trigger: TriggerName;
  readonly action: TriggerSettings["action"];
};

/** The triggers of an agent's state, the first of which counts that is configured; a stop's acts in the agent's own hook. */
export function triggersFor(status: AgentStatus): readonly TriggerName[] {
  const { state, exit_code, error_type } = status;
  switch (state) {
    case "prompting":
      return ["on_prompt"];
    case "idle":
      // Its user is at its terminal.
      return status.interrupted === true ? [] : ["on_idle"];
    case "failed":
      return ["on_error"];
    case "gone":
      return ["on_dead"];
    case "exited": {
      if (wasAskedToEnd(status)) return [];
      const isDead = exit_code !== undefined && exit_code !== 0;
      return [
        ...(error_type === undefined ? [] : ["on_error" as const]),
        ...(isDead ? ["on_dead" as const] : []),
      ];
    }
    case "starting":
    case "working":
      return [];
    default:
      return state satisfies never;
  }
}

/** Programs end with these codes after SIGHUP, SIGINT and SIGTERM. */
const ASKED_TO_END: ReadonlySet<number | undefined> = new Set([129, 130, 143]);

/** True for an agent that its user has ended, with Ctrl-C or its terminal, or the system: nobody has to continue it. */
function wasAskedToEnd({ exit_code, exit_signal }: AgentStatus): boolean {
  return exit_signal !== undefined || ASKED_TO_END.has(exit_code);
}

/** What the monitor has to do for an agent now. Pure; `undefined` for most agents at most times. */
export function dueAction(status: AgentStatus, settings: MonitorSettings, facts: Facts): Due | undefined {
  if (status.pending !== undefined || status.handled === true) return undefined;
  const trigger = triggersFor(status).find((name) => settings[name] !== undefined);
  const wanted = trigger && triggerOf(settings, trigger);
  if (
    trigger === undefined ||
    wanted === undefined ||
    (trigger === "on_idle" && !isIdle(status, wanted, facts))
  )
    return undefined;
  // A decision is open already, or a hook waits.
  if (trigger === "on_prompt" && wanted.action !== "fail") return undefined;
  if (wanted.error_types?.some((one) => one === status.error_type) === false)
    return {
      trigger,
      action: "escalate",
      why: `Error: ${status.error_type}.`,
      context: lastWords(status),
    };
  switch (wanted.action) {
    case "nudge":
    case "resume":
    case "auto":
      return repeated(status, trigger, wanted, facts);
    case "check":
      return {
        trigger,
        action: "check",
        run: wanted.run,
        timeout: secondsIn(wanted, "timeout", DEFAULT_SECONDS.check),
      };
    case "escalate":
    case "answer":
    case "done":
    case "fail":
      return { trigger, action: wanted.action, why: endOf(status), context: lastWords(status) };
    default:
      return wanted.action satisfies never;
  }
}

/** The seconds of a pending check in the configuration in force; `undefined` when its trigger has no such check. */
export function checkIn(
  settings: MonitorSettings,
  { run, check_of }: PendingAction,
): { readonly timeout: number } | undefined {
  const wanted = check_of && triggerOf(settings, check_of);
  return wanted?.run === undefined || wanted.run !== run
    ? undefined
    : { timeout: secondsIn(wanted, "timeout", DEFAULT_SECONDS.check) };
}

/** True when nothing has happened for the time of grace, in the agent or in its transcript, and nobody knows. */
function isIdle({ since, outcome }: AgentStatus, wanted: TriggerSettings, facts: Facts): boolean {
  if (outcome !== undefined || facts.asked === true) return false;
  const last = Math.max(Date.parse(since), facts.transcript_changed ?? 0);
  return facts.now - last >= secondsIn(wanted, "grace", DEFAULT_SECONDS.grace) * 1000;
}

function repeated(
  status: AgentStatus,
  trigger: TriggerName,
  wanted: TriggerSettings,
  { now }: Facts,
): Due | undefined {
  const { count, last } = status.attempts?.[trigger] ?? { count: 0, last: "" };
  const cooldown = secondsIn(wanted, "cooldown", DEFAULT_SECONDS.cooldown) * 1000;
  if (count > 0 && now - Date.parse(last) < cooldown) return undefined;
  const { attempts = DEFAULT_ATTEMPTS, action } = wanted;
  if (attempts === "forever" || count < attempts)
    return { trigger, action, attempt: count + 1, message: messageOf(status, wanted) };
  const times = count === 1 ? "once" : `${count} times`;
  const tried = count === 0 ? "" : `The monitor tried ${action} ${times}.`;
  const why = [endOf(status), tried].filter(Boolean).join("\n");
  return { trigger, action: "escalate", why, context: lastWords(status) };
}

/** What an agent said last: its error, and what it printed before it ended. */
function lastWords({ error_message, last_output }: AgentStatus): string | undefined {
  return [error_message, last_output].filter((text) => text !== undefined).join("\n\n") || undefined;
}

/** How an agent ended, where, and at what; `undefined` for one that has not. */
function endOf({ state, exit_code, cwd, task }: AgentStatus): string | undefined {
  const isGone = state === "gone";
  if (!isGone && (state !== "exited" || exit_code === undefined)) return undefined;
  const how = isGone
    ? "Its process is gone, and it did not say that it ends."
    : `It exited with code ${exit_code}.`;
  const where = cwd === undefined ? "" : `Folder: ${cwd}`;
  const what = task === undefined ? "" : `Task: ${capText(task, MOST_TASK)}`;
  return [how, where, what].filter(Boolean).join("\n");
}

const MOST_TASK = 300;

const GO_ON = "Go on with your task where you stopped.";

export function messageOf(
  { agent_id, session_id, task }: Pick<AgentStatus, "agent_id" | "session_id" | "task">,
  { action, message, append }: TriggerSettings,
): string {
  if (action === "auto") return askForSignal(agent_id, session_id);
  if (message === undefined) return GO_ON;
  return append === true && task !== undefined ? `${task}\n\n${message}` : message;
}
