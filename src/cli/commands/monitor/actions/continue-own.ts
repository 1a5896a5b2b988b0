import { checkAnswer } from "../../../../agent/resume/answers.ts";
import { storedState } from "../../../../agent/resume/restore.ts";
import { isTenterhookError } from "../../../../core/base/errors.ts";
import { sendMessage } from "../../../../monitor/report/messages.ts";
import type { AgentStatus, PendingAction } from "../../../../shared/monitor/monitor.ts";
import { humanAnswer } from "../../agent/sessions/answer-file.ts";
import { sessionStore } from "../../agent/sessions/session-store.ts";
import { type ActionResult, resumeAgent } from "./resume-agent.ts";

/**
 * Continues a session of our own agent. An answer counts for the call it was given for; a message is never an answer, even
 * if it reads like one.
 *
 * @param isOver true when the agent's process has ended.
 * @throws what the store throws.
 */
export async function continueOwn(
  agent: AgentStatus,
  pending: PendingAction,
  isOver: boolean,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ActionResult> {
  const refused = await refusal(agent, pending, environment, signal);
  if (refused !== undefined) return refused;
  if (isOver) return resumeAgent(agent, pending, environment);
  const { session_id = "" } = agent;
  const { answer, message = "" } = pending;
  if (answer === undefined && (await sendMessage(session_id, message, environment, signal)))
    return { ok: true, route: "joined" };
  const what = answer === undefined ? "message" : "answer";
  return {
    ok: false,
    why: `The process of ${agent.agent_id} is running, so the ${what} can't reach it from outside. Answer it there, or end the process first.`,
  };
}

/** Why the session can't take this now. */
async function refusal(
  { agent_id, session_id }: AgentStatus,
  { answer }: PendingAction,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ActionResult | undefined> {
  const store = sessionStore(environment);
  try {
    const session = session_id === undefined ? undefined : await store.load(session_id, { signal });
    const waiting = session && storedState(session).waiting;
    if (answer !== undefined) checkAnswer(waiting, humanAnswer(answer, "The answer"));
    else if (waiting !== undefined)
      return { ok: false, moot: true, why: `${agent_id} waits for an answer; a message does not answer it.` };
    return undefined;
  } catch (error) {
    if (!isTenterhookError(error)) throw error;
    return { ok: false, why: error.message, ...(error.code === "not_waiting" ? { moot: true } : {}) };
  } finally {
    await store.close();
  }
}
