import { checkAnswer } from "../../../../agent/resume/answers.ts";
import { storedState } from "../../../../agent/resume/restore.ts";
import { transcriptsIn } from "../../../../agent/transcripts/postgres/postgres-store.ts";
import { isTenterhookError } from "../../../../core/base/errors.ts";
import { answerRun } from "../../../../fleet/submit.ts";
import type { AgentStatus, PendingAction } from "../../../../shared/monitor/monitor.ts";
import { humanAnswer } from "../../agent/sessions/answer-file.ts";
import type { ActionResult } from "../../monitor/actions/resume-agent.ts";
import { sharedDatabase } from "../shared-database.ts";
import { enqueue, withRuns } from "./open-fleet.ts";

/**
 * Gives a run of the fleet the answer that somebody has given in the monitor. `undefined` when the agent is none.
 *
 * @throws what the database throws.
 */
export async function answerParkedRun(
  { session_id, suspended }: AgentStatus,
  { answer }: PendingAction,
  environment: NodeJS.ProcessEnv,
): Promise<ActionResult | undefined> {
  if (session_id === undefined || suspended !== true || answer === undefined) return undefined;
  if ((await sharedDatabase(environment)) === undefined) return undefined;
  return withRuns(environment, async (database) => {
    const [row] = await database.query("SELECT 1 FROM tenterhook.runs WHERE run = $1", [session_id]);
    if (row === undefined) return undefined;
    const session = await transcriptsIn(database).load(session_id);
    try {
      const given = humanAnswer(answer, "The answer");
      checkAnswer(session && storedState(session).waiting, given);
      const queued = await answerRun(database, session_id, given);
      if (queued === undefined)
        return { ok: false, moot: true, why: `Run ${session_id} waits for no answer any more.` };
      await enqueue(environment, queued, () => {});
      return { ok: true, route: "resumed" };
    } catch (error) {
      if (!isTenterhookError(error)) throw error;
      return { ok: false, why: error.message, ...(error.code === "not_waiting" ? { moot: true } : {}) };
    }
  });
}
