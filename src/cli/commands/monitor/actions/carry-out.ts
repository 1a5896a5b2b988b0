import { setTimeout as sleep } from "node:timers/promises";
import { wakeSession } from "../../../../adapters/claude/wake.ts";
import { storedState } from "../../../../agent/conversation/restore.ts";
import { checkAnswer } from "../../../../agent/run/session/answers.ts";
import { humanAnswer } from "../../../../agent/run/session/read-answer.ts";
import { loadConfigCached } from "../../../../config/open.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { isTenterhookError } from "../../../../core/base/errors.ts";
import { answerParkedRun } from "../../../../fleet/parked-runs.ts";
import { storePending } from "../../../../hook/pending-context.ts";
import { monitorClient } from "../../../../monitor/client.ts";
import { ACTION_ENDED } from "../../../../monitor/report/actions.ts";
import { hasGone } from "../../../../monitor/report/agent-process.ts";
import { runCheck } from "../../../../monitor/report/check.ts";
import { checkIn } from "../../../../monitor/report/due.ts";
import { appendToSpool } from "../../../../monitor/report/spool.ts";
import { type ActionResult, resumeAgent } from "../../../../monitor/triggers/resume-agent.ts";
import { aboutAction, claimAction } from "../../../../monitor/triggers/watch-triggers.ts";
import { nearestFolder } from "../../../../node/files/folders.ts";
import type { AgentStatus } from "../../../../shared/monitor/monitor.ts";
import type { PendingAction } from "../../../../shared/monitor/pending-action.ts";
import { settingsOfAgent } from "../../../../shared/monitor/trigger-settings.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { sessionStore } from "../../agent/sessions/session-store.ts";
import { hasEnded } from "../status/shown-agents.ts";

/**
 * `tenterhook daemon carry-out ID`: does what the daemon has decided, once, and reports how it ended. What to do is asked
 * of the daemon, so that nobody else can have commands run.
 */
export async function run({
  names,
  environment,
  signal,
}: Pick<Invocation, "names" | "environment" | "signal">): Promise<undefined> {
  const [id = ""] = names;
  const agents = await monitorClient(environment).agents();
  const agent = agents.find(({ pending }) => pending?.id === id);
  if (agent?.pending === undefined || !claimAction(id, environment)) return;
  const { agent_id, session_id, pending } = agent;
  const result = await resultOf(agent, pending, environment, signal).catch((error: unknown): ActionResult => {
    return { ok: false, why: `It failed: ${errorMessage(error)}` };
  });
  appendToSpool(
    {
      type: ACTION_ENDED,
      agent_id,
      session_id,
      action_id: id,
      ...aboutAction(pending),
      ...result,
    },
    environment,
  );
}

/** Does it: runs a command, continues the session, or gets a message to the agent. */
export async function resultOf(
  agent: AgentStatus,
  pending: PendingAction,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ActionResult> {
  if (pending.action === "check") return checkOf(agent, pending, environment, signal);
  if (agent.fleet === true) return answerParkedRun(agent, pending, environment);
  // A session must not run in two processes.
  const isOver = await endsSoon(agent);
  if (agent.host === "tenterhook") return continueOwn(agent, pending, isOver, environment, signal);
  return isOver ? resumeAgent(agent, pending, environment) : send(agent, pending, environment);
}

const ENDING_MILLISECONDS = 5000;
const PAUSE_MILLISECONDS = 100;

/** True when the agent's process has ended, or ends now: one without a terminal does so right after an error or a question. */
async function endsSoon(agent: AgentStatus): Promise<boolean> {
  if (hasEnded(agent)) return true;
  const mayEnd = agent.state === "failed" || agent.suspended === true;
  const latest = Date.now() + (mayEnd ? ENDING_MILLISECONDS : 0);
  while (!hasGone(agent)) {
    if (Date.now() >= latest) return false;
    await sleep(PAUSE_MILLISECONDS);
  }
  return true;
}

/**
 * Runs a command that the configuration in force has for a check, and no other one: any program that can write to
 * the spool can forge what a hook reports.
 */
async function checkOf(
  agent: AgentStatus,
  pending: PendingAction,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ActionResult> {
  const { agent_id, session_id, cwd = "/" } = agent;
  const folder = nearestFolder(cwd);
  // The files that a project's command names are trusted from its root.
  const { trust, settings } = await loadConfigCached({ cwd: folder, environment });
  const check = checkIn(settingsOfAgent(settings.monitor, agent), pending);
  if (check === undefined)
    return {
      ok: false,
      why: `The configuration in ${folder} has no such check, so its command was not run.`,
    };
  const { run = "" } = pending;
  const variables = { TENTERHOOK_AGENT_ID: agent_id, TENTERHOOK_SESSION_ID: session_id };
  return { ...(await runCheck({ run, ...check, cwd: trust.root, variables, environment, signal })) };
}

/**
 * Wakes a running agent that waits for its user, where that is possible. Else a human's message comes with the agent's next turn;
 * that of a trigger would come with something that its user asks by then, so it is not sent.
 */
async function send(
  { agent_id, session_id, state, host = "claude" }: AgentStatus,
  { message = "", asked }: PendingAction,
  environment: NodeJS.ProcessEnv,
): Promise<ActionResult> {
  if (session_id === undefined)
    return { ok: false, why: `The session of ${agent_id} is not known, so no message can reach it.` };
  const isIdle = host === "claude" && (state === "idle" || state === "failed");
  const woken = isIdle ? await wakeSession(session_id, message, environment) : "nobody";
  if (woken === "woken") return { ok: true, route: "woken" };
  if (woken === "unknown")
    return { ok: false, why: `Nobody knows whether ${agent_id} has read the message.` };
  if (asked !== true)
    return {
      ok: false,
      why: `${agent_id} is running, and no hook of it is waiting for a message, so the message was not sent.`,
    };
  storePending(session_id, { hook: "monitor", context: [message], user_messages: [] }, environment);
  return { ok: true, route: "next_turn" };
}

/**
 * Continues a session of our own agent. An answer counts for the call it was given for; a message is never an answer,
 * even if it reads like one.
 *
 * @param isOver true when the agent's process has ended.
 */
async function continueOwn(
  agent: AgentStatus,
  pending: PendingAction,
  isOver: boolean,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ActionResult> {
  const refused = await refusal(agent, pending, environment, signal);
  if (refused !== undefined) return refused;
  if (isOver) return resumeAgent(agent, pending, environment);
  const { answer } = pending;
  if (answer === undefined && (await isTaken(agent, pending, environment)))
    return { ok: true, route: "joined" };
  const what = answer === undefined ? "message" : "answer";
  return {
    ok: false,
    why: `The process of ${agent.agent_id} is running, so the ${what} can't reach it from outside. Answer it there, or end the process first.`,
  };
}

/** How often, each second, an agent is looked for that may have taken another message a moment ago. */
const TRIES = 5;

/** Has the daemon give a running agent of ours the message of an action. False when it takes none. */
async function isTaken(
  { session_id = "" }: AgentStatus,
  { id, message = "" }: PendingAction,
  environment: NodeJS.ProcessEnv,
): Promise<boolean> {
  for (let left = TRIES; left > 0; left -= 1) {
    if (await monitorClient(environment).passMessage(id, { session_id, message })) return true;
    await sleep(1000);
  }
  return false;
}

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
