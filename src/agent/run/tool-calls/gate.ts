import { isRecord, sameJson } from "../../../core/base/json.ts";
import { nearestNames } from "../../../core/base/suggest.ts";
import type { Tool } from "../../../core/contracts/tool.ts";
import type { ToolInput } from "../../../core/contracts/tool-types.ts";
import { answeringHook } from "../../../core/decide/decision.ts";
import type { Choose } from "../../../core/decide/fired-event.ts";
import type { ContextItem } from "../../../core/events/outcomes.ts";
import { namedFiles } from "../../../core/match/tool-inputs.ts";
import { nodePaths } from "../../../node/ports.ts";
import { REDACTED } from "../../../node/records/redact.ts";
import { checkInput } from "../../../node/schema/check-input.ts";
import type { ToolCallPart } from "../../messages/messages.ts";
import { TurnSuspended } from "../../turn-ended.ts";
import { note } from "../session/activity.ts";
import { fire, fireAnyway } from "../session/fire.ts";
import { memoryFileOf, refusedMemoryWrite } from "../session/memory-update.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { chooseOption } from "./ask-user.ts";
import type { CheckedCall, EditedCall, PassedCall, Refusal, RefusedCall } from "./calls.ts";
import { checkPermission, judgeCall, modeOf, refusedByRule } from "./permission.ts";

const MOST_SUGGESTIONS = 3;

const NOT_STORED = `The input contains ${REDACTED}: a secret was there, and transcripts do not store secrets. Make the call again without it, or with a variable that has the value.`;

/**
 * Judges one call: tool and input, PreToolUse hooks, permissions, a human. What hooks say for the model is added to
 * `context`.
 *
 * @throws TurnEnded when a hook ends the run or the turn is interrupted.
 */
export async function gate(
  turn: Turn,
  call: ToolCallPart,
  context: ContextItem[],
  edited?: EditedCall,
): Promise<PassedCall | RefusedCall> {
  const { session } = turn;
  turn.signal.throwIfAborted();
  const asksFor = edited === undefined ? call : { ...call, tool_input: edited.edited };
  const tool = findTool(session.toolbox.tools, asksFor);
  if (typeof tool === "string")
    return { call, content: edited === undefined ? tool : `The user edited the call. ${tool}` };
  const { tool_name, tool_input, tool_use_id } = asksFor;
  if (session.options.resume !== undefined && JSON.stringify(tool_input).includes(REDACTED))
    return { call, content: NOT_STORED };
  const firing = { tool, ...turn.firing };
  const asked = { tool_name, tool_input, tool_use_id };
  let suspended: TurnSuspended | undefined;
  const choose: Choose = async (asking) => {
    if (suspended !== undefined) return undefined;
    try {
      return await chooseOption(turn, call, asking);
    } catch (error) {
      if (!(error instanceof TurnSuspended)) throw error;
      // An event that is being decided can't end the turn.
      suspended = error;
      return undefined;
    }
  };
  const decision = await fireAnyway(session, "PreToolUse", asked, { choose, ...firing });
  // Also when the turn ends here: the next turn gets the hooks' context.
  context.push(...decision.context);
  turn.signal.throwIfAborted();
  if (suspended !== undefined) throw suspended;
  const input = decision.input ?? tool_input;
  const answered =
    decision.answer === undefined ? undefined : { value: decision.answer, by: answeringHook(decision) };
  const { runs, time_limit } = decision;
  const mode = modeOf(session);
  const { approval } = edited ?? {};
  const checked = { call, tool, input, firing, runs, time_limit, answered, mode, approval };
  // A call that does not run needs nobody's leave, unless a hook or a rule asks.
  const opinion =
    answered !== undefined && decision.action === "continue"
      ? ({ ...decision, action: "allow" } as const)
      : decision;
  let judged = await judgeCall(turn, checked, opinion, edited?.edited);
  if ("edited" in judged) {
    context.push(editNote(call, judged.edited));
    return gate(turn, call, context, judged);
  }
  // It was given to another input than the one that was agreed to.
  if ("tool" in judged && !sameJson(judged.input, input)) judged = { ...judged, answered: undefined };
  if ("tool" in judged && judged.answered !== undefined) return judged;
  if ("tool" in judged && tool.annotations?.edits_files === true && tool.reads?.(judged.input) !== true) {
    const memory_file = memoryFileOf(session, judged.input);
    const reason = memory_file && (await refusedMemoryWrite(turn, memory_file, tool_use_id));
    judged = reason === undefined ? { ...judged, memory_file } : { by: "hook", reason };
  }
  if ("tool" in judged) {
    const problem = judged.input === tool_input ? undefined : rewrittenProblem(tool, judged.input);
    return problem === undefined ? judged : { call, content: `A hook rewrote the call. ${problem}` };
  }
  return refuse(turn, checked, judged);
}

