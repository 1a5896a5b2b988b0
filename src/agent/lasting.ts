import { systemClock } from "../core/clock.ts";
import type { HookRun } from "../core/decision.ts";
import type { Hooks } from "../core/hooks.ts";
import { assistantMessage, toolMessage, userMessage } from "./new-message.ts";
import { newSession } from "./new-session.ts";
import { newTurn } from "./new-turn.ts";
import { noteCheckpoint, noteRuns } from "./rollout.ts";
import { openRun } from "./run.ts";
import { seal } from "./seal.ts";
import type { AgentSession, Turn } from "./session.ts";
import { firingFor } from "./tool-gate.ts";
import { TurnListener } from "./turn-listener.ts";

let lasting: { readonly session: AgentSession; readonly turn: Turn } | undefined;

const RUN: HookRun = { name: "", handler: "", event_id: "", started_at: "", duration_ms: 0 };

/**
 * Makes a session with a turn that nobody runs, once in a process, with one message and one record of each kind. They live
 * on, and the code compiled for such things with them: see `HookCall` of the engine.
 */
export function keepLoopCode(makeHooks: () => Hooks): void {
  if (lasting !== undefined) return;
  const hooks = makeHooks();
  hooks.on("PreToolUse", () => undefined);
  hooks.wants("PreToolUse");
  const session = newSession({
    model: "",
    hooks,
    cwd: "/",
    session_id: "lasting",
    store: { append() {}, record() {}, location: () => "" },
    clock: { ...systemClock, after: () => () => {} },
  });
  const turn = newTurn(session, { type: "prompt", text: "" }, openRun(undefined).aborted);
  session.identity.turn_id = turn.id;
  turn.modelCalls.listener = new TurnListener(session, turn);
  turn.modelCalls.listener.text("");
  firingFor(turn, { name: "", description: "", input_schema: {}, run: async () => ({ content: "" }) });
  const call = { tool_use_id: "", tool_name: "" };
  const messages = [
    userMessage(session, "user", [{ type: "text", text: "" }]),
    assistantMessage(session, { model: "", parts: [{ type: "tool_call", ...call, tool_input: {} }] }),
    assistantMessage(session, { model: "", parts: [{ type: "text", text: "" }] }),
    toolMessage(session, { type: "tool_result", ...call, content: "" }),
  ];
  for (const message of messages) session.conversation.add(seal(message));
  noteRuns(session, "PreToolUse", call, { ...NOTHING, runs: [RUN] });
  noteCheckpoint(session, "auto", "", 0);
  lasting = { session, turn };
}

const NOTHING = { action: "continue", context: [], user_messages: [], hook_inputs: [] } as const;
