import { errorMessage } from "../../core/base/error-text.ts";
import type { HookInput } from "../../core/decide/decision.ts";
import type { AgentItem } from "../items.ts";
import { raceAbort } from "../loop/abort.ts";
import { mustGoOn } from "../loop/turn-ended.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import { commandLine, refusedProgram } from "./approve.ts";
import { runTurnProgram } from "./program.ts";
import type { TurnHookCommand, TurnHooks } from "./types.ts";

const FILE = ".agent/hook.toml";

/** When a program of `.agent/hook.toml` runs. */
export type TurnHookName = "TurnStart" | "TurnEnd";

/**
 * Runs the program that the workspace names for this moment, if there is one. Answers what it says for the agent: at
 * most one text. A file that can't be read, a program that may not run and one that fails are shown and stop nothing.
 *
 * @throws TurnEnded when the turn is interrupted.
 */
export async function runTurnHook(
  session: AgentSession,
  turn: Turn,
  hook: TurnHookName,
): Promise<HookInput[]> {
  const hooks = await currentHooks(session, turn);
  const command = hooks === undefined ? undefined : commandFor(hooks, hook, turn);
  if (hooks === undefined || command === undefined) return [];
  const line = commandLine(command);
  const refusal = await refusedProgram(session, turn, line, hooks.trusted);
  if (refusal !== undefined) {
    const text = `Hook(${hook}) did not run: ${refusal}`;
    tellOnce(session, `${hook} ${line}`, text, { type: "notice", level: "warning", hook, text });
    return [];
  }
  session.turnHookProblems.delete(`${hook} ${line}`);
  const input = await runTurnProgram(session, turn, hook, command);
  mustGoOn(turn);
  return input === undefined ? [] : [input];
}

async function currentHooks(session: AgentSession, turn: Turn): Promise<TurnHooks | undefined> {
  const { turnHooks } = session.options;
  if (turnHooks === undefined) return undefined;
  try {
    const hooks = await raceAbort(turnHooks(session.identity.cwd, turn.signal), turn.signal);
    session.turnHookProblems.delete(FILE);
    return hooks;
  } catch (error) {
    mustGoOn(turn);
    const message = errorMessage(error);
    tellOnce(session, FILE, message, { type: "error", error_type: "turn_hooks", message });
    return undefined;
  }
}

/** Tells of what is wrong with the file or a program, not at each turn: when it is new, and somebody listens. */
function tellOnce(session: AgentSession, about: string, problem: string, item: AgentItem): void {
  const { turnHookProblems, listeners } = session;
  if (listeners.size === 0 || turnHookProblems.get(about) === problem) return;
  turnHookProblems.set(about, problem);
  emit(session, item);
}

function commandFor(hooks: TurnHooks, hook: TurnHookName, turn: Turn): TurnHookCommand | undefined {
  if (hook === "TurnEnd") return hooks.turn_end;
  const skipped = turn.is_hook_input_turn && hooks.turn_start?.run_on_hook_input === false;
  return skipped ? undefined : hooks.turn_start;
}