/**
 * Asks permissions again when a call of the same message has changed the mode since.
 *
 * @throws TurnEnded when a hook ends the run or the turn is interrupted.
 */
export async function gateInMode(
  turn: Turn,
  passed: PassedCall,
  context: ContextItem[],
): Promise<PassedCall | RefusedCall> {
  const judged = await judgeCall(turn, { ...passed, mode: modeOf(turn.session) }, NO_OPINION);
  if ("edited" in judged) {
    context.push(editNote(passed.call, judged.edited));
    return gate(turn, passed.call, context, judged);
  }
  return "tool" in judged ? judged : refuse(turn, passed, judged);
}

/** Tells the model that its call ran with another input. */
function editNote({ tool_name, tool_use_id }: ToolCallPart, input: ToolInput): ContextItem {
  const text = `The user changed the input of ${tool_name} (${tool_use_id}) to: ${JSON.stringify(input)}`;
  return { text, hook: "approval", role: "user", lifetime: "session", recorded: true };
}

/**
 * Judges a call again after others of its message ran: they may have replaced a path by a link to another file.
 *
 * @throws TurnEnded when a hook ends the run or the turn is interrupted.
 */
export async function gateAfterOthers(
  turn: Turn,
  passed: PassedCall,
  { led, context }: { readonly led: string; readonly context: ContextItem[] },
): Promise<PassedCall | RefusedCall> {
  const { session } = turn;
  if (whereItLeads(session, passed) !== led) return gate(turn, passed.call, context);
  if (session.options.permissions === undefined) return passed;
  const verdict = await checkPermission(turn, passed);
  return verdict.action === "deny" ? refuse(turn, passed, refusedByRule(passed, verdict)) : passed;
}

const NO_OPINION = { action: "continue", runs: [] } as const;

export async function refuse(
  turn: Turn,
  { call, input, firing }: CheckedCall,
  { by, reason, asked: tool_input = input, approval }: Refusal,
): Promise<RefusedCall> {
  const { tool_name, tool_use_id } = call;
  const about = { tool_name, tool_input, tool_use_id, reason, by, approval };
  note(turn.session, { type: "denied", tool_use_id, tool_name, by, reason });
  await fire(turn, "PermissionDenied", about, firing);
  return { call, content: reason, outcome: "denied" };
}

/** Returns the tool of a call, or a sentence for the model why it cannot run. */
function findTool(
  tools: ReadonlyMap<string, Tool>,
  { tool_name, tool_input, invalid_input, cut_off }: ToolCallPart,
): Tool | string {
  if (cut_off === true)
    return `The call of ${tool_name} did not run: your answer was cut off at its longest length, in the middle of the input. Make the call again with less, in several calls if need be.`;
  const tool = tools.get(tool_name);
  if (tool === undefined) return unknownTool(tools, tool_name);
  if (invalid_input !== undefined) return `The input of ${tool_name} must be a JSON object.`;
  return inputProblem(tool, tool_input) ?? tool;
}

function inputProblem({ name, input_schema }: Tool, input: unknown): string | undefined {
  const problem = checkInput(input_schema, input);
  return problem === undefined ? undefined : `The input of ${name} does not fit its schema. ${problem}`;
}

/** The problem of an input that a hook wrote: it may hold the answers to what the tool would ask. */
function rewrittenProblem(tool: Tool, input: ToolInput): string | undefined {
  const problem = inputProblem(tool, input);
  if (problem === undefined || !isRecord(input.answers)) return problem;
  const { answers: _, ...rest } = input;
  return inputProblem(tool, rest);
}

function unknownTool(tools: ReadonlyMap<string, Tool>, name: string): string {
  const near = nearestNames(name, tools.keys(), MOST_SUGGESTIONS);
  const which =
    near.length > 0
      ? `Did you mean ${near.join(" or ")}?`
      : `There are: ${[...tools.keys()].join(", ") || "none"}.`;
  return `There is no tool ${JSON.stringify(name)}. ${which}`;
}

/** The files that calls name, with links resolved: what the gates have judged. */
export function whereTheyLead(
  session: AgentSession,
  calls: readonly (PassedCall | RefusedCall)[],
): ReadonlyMap<PassedCall | RefusedCall, string> {
  return new Map(calls.map((call) => [call, "tool" in call ? whereItLeads(session, call) : ""]));
}

function whereItLeads({ identity: { cwd } }: AgentSession, { input }: PassedCall): string {
  return namedFiles(input)
    .flatMap(({ path }) => nodePaths.spellings(path, cwd))
    .join("\n");
}
