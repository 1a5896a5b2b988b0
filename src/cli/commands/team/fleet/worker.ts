import { existsSync } from "node:fs";
import { TRANSCRIPTS } from "../../../../agent/transcripts/postgres/schema.ts";
import { loadConfigCached } from "../../../../config/open.ts";
import { neededDatabase } from "../../../../config/shared-database.ts";
import { errorMessage, ignore } from "../../../../core/base/error-text.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { tidyClones } from "../../../../fleet/clone.ts";
import { FLEET } from "../../../../fleet/open-fleet.ts";
import { pruneRuns } from "../../../../fleet/prune.ts";
import { openQueue, REDIS_VARIABLE } from "../../../../fleet/queue.ts";
import type { RunAgentName } from "../../../../fleet/run.ts";
import { FleetWorker } from "../../../../fleet/worker.ts";
import { monitorClient } from "../../../../monitor/client.ts";
import { hasTriggers } from "../../../../monitor/report/detect.ts";
import { machineId } from "../../../../monitor/team/membership.ts";
import { startTick } from "../../../../monitor/tick.ts";
import { nearestFolder } from "../../../../node/files/folders.ts";
import { DATABASE_VARIABLE } from "../../../../node/postgres/address.ts";
import { connect, openPostgres, type Postgres } from "../../../../node/postgres/open-postgres.ts";
import { findProgram } from "../../../../node/process/find-program.ts";
import { letProgramsEnd } from "../../../../node/process/running.ts";
import { homeFolder } from "../../../../node/user-folders.ts";
import { type Invocation, numberOption, textOption, textsOption } from "../../../command-line/command.ts";
import { harmless } from "../../../command-line/screen/text.ts";
import { secondsOption } from "../../../command-line/times.ts";
import { usageError } from "../../../command-line/usage-error.ts";
import { connected, startWhenNeeded, stopDaemon } from "../../monitor/daemon/connect.ts";
import { keptHooks } from "./kept-hooks.ts";
import { listenForProbes } from "./listen.ts";
import { agentRunner, clonesFolder } from "./run-agent.ts";

const LEASE_SECONDS = 15;
const LEAST_LEASE_SECONDS = 1;
/** Shorter than the time that the row of the command has for its end. */
const DRAIN_MILLISECONDS = 30_000;
/** A statement takes milliseconds, so many runs share few connections; a server has about 100 for all workers. */
const MOST_CONNECTIONS = 20;
const TIDY_MILLISECONDS = 5000;
const PRUNE_MILLISECONDS = 60 * 60 * 1000;
/** A statement without an answer for a lease is lost with its connection; a busy server has at least so long. */
const LEAST_ANSWER_MILLISECONDS = 10_000;

/** `tenterhook fleet worker`: works on runs until it is told to end. */
export async function run(invocation: Invocation): Promise<void> {
  letProgramsEnd();
  await workHere(invocation);
}

/** The same in a process that has other things to do: signals to it do what they did before. */
export async function workHere(invocation: Invocation): Promise<void> {
  const { environment, screen, signal } = invocation;
  const concurrency = numberOption(invocation, "concurrency") ?? 1;
  const lease = secondsOption(invocation, "lease") ?? LEASE_SECONDS;
  if (lease < LEAST_LEASE_SECONDS)
    throw usageError(`--lease is at least ${LEAST_LEASE_SECONDS}s.`, "Default 15s.");
  const address = await neededDatabase(environment);
  // A worker waits for its server as long as it takes.
  const settings = { address, patienceMilliseconds: Number.POSITIVE_INFINITY };
  const connections = Math.min(concurrency + 2, MOST_CONNECTIONS);
  const answerMilliseconds = Math.max(lease * 1000, LEAST_ANSWER_MILLISECONDS);
  const database = await openPostgres([TRANSCRIPTS, FLEET], { ...settings, connections, answerMilliseconds });
  const leases = await connect({ ...settings, connections: 2, answerMilliseconds: (lease * 1000) / 2 });
  const queue = await openQueue(address, environment[REDIS_VARIABLE]);
  const report = (text: string): void => screen.tell(harmless(text));
  const models = textOption(invocation, "models") ?? "*";
  const labels = textsOption(invocation, "label");
  const drained = new AbortController();
  const machine_id = await machineId(environment);
  const hooks = keptHooks(environment, report);
  const worker = new FleetWorker({
    ...{ database, leases, queue, concurrency, labels, report, machine_id, leaseMilliseconds: lease * 1000 },
    onDrain: () => drained.abort(),
    runAgent: agentRunner(database, environment, hooks, report),
    takes: takesOf(database, { models, labels }, environment, report),
  });
  // Before it takes a run: it may be unable to.
  const listen = textOption(invocation, "listen");
  const probes = listen === undefined ? undefined : await listenForProbes(listen, worker, database);
  await startMonitor(invocation, report);
  await worker.start();
  const tidying = startTick([[() => tidy(database, environment)]], ignore, TIDY_MILLISECONDS);
  const pruning = startTick([[() => prune(database, environment)]], ignore, PRUNE_MILLISECONDS);
  if (probes !== undefined) report(`${probes.url} has /healthz, /readyz and /metrics.`);
  screen.print(`Worker ${worker.id} takes runs from ${database.place}. Ctrl-C lets them end.`);
  const ending = AbortSignal.any([signal, drained.signal]);
  if (!ending.aborted) await new Promise((resolve) => ending.addEventListener("abort", resolve));
  await worker.close(DRAIN_MILLISECONDS);
  await probes?.close();
  await hooks.close();
  await tidying.close();
  await pruning.close();
  await queue.close();
  await leases.close();
  await database.close();
}

