import type { HookInput } from "../../core/decision.ts";
import { errorMessage } from "../../core/error-text.ts";
import { orAborted } from "../abortable.ts";
import { mustGoOn } from "../ended.ts";
import { type AgentSession, emit, type Turn } from "../session.ts";
import { refusedProgram } from "./approve.ts";
import { runTurnProgram } from "./program.ts";
import type { TurnHookCommand, TurnHooks } from "./types.ts";

/** When a program of `.agent/hook.toml` runs. */
export type TurnHookName = "TurnStart" | "TurnEnd";

/**
 * Runs the program that the workspace names for this moment, if there is one. Answers what it says for the agent: at
 * most one text. A file that can't be read and a program that fails are shown and stop nothing.
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
  const refusal = await refusedProgram(session, turn, command, hooks.trusted);
  if (refusal !== undefined) {
    emit(session, { type: "notice", level: "warning", hook, text: `Hook(${hook}) did not run: ${refusal}` });
    return [];
  }
  const input = await runTurnProgram(session, turn, hook, command);
  mustGoOn(turn);
  return input === undefined ? [] : [input];
}

async function currentHooks(session: AgentSession, turn: Turn): Promise<TurnHooks | undefined> {
  const { turnHooks } = session.options;
  if (turnHooks === undefined) return undefined;
  try {
    return await orAborted(turnHooks(session.identity.cwd, turn.signal), turn.aborted);
  } catch (error) {
    mustGoOn(turn);
    emit(session, { type: "error", error_type: "turn_hooks", message: errorMessage(error) });
    return undefined;
  }
}

function commandFor(hooks: TurnHooks, hook: TurnHookName, turn: Turn): TurnHookCommand | undefined {
  if (hook === "TurnEnd") return hooks.turn_end;
  const skipped = turn.is_hook_input_turn && hooks.turn_start?.run_on_hook_input === false;
  return skipped ? undefined : hooks.turn_start;
}
