import { systemClock } from "../../core/base/clock.ts";
import { ignore } from "../../core/base/error-text.ts";
import type { HookRun } from "../../core/decide/decision.ts";
import type { Hooks } from "../../core/hooks.ts";
import { assistantMessage, toolMessage, userMessage } from "../conversation/new-message.ts";
import { noteCheckpoint, noteRuns } from "../conversation/rollout.ts";
import { seal } from "../conversation/seal.ts";
import { decide } from "../session/fire.ts";
import { newSession } from "../session/open-session.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { TurnListener } from "../session/turn-listener.ts";
import { firingFor } from "../tool-calls/gate.ts";
import { newTurn } from "./new-turn.ts";
import { openRun } from "./run.ts";

let lasting:
  | { readonly session: AgentSession; readonly turn: Turn; readonly events: readonly unknown[] }
  | undefined;

const RUN: HookRun = { name: "", handler: "", event_id: "", started_at: "", duration_ms: 0 };

/**
 * Makes a session with a turn that nobody runs, once in a process, with one message, one record and one event of a tool
 * of each kind. They live on, and the code compiled for such things with them: see `HookCall` of the engine.
 */
export function keepLoopCode(makeHooks: () => Hooks): void {
  if (lasting !== undefined) return;
  const hooks = makeHooks();
  const events: unknown[] = [];
  hooks.on(["PreToolUse", "PostToolUse"], (event) => {
    events.push(event);
  });
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
  const tool = { name: "", description: "", input_schema: {}, run: async () => ({ content: "" }) };
  const firing = firingFor(turn, tool);
  const used = { tool_name: "", tool_input: {}, tool_use_id: "" };
  ignore(decide(session, "PreToolUse", used, firing));
  ignore(decide(session, "PostToolUse", { ...used, tool_response: "", duration_ms: 0.5 }, firing));
  const messages = [
    userMessage(session, "user", [{ type: "text", text: "" }]),
    assistantMessage(session, {
      model: "",
      parts: [{ type: "tool_call", tool_use_id: "", tool_name: "", tool_input: {} }],
    }),
    assistantMessage(session, { model: "", parts: [{ type: "text", text: "" }] }),
    toolMessage(session, { type: "tool_result", tool_use_id: "", tool_name: "", content: "" }),
  ];
  for (const message of messages) session.conversation.add(seal(message));
  noteRuns(session, "PreToolUse", used, { ...NOTHING, runs: [RUN] });
  noteCheckpoint(session, "auto", "", 0);
  lasting = { session, turn, events };
}

const NOTHING = { action: "continue", context: [], user_messages: [], hook_inputs: [] } as const;
