import type { Adapter } from "../adapters/adapter.ts";
import { endWaiter } from "../adapters/claude/wake.ts";
import { isRecord, withoutUndefined } from "../core/base/json.ts";
import type { Usage } from "../core/contracts/transcript.ts";
import type { Decided } from "../core/decide/observers.ts";
import { agentProcess } from "../monitor/report/agent-process.ts";
import { agentOf, DETECTED } from "../monitor/report/detect.ts";
import { notifyMonitor } from "../monitor/report/spool.ts";
import { programAbove } from "../node/identity/parent-program.ts";
import type { HookCall } from "./call.ts";

/** Tells the monitor what a decided event says about the agent. Never throws. */
export function reportEvent(
  { event, decision }: Decided,
  adapter: Adapter,
  { environment, parent }: HookCall,
  fields: { readonly from: object; readonly usage?: Usage | undefined },
): void {
  const detected = DETECTED[event.hook_event_name]?.({ ...event }, decision.keep_going !== undefined);
  if (detected === undefined) return;
  if (event.hook_event_name === "SessionEnd") endWaiter(event.session_id, environment);
  const { TENTERHOOK_WOKEN_BY: woken_by } = environment;
  const pid = event.hook_event_name === "SessionStart" ? programAbove(parent) : undefined;
  notifyMonitor(
    {
      ...detected,
      id: event.event_id,
      host: event.host,
      ...withoutUndefined(fields),
      ...(pid === undefined ? {} : agentProcess(pid)),
      ...withoutUndefined({ woken_by }),
      ...(hasWorked(event, adapter) ? { worked: true } : {}),
    },
    { agent: agentOf(event, environment), payload: { ...event }, environment },
  );
}

/** True for the end of a turn in which the agent used a tool, where its transcript shows that. */
function hasWorked({ hook_event_name, native }: Decided["event"], adapter: Adapter): boolean {
  if (hook_event_name !== "Stop" || !isRecord(native)) return false;
  return (adapter.turn?.(native)?.tool_calls.length ?? 0) > 0;
}
