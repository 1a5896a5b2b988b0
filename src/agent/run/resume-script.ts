import { isRecord } from "../../core/base/json.ts";
import type { StoredMessage } from "../../core/contracts/transcript.ts";
import type { PlayingModel } from "../../shared/contracts/judge.ts";
import { type AgentModel, modelName } from "../model/agent-model.ts";
import type { AgentSession } from "./session/session.ts";

/**
 * Moves a scripted model to where the session stopped: past the answers of the agent and of the subagents that share the
 * model. Does nothing for other models.
 *
 * @throws TenterhookError as the store does.
 */
export async function resumeScript(session: AgentSession, model: AgentModel): Promise<void> {
  if (!isScripted(model)) return;
  const { conversation, options, identity } = session;
  const name = modelName(model);
  const own = conversation.transcript();
  const last = own.findLast(({ role }) => role === "assistant");
  let answers = answersOf(own, name);
  for await (const agent_id of othersOf(session, identity.session_id))
    answers += answersOf((await options.store?.load?.(agent_id))?.messages ?? [], name);
  model.goOnAfter({ answers, failed: last?.role === "assistant" && last.ended === "error" });
}

function isScripted(model: AgentModel): model is AgentModel & PlayingModel {
  return "goOnAfter" in model && typeof model.goOnAfter === "function";
}

/** Answers that the runtime wrote do not count; the last answer at a limit is the model's own. */
function answersOf(messages: readonly StoredMessage[], name: string): number {
  return messages.filter((message: unknown) => {
    if (!isRecord(message) || message.role !== "assistant" || message.model !== name) return false;
    return message.ended === undefined || message.ended === "limit";
  }).length;
}

async function* othersOf({ options, identity }: AgentSession, session_id: string): AsyncGenerator<string> {
  for (let cursor: string | undefined; ; ) {
    const page = await options.store?.list?.({ session_id, cursor });
    for (const { agent_id } of page?.transcripts ?? []) if (agent_id !== identity.agent_id) yield agent_id;
    cursor = page?.cursor;
    if (cursor === undefined) return;
  }
}
