import type { FireOptions } from "../../core/decide/fired-event.ts";
import type { TurnInput } from "../items.ts";
import type { AgentMessage } from "../messages/messages.ts";
import { noUsage } from "../model/usage.ts";
import { sharedController } from "./session/abort.ts";
import { agentView, interruptDeadline } from "./session/fire.ts";
import { watchMemory } from "./session/memory-update.ts";
import type { OutputFormat } from "./session/output-format.ts";
import { type AgentSession, emit, type Turn } from "./session/session.ts";

/** Creates a turn. Its controller, or the run's, ends everything in it. */
export function newTurn(
  session: AgentSession,
  input: TurnInput,
  run: AbortSignal,
  format?: OutputFormat,
): Turn {
  const controller = sharedController();
  const { conversation, values, hook_limits: limits, options, pending } = session;
  const isKept = input.type === "continue" || input === pending.unheard?.input;
  const unheard = isKept ? pending.unheard : undefined;
  const begun = input.type === "continue" && unheard === undefined ? pending.unfinished : undefined;
  const from = begun === undefined ? conversation.length : conversation.startOf(begun.turn_id);
  const given = unheard?.input ?? input;
  const byInput = given.type === "hook_input" ? given.input.hook : undefined;
  const hook = begun === undefined ? byInput : startedByHook(conversation.transcript(from));
  const firing: FireOptions = {
    signal: controller.signal,
    late_signal: () => interruptDeadline(turn).errors,
    values,
    limits,
    agent: agentView(session),
    sees_tool_calls: true,
  };
  const turn: Turn = {
    session,
    id: input.type === "task" ? input.turn_id : (unheard?.turn_id ?? begun?.turn_id ?? session.newId()),
    controller,
    signal: controller.signal,
    run,
    interruptDeadline: undefined,
    firing,
    hook,
    is_hook_input_turn: hook !== undefined,
    usage: noUsage(),
    from,
    started: [],
    announced: new Set(),
    iterations: begun === undefined ? 0 : answersIn(conversation.transcript(from)),
    continuations: begun === undefined ? 0 : continuationsIn(conversation.transcript(from)),
    made_room: false,
    partial: "",
    output: format === undefined ? undefined : { format, notified: false, failures: 0 },
    held: undefined,
    system_prompt: options.system_prompt ?? "",
  };
  return turn;
}

function startedByHook([first]: readonly AgentMessage[]): string | undefined {
  if (first?.role !== "user" || first.source !== "hook") return undefined;
  return first.parts.find((part) => part.type === "hook_input")?.hook ?? "";
}

/** Iterations from before the turn was cut off count. */
function answersIn(messages: readonly AgentMessage[]): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

/** So do continuations by Stop hooks: nothing else that hooks say is a plain text part. */
function continuationsIn(messages: readonly AgentMessage[]): number {
  return messages.filter(
    (message) => message.role === "user" && message.source === "hook" && message.parts[0]?.type === "text",
  ).length;
}

/** Makes the turn the current one, and announces it before anything that belongs to it. */
export async function enterTurn(turn: Turn): Promise<void> {
  const { session, id, hook, is_hook_input_turn } = turn;
  session.identity.turn_id = id;
  emit(session, { type: "turn_start", turn_id: id, is_hook_input_turn, hook });
  await watchMemory(session);
}
