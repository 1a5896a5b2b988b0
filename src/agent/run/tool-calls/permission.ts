import { errorMessage, isPromise } from "../../../core/base/error-text.ts";
import { sameJson } from "../../../core/base/json.ts";
import { capText } from "../../../core/base/text.ts";
import {
  type Approved,
  type PersonAnswer,
  type Refused,
  readApproval,
} from "../../../core/contracts/approval.ts";
import { type PermissionMode, stricterMode } from "../../../core/contracts/tool.ts";
import type { ToolInput } from "../../../core/contracts/tool-types.ts";
import { askingHooks, type Decision } from "../../../core/decide/decision.ts";
import { namedFiles } from "../../../core/match/tool-inputs.ts";
import { refusedByPlan } from "../../../handlers/permissions/by-mode.ts";
import type { PermissionCall, PermissionVerdict } from "../../../handlers/permissions/permission-types.ts";
import { raceAbort, startDeadline } from "../../../node/process/deadline.ts";
import { openedFile } from "../../tools/files/workspace.ts";
import { TurnSuspended } from "../../turn-ended.ts";
import type { WaitingFor } from "../../waiting-for.ts";
import { answerTo } from "../session/answers.ts";
import { askApproval, personIn, promptHuman } from "../session/ask-human.ts";
import { fire } from "../session/fire.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import type { EditedCall, PassedCall, Refusal } from "./calls.ts";

const ALLOWED: PermissionVerdict = { action: "allow" };

/**
 * Judges a call after its PreToolUse hooks: permissions, then a human where a hook or a rule asks for one.
 *
 * @throws TenterhookError `invalid_answer`; TurnEnded.
 */
export async function judgeCall(
  turn: Turn,
  passed: PassedCall,
  { action, reason, runs }: Pick<Decision, "action" | "reason" | "runs">,
  approved?: ToolInput,
): Promise<PassedCall | EditedCall | Refusal> {
  const { session } = turn;
  if (action === "deny") return { by: "hook", reason: reason ?? "Tool call denied by hook" };
  const verdict = await checkPermission(turn, passed);
  if (verdict.action === "deny") return refusedByRule(passed, verdict);
  // An allow of a hook replaces a missing rule, but not a rule that requires a human.
  const isAsked = verdict.action === "ask" && (action !== "allow" || verdict.rule !== undefined);
  if (action !== "ask" && !isAsked) return passed;
  const asked_by = [
    ...(action === "ask" ? askingHooks(runs) : []),
    ...(isAsked ? [verdict.rule === undefined ? "mode" : `rule ${verdict.rule}`] : []),
  ];
  const asked = { tool_name: passed.call.tool_name, tool_input: passed.input, asked_by };
  if (session.grants.covers(asked)) return passed;
  if (modeOf(session) === "dont-ask")
    return {
      by: "rule",
      reason: notAskedText(passed.call.tool_name, "in this mode nobody is asked", asked_by),
    };
  return askPermission(turn, passed, {
    reason: (action === "ask" ? reason : undefined) ?? verdict.reason,
    suggestions: verdict.suggestions,
    asked_by,
    approved,
  });
}

/** The mode that applies to the agent's calls: its own, or a stricter one that the permissions demand now. */
export function modeOf({ mode, options }: AgentSession): PermissionMode {
  const bound = options.permissions?.bound?.();
  return bound === undefined ? mode : stricterMode(mode, bound);
}

/** Asks the permissions about a call. A check that fails is a deny; without permissions plan mode still applies. */
export function checkPermission(turn: Turn, passed: PassedCall): Promise<PermissionVerdict> {
  return verdictOn(turn, permissionCall(turn.session, passed));
}

/** The same for commands that are no tool call of the model. */
export async function verdictOn(turn: Turn, call: PermissionCall): Promise<PermissionVerdict> {
  const { signal } = turn;
  const {
    options: { permissions },
  } = turn.session;
  if (permissions === undefined) {
    if (call.mode !== "plan") return ALLOWED;
    return refusedByPlan({ ...call, annotations: call.tool?.annotations }) ?? ALLOWED;
  }
  try {
    const verdict = permissions.check(call, signal);
    return isPromise(verdict) ? await raceAbort(verdict, signal) : verdict;
  } catch (error) {
    signal.throwIfAborted();
    return { action: "deny", reason: `The permissions could not be checked: ${errorMessage(error)}` };
  }
}

