import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { transcriptsIn } from "../../../../agent/transcripts/postgres/postgres-store.ts";
import { ConfigError } from "../../../../config/parse/problem.ts";
import { trustClone, withoutUser } from "../../../../config/trust/repository.ts";
import { reviewTrust } from "../../../../config.ts";
import { isTenterhookError } from "../../../../core/base/errors.ts";
import { type Clone, cloneFor, reachesRepository } from "../../../../fleet/clone.ts";
import { machineBefore } from "../../../../fleet/program.ts";
import type { RunResult, TakenRun } from "../../../../fleet/run.ts";
import type { RunAgent } from "../../../../fleet/worker.ts";
import { machineId } from "../../../../monitor/team/membership.ts";
import { isInside } from "../../../../node/files/real-path.ts";
import type { Postgres } from "../../../../node/postgres/open-postgres.ts";
import { createRedactor } from "../../../../node/records/redact.ts";
import { stateFolder } from "../../../../node/user-folders.ts";
import type { KeptHooks } from "./kept-hooks.ts";
import { runOwnAgent } from "./own-agent.ts";
import { runProgramAgent } from "./program-agent.ts";

/** Where the clones of runs are: not below the state folder, which agents must not change. */
export function clonesFolder(environment: NodeJS.ProcessEnv): string {
  return `${stateFolder(environment)}-fleet`;
}

export function agentRunner(
  database: Postgres,
  environment: NodeJS.ProcessEnv,
  hooks: KeptHooks,
  report: (text: string) => void,
): RunAgent {
  const store = transcriptsIn(database, { environment });
  const redactor = createRedactor(environment);
  const redact = (text: string): string => redactor.text(text);
  return async (run, signal) => {
    const { run_id, agent, cwd, repo } = run;
    const place = join(clonesFolder(environment), run_id);
    const cloned = async (): Promise<Clone> => {
      const isOurs = (await machineBefore(database, run)) === (await machineId(environment));
      return cloneFor(run, place, { isOurs, environment }, signal);
    };
    let clone: Clone | undefined;
    try {
      clone = repo === undefined ? undefined : await cloned();
    } catch (error) {
      if (signal.aborted || repo === undefined || !isTenterhookError(error)) throw error;
      const why = redact(error.message);
      if (error.code === "invalid_option") return { state: "failed", error: why };
      const isMended = (until: AbortSignal) => reachesRepository(repo, environment, until);
      return { state: "not here", why, fault: { isMended } };
    }
    const folder = clone?.folder ?? cwd ?? "";
    if (!existsSync(folder)) {
      const why = `${hostname()} has no folder ${folder}.`;
      return { state: "not here", why, fault: { isMended: async () => existsSync(folder) } };
    }
    const site = {
      ...{ folder, environment, report, redact, store, database, hooks },
      isNewClone: clone?.isNew === true,
      resultOf: (text: string) => resultOf(text, clone, redact),
    };
    try {
      const refused = await refusedFor(run, folder, environment, signal);
      if (refused !== undefined) return { state: "failed", error: redact(refused) };
      return await (agent === "own" ? runOwnAgent(run, site, signal) : runProgramAgent(run, site, signal));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const why = redact(error.message);
      // What a repository has is the same on every machine.
      const isOfRun = repo !== undefined && error.problems.every(({ file }) => isInside(file, folder));
      if (isOfRun) return { state: "failed", error: why };
      return { state: "not here", why, fault: { isMended: (until) => opens(hooks, folder, until) } };
    }
  };
}

/** Why no agent may begin here: gates that nobody has trusted would refuse each of its calls. */
async function refusedFor(
  { repo }: TakenRun,
  cwd: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string | undefined> {
  const review = await reviewTrust({ cwd, environment, signal });
  const mayBegin =
    repo === undefined ? review.state !== "untrusted" : await trustClone(repo, review, environment);
  if (mayBegin) return undefined;
  const name = repo === undefined ? cwd : withoutUser(repo);
  const where =
    repo === undefined ? `${cwd}: tenterhook trust` : `a checkout of it: tenterhook trust --repo ${name}`;
  return `Nobody has trusted this version of the hooks of ${name} on ${hostname()}. In ${where} (digest ${review.digest})`;
}

async function opens(hooks: KeptHooks, folder: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { config, close } = await hooks.open(folder, signal);
    await close();
    return config.broken === undefined;
  } catch {
    return false;
  }
}

async function resultOf(
  text: string,
  clone: Clone | undefined,
  redact: (text: string) => string,
): Promise<RunResult> {
  const { branch, patch, clone: kept } = (await clone?.changes()) ?? {};
  const clean = patch === undefined ? undefined : redact(patch);
  const whole = clean === patch ? kept : clone?.folder;
  return { text: redact(text), branch, patch: clean, clone: whole };
}
