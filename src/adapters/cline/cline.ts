import { isRecord } from "../../core/base/json.ts";
import type { Adapter, NativePayload } from "../adapter.ts";
import type { AgentTable } from "../codec/agent-table.ts";
import { writesWithoutMessages } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { behindOurs, CLINE_EVENTS, calledIn, FILES, REPLY_FORMS, type ReplyFormName } from "./events.ts";
import { laterHook } from "./later-hook.ts";
import { nativeInput } from "./tools.ts";

export const clineTable: AgentTable<ReplyFormName> = {
  name: "cline",
  title: "Cline",
  evidence: { version: "3.0.65", date: "2026-11-16" },
  asks: { question: "terminal", plan_approval: "terminal" },
  events: CLINE_EVENTS,
  unknown: { deny: "cancel", abort: "cancel" },
  forms: REPLY_FORMS,
  eventOf,
  complete: (payload, folder) => {
    const { sessionContext, taskId, agent_id, parent_agent_id } = payload;
    const { rootSessionId = taskId } = isRecord(sessionContext) ? sessionContext : {};
    const isSubagent = typeof parent_agent_id === "string";
    return {
      session_id: rootSessionId,
      cwd: calledIn(payload, folder).root,
      agent_id: isSubagent ? agent_id : undefined,
      parent_agent_id: isSubagent ? parent_agent_id : undefined,
    };
  },
  unfit: (_effect, form, { input }, { native }, environment) => {
    if (form !== "override_input" || input === undefined) return false;
    const { tool, root } = calledIn(native);
    if (nativeInput(tool, input) === undefined) return `Cline does not take these fields for ${tool}.`;
    const later = laterHook(root, environment);
    return later === undefined ? false : behindOurs(later);
  },
  // The script that calls us refuses when there is no answer at all.
  write: writesWithoutMessages("Cline", "{}"),
  refuseUnknown: (reason) => ({
    stdout: JSON.stringify({ cancel: true, errorMessage: reason }),
    stderr: reason,
    exit_code: 2,
    losses: [],
  }),
};

/** The name of the event's file, and what tells apart the two that share one. */
function eventOf({ hookName, parent_agent_id, tool_result }: NativePayload): string | undefined {
  if (typeof hookName !== "string") return undefined;
  const name = FILES.get(hookName) ?? hookName;
  const isError = isRecord(tool_result) && tool_result.error !== undefined;
  const own = `${name}.${name === "PostToolUse" ? (isError ? "error" : "") : typeof parent_agent_id === "string" ? "subagent" : ""}`;
  return Object.hasOwn(CLINE_EVENTS, own) ? own : name;
}

export const cline: Adapter = Object.assign(tableCodec(clineTable), {
  otherVariables: ["CLINE_ACTIVE"],
  /** It runs the hooks of an event one after another, and all of them see the call as the model made it. */
  nextPayload: (payload: Parameters<Adapter["decode"]>[0]) => payload,
});