async function tidy(database: Postgres, environment: NodeJS.ProcessEnv): Promise<void> {
  const clones = clonesFolder(environment);
  if (existsSync(clones)) await tidyClones(database, clones);
}

async function prune(database: Postgres, environment: NodeJS.ProcessEnv): Promise<void> {
  const { settings } = await loadConfigCached({ cwd: nearestFolder(homeFolder(environment)), environment });
  const { run_days } = settings.monitor.history ?? {};
  const day = 24 * 60 * 60 * 1000;
  if (run_days !== undefined) await pruneRuns(database, run_days * day, new AbortController().signal);
}

/** Starts the monitor where the worker's user has it: answers that are given anywhere reach runs through it. */
async function startMonitor(invocation: Invocation, report: (text: string) => void): Promise<void> {
  const { environment } = invocation;
  await shareDatabase(invocation, report);
  const { settings } = await loadConfigCached({ cwd: nearestFolder(homeFolder(environment)), environment });
  if (!hasTriggers(settings.monitor)) return;
  try {
    await startWhenNeeded(environment);
  } catch (error) {
    report(`The monitor does not start: ${errorMessage(error)}`);
  }
}

/**
 * Starts a daemon anew that knows nothing of the database: the answers that it is given would reach no run.
 *
 * @throws TenterhookError `monitor_unreachable` for one that serves a team, which is not ours to end.
 */
async function shareDatabase(invocation: Invocation, report: (text: string) => void): Promise<void> {
  const { environment, signal } = invocation;
  const daemon = await monitorClient(environment).info();
  if (daemon === undefined || daemon.database !== undefined) return;
  if (daemon.serves !== undefined)
    throw new TenterhookError(
      "monitor_unreachable",
      `The daemon that serves ${daemon.serves} (process ${daemon.pid}) was started without this database, so its answers would not reach runs.`,
      { hint: `Start it again with ${DATABASE_VARIABLE}, or set monitor.database in your own file.` },
    );
  await stopDaemon(environment, signal);
  await connected({ ...invocation, json: true }, { stays: daemon.started_by === "command" });
  report("The daemon was started without this database; it has started again, with it.");
}

interface Wanted {
  readonly model: string | null;
  readonly agent: RunAgentName;
  readonly needs: readonly string[];
}

/**
 * Whether this worker takes a run: its model fits a pattern such as `anthropic/*` (one without a model fits every pattern), its
 * program is here, and so is what it needs.
 */
function takesOf(
  { query }: Postgres,
  { models, labels }: { readonly models: string; readonly labels: readonly string[] },
  environment: NodeJS.ProcessEnv,
  report: (text: string) => void,
) {
  const parts = models.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const fits = new RegExp(`^${parts.join(".*")}$`);
  const told = new Set<string>();
  return async (run_id: string): Promise<boolean> => {
    const [row] = await query<Wanted>("SELECT model, agent, needs FROM tenterhook.runs WHERE run = $1", [
      run_id,
    ]);
    if (row === undefined) return true;
    const { model, agent, needs } = row;
    if (!needs.every((label) => labels.includes(label))) return false;
    if (model !== null && !fits.test(model)) return false;
    if (agent === "own" || findProgram(agent, "/", environment) !== undefined) return true;
    if (!told.has(run_id)) report(`${run_id} waits for a worker that has the program ${agent}.`);
    told.add(run_id);
    return false;
  };
}
