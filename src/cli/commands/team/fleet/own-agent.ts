import { STOP_REASONS } from "../../../../agent/stop-reasons.ts";
import type { AgentItem, AgentResult } from "../../../../agent.ts";
import { isTenterhookError } from "../../../../core/base/errors.ts";
import { withoutUndefined } from "../../../../core/base/json.ts";
import type { Transcript, TranscriptStore } from "../../../../core/contracts/transcript.ts";
import { type AttemptEnd, GO_ON, NEW_CLONE, type RunSite, type TakenRun } from "../../../../fleet/run.ts";
import { chosenModel, chosenName } from "../../agent/run/choices.ts";
import { openAgent, type Task, workOn } from "../../agent/run/open-agent.ts";
import type { KeptHooks } from "./kept-hooks.ts";

/** Errors that another attempt does not change, wherever it is. */
const LASTING = ["bad_script", "invalid_option"];

/**
 * Has our own agent work on a run, with the configuration of its folder and of the worker's user, like `tenterhook run`.
 *
 * @throws ConfigError; what is not known to last.
 */
export async function runOwnAgent(
  run: TakenRun,
  site: RunSite & { readonly store: TranscriptStore; readonly hooks: KeptHooks },
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const { run_id, model: given } = run;
  const { folder, environment, report, redact, store } = site;
  const resume = await store.load(run_id, { signal });
  const sources = {
    ...{ given, givenIn: folder, folder, environment, signal },
    fromSession: resume?.metadata.model,
  };
  try {
    const opened = await openAgent({
      ...{ folder, environment, signal, store, report, session_id: run_id },
      hooks: await site.hooks.open(folder, signal),
      fleet: withoutUndefined({ answered: run.answered }),
      model: (config) => chosenModel(config, sources),
      model_name: (config) => chosenName(config, sources),
      resume,
    });
    let progressed = false;
    const onItem = ({ type }: AgentItem): void => {
      progressed ||= type === "tool_result";
    };
    const result = await workOn(opened, taskOf(run, resume, site), { signal, onItem });
    if (result.stop_reason === "error")
      return { state: "again", error: redact(result.error?.message ?? result.text), progressed };
    return await endOf(result, site);
  } catch (error) {
    if (!isTenterhookError(error)) throw error;
    const why = redact(error.message);
    if (LASTING.includes(error.code)) return { state: "failed", error: why };
    if (error.code === "model_unavailable") return { state: "not here", why };
    throw error;
  }
}

function taskOf({ task, answer }: TakenRun, resume: Transcript | undefined, { isNewClone }: RunSite): Task {
  if (resume === undefined || resume.messages.length === 0) return task;
  const { status } = resume.metadata;
  if (isNewClone) return NEW_CLONE;
  // Why a turn was cut off is stored before the status, and a whole answer may come before the interruption.
  const last = resume.messages.at(-1);
  const ended = last !== undefined && "ended" in last ? last.ended : undefined;
  const isCutOff = ended === "error" || ended === "cancelled";
  if (isCutOff || status === "error" || (status === "cancelled" && ended !== undefined)) return GO_ON;
  return answer === undefined || status !== "suspended" ? {} : answer;
}

async function endOf(
  { stop_reason, text, reason, waiting_for }: AgentResult,
  { redact, resultOf }: RunSite,
): Promise<AttemptEnd> {
  if (stop_reason === "suspended" && waiting_for !== undefined) return { state: "waiting", waiting_for };
  const result = await resultOf(text);
  if (stop_reason === "complete") return { state: "done", result };
  const why = redact(reason ?? STOP_REASONS[stop_reason].meaning);
  return { state: "failed", error: `${stop_reason}: ${why}`, result };
}