export function refusedByRule({ call }: PassedCall, { reason }: PermissionVerdict): Refusal {
  return { by: "rule", reason: reason ?? `The permissions do not allow ${call.tool_name}.` };
}

interface Question {
  readonly reason: string | undefined;
  readonly suggestions: readonly unknown[] | undefined;
  /** Who asks, for grants. */
  readonly asked_by: readonly string[];
  /** What a human wrote into the call: it needs no second approval. */
  readonly approved: ToolInput | undefined;
}

/**
 * Asks in this order: PermissionRequest hooks, which may refuse; a human who has answered already; AgentPrompt hooks;
 * a human.
 *
 * @throws TenterhookError `invalid_answer`; TurnEnded.
 */
async function askPermission(
  turn: Turn,
  passed: PassedCall,
  question: Question,
): Promise<PassedCall | EditedCall | Refusal> {
  const { call, input, firing } = passed;
  const { tool_name, tool_use_id } = call;
  const decision = await fire(
    turn,
    "PermissionRequest",
    { tool_name, tool_input: input, tool_use_id, permission_suggestions: question.suggestions ?? [] },
    firing,
  );
  if (decision.action === "deny")
    return { by: "hook", reason: decision.reason ?? "Tool call denied by hook" };
  let asked = passed;
  if (decision.input !== undefined) {
    asked = { ...passed, input: decision.input };
    const verdict = await checkPermission(turn, asked);
    if (verdict.action === "deny") return { ...refusedByRule(asked, verdict), asked: asked.input };
  }
  if (sameJson(asked.input, question.approved)) return asked;
  const verdict =
    answered(turn.session, asked, question) ??
    (decision.action === "allow" ? asked : await askSomebody(turn, asked, question));
  return asked !== passed && "by" in verdict ? { ...verdict, asked: asked.input } : verdict;
}

/** What a human has answered already about exactly this input. */
function answered(
  session: AgentSession,
  asked: PassedCall,
  question: Question,
): PassedCall | EditedCall | Refusal | undefined {
  const given = answerTo(session, waitsFor(asked, question.reason));
  if (given === undefined) return undefined;
  const read = readApproval(given, "The stored answer");
  return judgedBy(session, asked, question, { ...read, person: personIn(read) });
}

/** What follows from the answer of a human, or of a hook in their place. */
function judgedBy(
  session: AgentSession,
  asked: PassedCall,
  { asked_by }: Question,
  agreement: (Approved | Refused) & { readonly person?: PersonAnswer },
  hook?: string,
): PassedCall | EditedCall | Refusal {
  const { person: approval } = agreement;
  const { tool_name, tool_use_id } = asked.call;
  const done = agreement.allow ? "allowed" : "refused";
  if (approval !== undefined) emit(session, { type: "person_answer", tool_use_id, done, ...approval });
  if (!agreement.allow) {
    const who = hook === undefined ? "The user" : `The hook ${hook}`;
    const by = hook === undefined ? "user" : "hook";
    return { by, reason: refusedText(agreement.feedback, who), approval };
  }
  const { input = asked.input, for: scope } = agreement;
  session.grants.add({ tool_name, tool_input: input, asked_by }, scope);
  if (scope === "session") session.options.permissions?.grant?.(permissionCall(session, { ...asked, input }));
  return sameJson(input, asked.input) ? { ...asked, approval } : { edited: input, approval };
}

function waitsFor({ call, input }: PassedCall, reason: string | undefined, preview?: string): WaitingFor {
  const { tool_use_id, tool_name } = call;
  const about = { type: "permission", tool_use_id, tool_name, tool_input: input } as const;
  return { ...about, preview, reason };
}

const MOST_PREVIEWED = 20_000;
const PREVIEW_MILLISECONDS = 5000;

