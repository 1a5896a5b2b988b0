import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";
import { agentVariables } from "../../../../adapters/agents.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { passingDaemon } from "../../../../hook/process/start-daemon.ts";
import { type MonitorClient, monitorClient } from "../../../../monitor/client.ts";
import { failureIn } from "../../../../monitor/daemon/log-text.ts";
import { monitorVariables } from "../../../../monitor/notify/variables.ts";
import { daemonPlace } from "../../../../monitor/report/daemon-place.ts";
import { claimedBy } from "../../../../node/files/claim-file.ts";
import { endOfFile } from "../../../../node/files/regular-file.ts";
import { isRunning } from "../../../../node/identity/process-identity.ts";
import { installHint } from "../../../../node/optional-package.ts";
import { ownProgram } from "../../../../node/own-program.ts";
import { isOlderVersion, PACKAGE_VERSION } from "../../../../node/package-version.ts";
import { hasSqlite } from "../../../../node/sqlite/load-sqlite.ts";
import { withoutCode } from "../../../../shared/code-variables.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { progress } from "../../../command-line/screen/progress.ts";

/** On a busy machine a daemon starts slowly, and one that is asked to stop may finish its calls first. One that fails ends before. */
const MOST_MILLISECONDS = 60_000;
const PAUSE_MILLISECONDS = 25;
const LOG_BYTES = 10_000;

/**
 * A client of the running daemon. Starts one when none runs, and replaces an older one. One that is started ends when nobody
 * needs it, unless it `stays`.
 *
 * @throws TenterhookError `monitor_unreachable` when none can be started.
 */
export async function connected(
  { environment, signal, screen, json }: Invocation,
  { stays = false }: { readonly stays?: boolean } = {},
): Promise<MonitorClient> {
  const client = monitorClient(environment);
  // One that was to stay is replaced by one that stays.
  const isKept = stays || (await client.info())?.started_by === "command";
  if (!(await makeRoom({ environment, signal }))) return client;
  const done = json ? () => {} : progress(screen, "Starting the monitor…");
  await startDaemonProcess(client, environment, signal, isKept).finally(done);
  return client;
}

/** Stops an older daemon, so that this process can be the daemon. False when one runs that is not older. */
export async function makeRoom({
  environment,
  signal,
}: Pick<Invocation, "environment" | "signal">): Promise<boolean> {
  const running = await monitorClient(environment).info();
  if (running === undefined) return true;
  // Two copies of the package must not replace each other's daemon again and again.
  if (!isOlderVersion(running.version, PACKAGE_VERSION)) return false;
  await stopDaemon(environment, signal);
  return true;
}

/**
 * Starts a daemon when none runs, and does not wait for it.
 *
 * @throws TenterhookError `monitor_unreachable` when none can be started.
 */
export async function startWhenNeeded(environment: NodeJS.ProcessEnv): Promise<void> {
  if ((await monitorClient(environment).info()) === undefined) await spawnDaemon(environment, false);
}

async function startDaemonProcess(
  client: MonitorClient,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
  stays: boolean,
): Promise<void> {
  const since = new Date().toISOString();
  const daemon = await spawnDaemon(environment, stays);
  const found = await whenTrue(async () => {
    const running = await client.info();
    const end = daemon.exitCode ?? daemon.signalCode;
    if (running === undefined && end !== null) mustBeStarting(environment, since, end);
    return running;
  }, signal);
  if (found === undefined)
    throw new TenterhookError("monitor_unreachable", "The monitor's daemon did not start.");
}

/**
 * The daemon that this process has started has ended. Another process may have been faster.
 *
 * @throws TenterhookError `monitor_unreachable` unless the log says that another one has started.
 */
function mustBeStarting(environment: NodeJS.ProcessEnv, since: string, end: number | string): void {
  const { folder, log } = daemonPlace(environment);
  const failure = failureIn(endOfFile(log, LOG_BYTES), since);
  if (failure?.code === "monitor_unreachable") return;
  const title = "The monitor's daemon did not start.";
  if (failure !== undefined) throw new TenterhookError("monitor_unreachable", `${title} ${failure.message}`);
  const why = `It ended with ${end} and wrote no reason to ${log}.`;
  throw new TenterhookError("monitor_unreachable", `${title} ${why}`, {
    hint: `Make room on the disk, make ${folder} writable for this user, or set XDG_STATE_HOME to another folder. tenterhook daemon start --foreground shows the error.`,
  });
}

async function spawnDaemon(environment: NodeJS.ProcessEnv, stays: boolean): Promise<ChildProcess> {
  if (!hasSqlite())
    throw new TenterhookError("monitor_unreachable", "The monitor needs a package that is not installed.", {
      hint: `${installHint("tenterhook-sqlite")}.`,
    });
  const program = stays ? ownProgram("daemon", "start", "--foreground") : passingDaemon();
  return startAlone(program, await daemonEnvironment(environment));
}

/** Starts a program in a process of its own, which outlives this one. That it can't be started is not an error. */
export function startAlone(
  { file, args }: { readonly file: string; readonly args: readonly string[] },
  env: NodeJS.ProcessEnv,
): ChildProcess {
  const child = spawn(file, args, { detached: true, stdio: "ignore", cwd: "/", env });
  child.on("error", () => undefined);
  child.unref();
  return child;
}

/**
 * Asks the daemon to stop and waits until another one can start. Hooks that it runs in the background may go on.
 *
 * @returns false when none was running.
 */
export async function stopDaemon(environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<boolean> {
  const client = monitorClient(environment);
  const { pid } = (await client.info()) ?? {};
  if (pid === undefined) return false;
  await client.stop();
  const { lock } = daemonPlace(environment);
  const hasStopped = async () => !isRunning(pid) || claimedBy(lock) === undefined || undefined;
  if ((await whenTrue(hasStopped, signal)) === undefined)
    throw new TenterhookError("monitor_unreachable", "The monitor's daemon does not stop.");
  return true;
}

/** The same, and waits until its process has stored what it leaves behind, and ended. */
export async function endDaemon(environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const { pid = process.pid } = (await monitorClient(environment).info()) ?? {};
  await stopDaemon(environment, signal);
  if (pid !== process.pid) await whenTrue(async () => !isRunning(pid) || undefined, signal);
}

async function whenTrue<Result>(
  look: () => Promise<Result | undefined>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  const latest = performance.now() + MOST_MILLISECONDS;
  while (performance.now() < latest) {
    const found = await look();
    if (found !== undefined) return found;
    await after(PAUSE_MILLISECONDS, undefined, { signal });
  }
  return undefined;
}

/** What we set for the programs of an agent, of a session and of a hook. */
const OURS: readonly string[] = [
  "TENTERHOOK_AGENT_ID",
  "TENTERHOOK_SLOT",
  "TENTERHOOK_WOKEN_BY",
  "TENTERHOOK_SESSION_ID",
  "TENTERHOOK_PROJECT_DIR",
  "TENTERHOOK_RUN",
  "TENTERHOOK_SESSION_RUN",
  "TENTERHOOK_MCP_SERVERS",
];

/**
 * The variables of the daemon and of all it starts: those of the user's shell, without what an agent sets for the
 * programs that it runs, as the daemon may be started by one, and without variables that load code. The secrets in `monitor.env` are left out too: only
 * notifications have them, and they read the file.
 */
export async function daemonEnvironment(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const secrets = Object.keys(monitorVariables(environment).variables);
  const removed = new Set([...OURS, ...(await agentVariables()), ...secrets]);
  return withoutCode(Object.fromEntries(Object.entries(environment).filter(([name]) => !removed.has(name))));
}
