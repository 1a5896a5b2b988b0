import { existsSync } from "node:fs";
import { join } from "node:path";
import { STOP_REASONS } from "../../../../agent/stop-reasons.ts";
import { transcriptsIn } from "../../../../agent/transcripts/postgres/postgres-store.ts";
import type { AgentItem, AgentResult } from "../../../../agent.ts";
import { isTenterhookError } from "../../../../core/base/errors.ts";
import { withoutUndefined } from "../../../../core/base/json.ts";
import type { Transcript } from "../../../../core/contracts/transcript.ts";
import { type Clone, cloneFor } from "../../../../fleet/clone.ts";
import type { AttemptEnd, TakenRun } from "../../../../fleet/run.ts";
import type { RunAgent } from "../../../../fleet/worker.ts";
import type { Postgres } from "../../../../node/postgres/open-postgres.ts";
import { createRedactor } from "../../../../node/records/redact.ts";
import { stateFolder } from "../../../../node/user-folders.ts";
import { chosenModel, chosenName } from "../../agent/run/choices.ts";
import { openAgent, type Task, workOn } from "../../agent/run/open-agent.ts";

/** Errors that another attempt does not change. */
const LASTING = ["config_invalid", "config_syntax", "bad_script", "model_unavailable", "invalid_option"];

const GO_ON = "The work on your task was interrupted. Look at what is done, then go on with it.";
const NEW_CLONE =
  "Your work goes on on another machine, in a new clone: what you had changed in files is not there. Do it again.";

/** Runs the agents of a worker: with the configuration of their folder and of the worker's user, like `tenterhook run`. */
export function agentRunner(
  database: Postgres,
  environment: NodeJS.ProcessEnv,
  report: (text: string) => void,
): RunAgent {
  const store = transcriptsIn(database, { environment });
  // Not below the state folder, which agents must not change.
  const clones = `${stateFolder(environment)}-fleet`;
  const redactor = createRedactor(environment);
  const redact = (text: string): string => redactor.text(text);
  return async (run, signal) => {
    const { run_id, model: given, cwd, repo } = run;
    const clone =
      repo === undefined ? undefined : await cloneFor(run, join(clones, run_id), environment, signal);
    const folder = clone?.folder ?? cwd ?? "";
    if (!existsSync(folder)) return { state: "failed", error: `This machine has no folder ${folder}.` };
    const resume = await store.load(run_id, { signal });
    const sources = {
      ...{ given, givenIn: folder, folder, environment, signal },
      fromSession: resume?.metadata.model,
    };
    try {
      const opened = await openAgent({
        ...{ folder, environment, signal, store, report, session_id: run_id },
        fleet: withoutUndefined({ answered: run.answered }),
        model: (config) => chosenModel(config, sources),
        model_name: (config) => chosenName(config, sources),
        ...withoutUndefined({ resume }),
      });
      const task = taskOf(run, resume, clone);
      let progressed = false;
      const onItem = ({ type }: AgentItem): void => {
        progressed ||= type === "tool_result";
      };
      const result = await workOn(opened, task, { signal, onItem });
      if (result.stop_reason === "error")
        return { state: "again", error: redact(result.error?.message ?? result.text), progressed };
      return await endOf(result, clone, redact);
    } catch (error) {
      if (isTenterhookError(error) && LASTING.includes(error.code))
        return { state: "failed", error: redact(error.message) };
      throw error;
    }
  };
}

/** The task, or how the agent goes on with it. */
function taskOf({ task, answer }: TakenRun, resume: Transcript | undefined, clone: Clone | undefined): Task {
  if (resume === undefined || resume.messages.length === 0) return task;
  const { status } = resume.metadata;
  if (clone?.isNew === true) return NEW_CLONE;
  if (status === "error" || status === "cancelled") return GO_ON;
  return answer === undefined || status !== "suspended" ? {} : answer;
}

async function endOf(
  { stop_reason, text, reason, waiting_for }: AgentResult,
  clone: Clone | undefined,
  redact: (text: string) => string,
): Promise<AttemptEnd> {
  if (stop_reason === "suspended" && waiting_for !== undefined) return { state: "waiting", waiting_for };
  const { branch, patch } = (await clone?.changes()) ?? {};
  const result = {
    text: redact(text),
    ...withoutUndefined({ branch, patch: patch === undefined ? undefined : redact(patch) }),
  };
  if (stop_reason === "complete") return { state: "done", result };
  const why = redact(reason ?? STOP_REASONS[stop_reason].meaning);
  return { state: "failed", error: `${stop_reason}: ${why}`, result };
}