/** The tool's own preview of a call; nothing when it fails or takes too long, and the person sees the input instead. */
async function previewOf(turn: Turn, { tool, input }: PassedCall): Promise<string | undefined> {
  const { signal } = turn;
  const {
    identity: { cwd },
    toolbox: { workspace },
  } = turn.session;
  if (tool.preview === undefined) return undefined;
  const { signal: until, end } = startDeadline(signal, PREVIEW_MILLISECONDS);
  try {
    const shown = Promise.resolve(tool.preview(input, { cwd, workspace, signal: until }));
    const text: unknown = await raceAbort(shown, until);
    return typeof text === "string" && text !== "" ? capText(text, MOST_PREVIEWED) : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    end();
  }
}

async function askSomebody(
  turn: Turn,
  asked: PassedCall,
  question: Question,
): Promise<PassedCall | EditedCall | Refusal> {
  const { session } = turn;
  const { reason, suggestions } = question;
  const { tool_name, tool_use_id } = asked.call;
  const preview = await previewOf(turn, asked);
  const shown = { tool_name, tool_input: asked.input, preview, reason };
  const waits = waitsFor(asked, reason, preview);
  const prompt = { prompt_type: "permission", question: shown, waits } as const;
  const { answer, hook = "on AgentPrompt" } = await promptHuman(turn, prompt, `May ${tool_name} run?`);
  if (answer !== undefined) {
    const read = readApproval(answer, `A hook on AgentPrompt (${tool_name})`);
    return judgedBy(session, asked, question, read, hook);
  }
  if (session.options.suspend === true && session.options.approval?.ask === undefined)
    throw new TurnSuspended(waits);
  const agreement = await askApproval(
    session,
    {
      kind: "permission",
      tool_use_id,
      tool_name,
      tool_input: asked.input,
      preview,
      reason,
      suggestions,
    },
    turn.signal,
  );
  if ("not_asked" in agreement) {
    if (agreement.late === true && session.options.suspend === true) throw new TurnSuspended(waits);
    if (session.options.approval?.ask === undefined) warnNobody(session, tool_name);
    return { by: "nobody", reason: notAskedText(tool_name, agreement.not_asked, question.asked_by, reason) };
  }
  return judgedBy(session, asked, question, agreement);
}

/** Tells the developer, once, why an agent as it is made by default does nothing. */
function warnNobody(session: AgentSession, tool_name: string): void {
  if (session.warned.has("nobody")) return;
  session.warned.add("nobody");
  const text = `${tool_name} was refused because nobody can be asked. Allow it with a rule under permissions, or with mode "accept-edits" (edits of the workspace) or "bypass" (everything); in a program, approval or suspend asks a human.`;
  emit(session, { type: "notice", text, level: "warning" });
}

function permissionCall(
  session: AgentSession,
  { call, tool, input }: { call: { tool_name: string }; tool: PassedCall["tool"]; input: ToolInput },
): PermissionCall {
  const { cwd } = session.identity;
  const judged = tool.reads?.(input) === true ? { ...tool, annotations: { read_only: true } } : tool;
  // What a tool has opened for reading counts as inside: the output of a command, the files of a skill.
  const opened =
    judged.annotations?.read_only === true
      ? namedFiles(input).flatMap(({ path }) => openedFile(path, cwd, session.toolbox) ?? [])
      : [];
  const workspace = [...session.toolbox.workspace, ...opened];
  return {
    tool_name: call.tool_name,
    tool_input: input,
    tool: judged,
    mode: modeOf(session),
    cwd,
    workspace,
  };
}

/** What the model reads: who refused, never the question that only a human could answer. */
function refusedText(feedback: string | undefined, who: string): string {
  return `${who} refused this call${feedback === undefined || feedback === "" ? "." : `: ${feedback}`}`;
}

/** The reason of a rule says what is missing; that of a hook is a question. */
function notAskedText(tool: string, not_asked: string, askers: readonly string[], reason?: string): string {
  const hooks = askers.filter((asker) => asker.startsWith("hook "));
  const who = hooks.length === 0 ? "" : ` (${hooks.join(", ")})`;
  const why = hooks.length > 0 || reason === undefined ? "" : ` ${reason}`;
  return `${tool} needs the approval of a human${who}, but ${not_asked}, so it is refused.${why}`;
}
