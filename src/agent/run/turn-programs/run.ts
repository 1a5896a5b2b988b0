import { errorMessage } from "../../../core/base/error-text.ts";
import { TRUST_WAY_OUT } from "../../../core/base/untrusted.ts";
import type { PermissionMode } from "../../../core/contracts/tool.ts";
import type { HookInput } from "../../../core/decide/decision.ts";
import type { PermissionCall } from "../../../handlers/permissions/permission-types.ts";
import { raceAbort } from "../../../node/process/deadline.ts";
import { shellWord } from "../../../shared/shell-word.ts";
import type { AgentItem } from "../../items.ts";
import type { TurnHookCommand, TurnHookName, TurnHooks } from "../../turn-hooks.ts";
import { askApproval } from "../session/ask-human.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import { modeOf, verdictOn } from "../tool-calls/permission.ts";
import { runTurnProgram } from "./program.ts";

const FILE = ".agent/hook.toml";

/**
 * Runs the program for this moment, if the workspace has one. Returns its text for the agent, if any. An unreadable
 * file and a program that is refused or fails are shown and stop nothing.
 *
 * @throws TurnEnded when the turn is interrupted.
 */
export async function runTurnHook(turn: Turn, hook: TurnHookName): Promise<HookInput[]> {
  const { session } = turn;
  const hooks = await currentHooks(turn);
  const command = hooks === undefined ? undefined : commandFor(hooks, hook, turn);
  if (hooks === undefined || command === undefined) return [];
  // As a shell command, so that rules for commands apply to it.
  const line = [command.command, ...command.args].map(shellWord).join(" ");
  const refusal = await refusedProgram(turn, line, hooks);
  if (refusal !== undefined) {
    const text = `Hook(${hook}) did not run: ${refusal}`;
    tellOnce(session, `${hook} ${line}`, text, { type: "notice", level: "warning", hook, text });
    return [];
  }
  session.turnPrograms.problems.delete(`${hook} ${line}`);
  const input = await runTurnProgram(turn, hook, command, hooks.folder);
  turn.signal.throwIfAborted();
  return input === undefined ? [] : [input];
}

async function currentHooks(turn: Turn): Promise<TurnHooks | undefined> {
  const { session } = turn;
  const { turnHooks } = session.options;
  if (turnHooks === undefined) return undefined;
  try {
    const hooks = await raceAbort(turnHooks(session.identity.cwd, turn.signal), turn.signal);
    session.turnPrograms.problems.delete(FILE);
    return hooks;
  } catch (error) {
    turn.signal.throwIfAborted();
    const message = errorMessage(error);
    tellOnce(session, FILE, message, { type: "error", error_type: "turn_hooks", message });
    return undefined;
  }
}

/** Shows a problem once, not at each turn. */
function tellOnce(session: AgentSession, about: string, problem: string, item: AgentItem): void {
  const { turnPrograms, listeners } = session;
  if (listeners.size === 0 || turnPrograms.problems.get(about) === problem) return;
  turnPrograms.problems.set(about, problem);
  emit(session, item);
}

function commandFor(hooks: TurnHooks, hook: TurnHookName, turn: Turn): TurnHookCommand | undefined {
  if (hook === "TurnEnd") return hooks.turn_end;
  const skipped = turn.is_hook_input_turn && hooks.turn_start?.run_on_hook_input === false;
  return skipped ? undefined : hooks.turn_start;
}

/**
 * Returns why a program may not run. Rules and mode apply as to a command of the agent. A trusted file counts as
 * approved, and so does a command line that a human allowed for the session; a deny still holds.
 */
async function refusedProgram(
  turn: Turn,
  line: string,
  { trusted, folder = turn.session.identity.cwd }: TurnHooks,
): Promise<string | undefined> {
  const { session } = turn;
  // An approved program also runs in the mode that asks nobody.
  const present = modeOf(session);
  const mode = trusted && present === "dont-ask" ? "default" : present;
  const { action, reason, rule } = await verdictOn(turn, bashCall(session, line, folder, mode));
  if (action === "deny") return reason ?? "The permissions do not allow it.";
  if (trusted || session.turnPrograms.approved.has(line)) return undefined;
  const isRuled = action === "ask" && rule !== undefined && reason !== undefined;
  const why = isRuled ? reason : "The file that names it is not trusted.";
  const { ask } = session.options.approval ?? {};
  const answer = await askApproval(session, { kind: "turn_hook", subject: line, reason: why }, turn.signal);
  if (answer.allow) {
    if (answer.for === "session") session.turnPrograms.approved.add(line);
    return undefined;
  }
  const untrusted = `${line} of .agent/hook.toml is not trusted. ${TRUST_WAY_OUT}`;
  if ("not_asked" in answer) return ask === undefined ? untrusted : answer.not_asked;
  return answer.feedback ?? untrusted;
}

function bashCall(
  { toolbox: { workspace, tools } }: AgentSession,
  command: string,
  cwd: string,
  mode: PermissionMode,
): PermissionCall {
  const tool = tools.get("Bash");
  const about = { tool_name: "Bash", tool_input: { command }, mode, cwd, workspace };
  return tool === undefined ? about : { ...about, tool };
}
