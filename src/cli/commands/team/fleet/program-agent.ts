import type { Headless, Said } from "../../../../adapters/headless.ts";
import type { Integration } from "../../../../adapters/integration.ts";
import { integrationOf } from "../../../../adapters/integrations.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import type { TranscriptStore } from "../../../../core/contracts/transcript.ts";
import { noteBeginning, noteSession } from "../../../../fleet/program.ts";
import { programTranscript } from "../../../../fleet/program-transcript.ts";
import { type AttemptEnd, GO_ON, NEW_CLONE, type RunSite, type TakenRun } from "../../../../fleet/run.ts";
import { machineId } from "../../../../monitor/team/membership.ts";
import type { Postgres } from "../../../../node/postgres/open-postgres.ts";
import { childEnvironment } from "../../../../node/process/environment.ts";
import { runProgram } from "../../../../node/process/run-program.ts";
import { startWhenNeeded } from "../../monitor/daemon/connect.ts";
import { type ProgramEnd, runProgramOf } from "./run-program.ts";

const AGAIN =
  "An earlier attempt at this task was interrupted, and nobody knows what it has done. Look first. The task:";

type ProgramSite = RunSite & { readonly database: Postgres; readonly store: TranscriptStore };

interface Beginning {
  readonly args: readonly string[];
  readonly input: string;
  /** For people; absent for the first attempt. */
  readonly note?: string;
  readonly isResumed?: true;
}

/**
 * Has the real program of an agent work on a run: from its beginning, or in the session that an earlier attempt on this machine
 * has begun.
 *
 * @throws ProgramError; what the store and the database throw.
 */
export async function runProgramAgent(
  run: TakenRun,
  site: ProgramSite,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const { folder, database, store, environment, report, redact } = site;
  const { run_id, agent, attempt } = run;
  const integration = await headlessIntegration(agent);
  const machine_id = await machineId(environment);
  const before = await store.load(run_id, { signal });
  const { args, input, note, isResumed } = beginningOf(run, integration, machine_id, site.isNewClone);
  if (note !== undefined) {
    report(`${run_id}: ${note}`);
    await noteBeginning(database, run, note);
  }
  // Started with the program alone, it would not know the database.
  await startWhenNeeded(environment).catch((error: unknown) => report(errorMessage(error)));
  // Before anything can be done: who comes next knows that something may have been.
  if (isResumed !== true) await noteSession(database, run, { machine_id });
  const owner = { session_id: run_id, agent_id: run_id, agent_type: agent, cwd: folder };
  const claim = await store.claim(owner);
  try {
    await store.save({ status: "running", title: run.task.slice(0, 80) }, owner);
    const source = note === undefined ? "user" : "runtime";
    const told = { text: input, source, attempt } as const;
    const transcript = programTranscript(store, owner, told, before?.metadata.usage);
    const noted: Promise<void>[] = [];
    const onSaid = (said: Said): void => {
      if (said.type === "session")
        noted.push(noteSession(database, run, { id: said.session_id, machine_id }));
      transcript.add(said);
    };
    const start = { folder, args, input };
    const ended = await runProgramOf(integration, run, start, onSaid, { database, environment }, signal);
    await Promise.all(noted);
    const problem = problemOf(ended);
    await transcript.end(problem === undefined ? "complete" : "error", ended.end?.usage);
    if (problem === undefined) return { state: "done", result: await site.resultOf(ended.end?.text ?? "") };
    const error = redact(problem);
    if (isResumed === true && !transcript.hasBegun() && integration.headless.unknownSession.test(problem)) {
      await noteSession(database, run, { machine_id });
      // Without an answer of the model there is no session, and nothing was done.
      if (before === undefined || before.messages.length === 0)
        return { state: "again", error, progressed: false };
      return { state: "failed", error: `interrupted: its session can't be continued. ${error}` };
    }
    const hasSpoken = noted.length > 0 || transcript.hasBegun() || ended.end !== undefined;
    if (!hasSpoken && NOT_STARTED.has(ended.exit_code)) {
      const isMended = (until: AbortSignal) => starts(integration.program, folder, environment, until);
      return { state: "not here", why: error, fault: { isMended } };
    }
    return ended.end?.is_lasting === true
      ? { state: "failed", error }
      : { state: "again", error, progressed: transcript.progressed() };
  } finally {
    await claim.release();
  }
}

/** The codes with which a program ends that is not there, or may not be run. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);
const MOST_VERSION_BYTES = 10_000;

async function starts(
  file: string,
  cwd: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<boolean> {
  const order = { file, args: ["--version"], cwd, environment: childEnvironment(environment) };
  const { exit_code } = await runProgram({ ...order, signal, maxOutputBytes: MOST_VERSION_BYTES }).catch(
    () => ({ exit_code: null }),
  );
  return exit_code === 0;
}

/** @throws TenterhookError `usage_error` for an agent that can't work so. */
async function headlessIntegration(agent: string): Promise<Integration & { readonly headless: Headless }> {
  const integration = await integrationOf(agent);
  const { headless } = integration;
  if (headless === undefined) throw new Error(`${agent} does not say what it does without a terminal.`);
  return { ...integration, headless };
}

/** From the beginning, or where an earlier attempt on this machine was. What may have been done is never done again unseen. */
function beginningOf(
  { task, model, session }: TakenRun,
  { headless, begin, resume }: Integration & { readonly headless: Headless },
  machine_id: string,
  isNewClone: boolean,
): Beginning {
  const options = [...headless.args, ...(model === undefined ? [] : [headless.model, model])];
  const first = begin?.(options) ?? options;
  if (session === undefined) return { args: first, input: task };
  if (session.machine_id === machine_id && session.id !== undefined && resume !== undefined)
    return {
      ...{ args: resume(session.id, options), input: isNewClone ? NEW_CLONE : GO_ON, isResumed: true },
      note: `it goes on in its own session ${session.id}`,
    };
  return {
    args: first,
    input: `${AGAIN}\n\n${task}`,
    note: "it begins again: its session is on another machine, or gone",
  };
}

/** Why it did not end well; `undefined` when it did. */
function problemOf({ end, exit_code, last_words }: ProgramEnd): string | undefined {
  if (end?.error !== undefined) return [end.error, last_words].filter((one) => one !== "").join("\n");
  if (end !== undefined && exit_code === 0) return undefined;
  const how = exit_code === null ? "It was killed." : `It ended with code ${exit_code}.`;
  return `${how} ${last_words}`.trim();
}
