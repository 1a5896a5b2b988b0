import { checkAnswer } from "../agent/run/session/answers.ts";
import { humanAnswer } from "../agent/run/session/read-answer.ts";
import { isTenterhookError } from "../core/base/errors.ts";
import { monitorClient } from "../monitor/client.ts";
import { appendToSpool } from "../monitor/report/spool.ts";
import type { ActionResult } from "../monitor/triggers/resume-agent.ts";
import type { AgentStatus } from "../shared/monitor/monitor.ts";
import type { PendingAction } from "../shared/monitor/pending-action.ts";
import { answerRun, type EndedQuestion, notWaitingAmong } from "./answer.ts";
import { enqueue, withRuns } from "./open-fleet.ts";
import type { Answerer } from "./run.ts";

/**
 * Gives a run of the fleet the answer that somebody has given in the monitor. It counts if nobody has answered the run
 * elsewhere before.
 *
 * @throws what the database throws.
 */
export async function answerParkedRun(
  { agent_id, session_id = "" }: AgentStatus,
  { answer, decision }: PendingAction,
  environment: NodeJS.ProcessEnv,
): Promise<ActionResult> {
  if (answer === undefined)
    return { ok: false, moot: true, why: `${agent_id} is a run of the fleet, whose workers continue it.` };
  try {
    const given = humanAnswer(answer, "The answer");
    const who = await answererOf(decision, environment);
    const queued = await withRuns(environment, (database) =>
      answerRun(
        database,
        session_id,
        (waiting_for) => {
          checkAnswer({ ...waiting_for, not_started: [] }, given);
          return given;
        },
        who,
      ),
    );
    // A worker of this machine reports that it begins after this.
    appendToSpool({ type: "agent:exit", agent_id, session_id, fleet: true }, environment);
    await enqueue(environment, queued, () => {});
    return { ok: true, route: "queued" };
  } catch (error) {
    if (!isTenterhookError(error)) throw error;
    const isOver = error.code === "not_waiting" || error.code === "unknown_run";
    return { ok: false, why: error.message, ...(isOver ? { moot: true } : {}) };
  }
}

async function answererOf(id: string | undefined, environment: NodeJS.ProcessEnv): Promise<Answerer> {
  const found = id === undefined ? [] : await monitorClient(environment).decisionsLike(id);
  const { by = "user", channel = "monitor" } = found.find((one) => one.id === id)?.resolved ?? {};
  return { by, channel };
}

/** Those of some runs that wait for nobody any more, for the monitor's daemon. */
export function endedQuestions(environment: NodeJS.ProcessEnv) {
  return (run_ids: readonly string[]): Promise<readonly EndedQuestion[]> =>
    withRuns(environment, (database) => notWaitingAmong(database, run_ids));
}
