import type { PermissionMode, Tool } from "../../core/contracts/tool.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { FireOptions } from "../../core/decide/event-scope.ts";
import type { ContextItem } from "../../core/events/outcomes.ts";
import type { ToolInput } from "../../core/events/payloads.ts";
import type { RefusedBy } from "../contracts.ts";
import type { MissingOutcome, ToolCallPart } from "../conversation/messages.ts";
import { note } from "../conversation/rollout.ts";
import { mustGoOn } from "../loop/turn-ended.ts";
import { fire, fireAnyway } from "../session/fire.ts";
import { modeOf } from "../session/mode.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { findTool, rewrittenProblem } from "./find-tool.ts";
import { whereItLeads } from "./judged-paths.ts";
import { memoryFileOf, refusedMemoryWrite } from "./memory-update.ts";
import { askPermission, checkPermission } from "./permission.ts";

/** A call that may run, with the input every gate has passed. */
export interface PassedCall {
  readonly call: ToolCallPart;
  readonly tool: Tool;
  readonly input: ToolInput;
  readonly firing: FireOptions;
  /** The mode in which permissions passed it. */
  readonly mode: PermissionMode;
}

/** A call that will not run, with what the model is told. */
export interface RefusedCall {
  readonly call: ToolCallPart;
  readonly content: string;
  readonly outcome?: MissingOutcome;
}

/** A refusal while a call is being judged. */
export interface Refusal {
  readonly by: RefusedBy;
  readonly reason: string;
  /** What was refused, when a PermissionRequest hook wrote another input. */
  readonly asked?: ToolInput;
}

/**
 * Judges one call: the tool and its input, PreToolUse hooks, permissions, and whoever has to be asked. What hooks say
 * for the model is added to `context`.
 *
 * @throws TurnEnded when a hook ends the run or the turn is interrupted.
 */
export async function gate(
  session: AgentSession,
  turn: Turn,
  call: ToolCallPart,
  context: ContextItem[],
): Promise<PassedCall | RefusedCall> {
  const tool = findTool(session.tools, call);
  if (typeof tool === "string") return { call, content: tool };
  const { tool_name, tool_input, tool_use_id } = call;
  const firing = { ...turn.firing, tool };
  const asked = { tool_name, tool_input, tool_use_id };
  const decision = await fireAnyway(session, "PreToolUse", asked, firing);
  // Also when the turn ends here: the next turn gets what hooks said.
  context.push(...decision.context);
  mustGoOn(turn);
  const input = decision.input ?? tool_input;
  const passed: PassedCall = { call, tool, input, firing, mode: modeOf(session) };
  const unruled = session.options.permissions === undefined && session.mode !== "plan";
  const unasked = unruled && decision.action !== "deny";
  let judged: PassedCall | Refusal =
    unasked && decision.action !== "ask" ? passed : await judge(session, turn, passed, decision);
  const memoryFile = "tool" in judged ? memoryFileOf(session, judged) : undefined;
  if (memoryFile !== undefined) {
    const reason = await refusedMemoryWrite(session, turn, memoryFile, tool_use_id);
    if (reason !== undefined) judged = { by: "hook", reason };
  }
  if ("tool" in judged) {
    const problem = judged.input === tool_input ? undefined : rewrittenProblem(tool, judged.input);
    return problem === undefined ? judged : { call, content: `A hook rewrote the call. ${problem}` };
  }
  return refuse(session, turn, passed, judged);
}

/**
 * Asks permissions again about a call whose gate was passed in another mode: a call of the same message may have changed
 * it since.
 *
 * @throws TurnEnded when a hook ends the run or the turn is interrupted.
 */
export async function gateInMode(
  session: AgentSession,
  turn: Turn,
  passed: PassedCall,
): Promise<PassedCall | RefusedCall> {
  const judged = await judge(session, turn, { ...passed, mode: modeOf(session) }, NO_OPINION);
  return "tool" in judged ? judged : refuse(session, turn, passed, judged);
}

/**
 * Looks once more at a call that others of its message ran before: they may have made a link of a path, so that it leads
 * to another file than the gates have judged.
 *
 * @throws TurnEnded when a hook ends the run or the turn is interrupted.
 */
export async function gateAfterOthers(
  session: AgentSession,
  turn: Turn,
  passed: PassedCall,
  { led, context }: { readonly led: string | undefined; readonly context: ContextItem[] },
): Promise<PassedCall | RefusedCall> {
  if (whereItLeads(session, passed) !== led) return gate(session, turn, passed.call, context);
  if (session.options.permissions === undefined) return passed;
  const { action, reason } = await checkPermission(session, turn, passed);
  if (action !== "deny") return passed;
  const why = reason ?? `The permissions do not allow ${passed.call.tool_name}.`;
  return refuse(session, turn, passed, { by: "rule", reason: why });
}

const NO_OPINION = { action: "continue" } as const;

async function refuse(
  session: AgentSession,
  turn: Turn,
  { call, input, firing }: PassedCall,
  { by, reason, asked: tool_input = input }: Refusal,
): Promise<RefusedCall> {
  const { tool_name, tool_use_id } = call;
  const about = { tool_name, tool_input, tool_use_id, reason, by };
  note(session, { type: "denied", tool_use_id, tool_name, by, reason });
  await fire(session, turn, "PermissionDenied", about, firing);
  return { call, content: reason, outcome: "denied" };
}

async function judge(
  session: AgentSession,
  turn: Turn,
  passed: PassedCall,
  { action, reason }: Pick<Decision, "action" | "reason">,
): Promise<PassedCall | Refusal> {
  if (action === "deny") return { by: "hook", reason: reason ?? "Tool call denied by hook" };
  const verdict = await checkPermission(session, turn, passed);
  if (verdict.action === "deny")
    return { by: "rule", reason: verdict.reason ?? `The permissions do not allow ${passed.call.tool_name}.` };
  // What a hook allows is not asked about for want of a rule; a rule that wants a human asked stands.
  const isAsked = verdict.action === "ask" && (action !== "allow" || verdict.rule !== undefined);
  if (action !== "ask" && !isAsked) return passed;
  if (modeOf(session) === "dont-ask")
    return {
      by: "rule",
      reason: `${reason ?? "A hook wants a human to be asked."} In this mode nobody is asked.`,
    };
  return askPermission(session, turn, passed, {
    reason: (action === "ask" ? reason : undefined) ?? verdict.reason,
    suggestions: verdict.suggestions,
  });
}
