import { newSession } from "./new-session.ts";
import { openRun } from "./run.ts";
import type { AgentSession, Turn } from "./session.ts";
import { firingFor } from "./tool-gate.ts";
import { newTurn } from "./turn.ts";

let lasting: { readonly session: AgentSession; readonly turn: Turn } | undefined;

/**
 * Makes a session with a turn that nobody runs, once in a process. They live on, and the code compiled for sessions and
 * turns with them: see `HookCall` of the engine.
 */
export function keepLoopCode(): void {
  if (lasting !== undefined) return;
  const session = newSession({ model: "", cwd: "/", session_id: "lasting" });
  const turn = newTurn(session, { type: "prompt", text: "" }, openRun(undefined).aborted);
  session.identity.turn_id = turn.id;
  firingFor(turn, { name: "", description: "", input_schema: {}, run: async () => ({ content: "" }) });
  lasting = { session, turn };
}
