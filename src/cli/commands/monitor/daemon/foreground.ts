import { realpathSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { loadConfigCached } from "../../../../config/open.ts";
import { sharedDatabase } from "../../../../config/shared-database.ts";
import { endedQuestions } from "../../../../fleet/parked-runs.ts";
import { serveCalls } from "../../../../hook/daemon/serve.ts";
import type { DaemonInfo } from "../../../../monitor/api/api.ts";
import type { SettingsFor } from "../../../../monitor/context.ts";
import { type DaemonOptions, startDaemon } from "../../../../monitor/daemon/daemon.ts";
import { failureText, logEntry } from "../../../../monitor/daemon/log-text.ts";
import { daemonPlace } from "../../../../monitor/report/daemon-place.ts";
import { sqliteMonitor } from "../../../../monitor/store/sqlite-monitor.ts";
import { appendLines } from "../../../../node/files/append.ts";
import { makePrivateFolder, nearestFolder } from "../../../../node/files/folders.ts";
import { rotate } from "../../../../node/files/rotate.ts";
import { ownProgram } from "../../../../node/own-program.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { policyOf } from "../dashboard/policy.ts";
import { daemonEnvironment, startAlone } from "./connect.ts";

const MOST_LOG_BYTES = 1_000_000;

interface RunOptions {
  /** How long nobody has to need it before it ends; without it, it stays. */
  readonly idleSeconds?: number | undefined;
  /** Where a team reaches it. */
  readonly serve?: DaemonOptions["serve"];
  readonly onStart?: (info: DaemonInfo) => void;
}

/** Is the daemon until it is asked to stop. */
export async function runDaemon(
  { environment: given, signal }: Invocation,
  { idleSeconds, serve, onStart = () => undefined }: RunOptions = {},
): Promise<void> {
  // It stays for days, and what calls leave behind would grow to four times what is in use before it is collected.
  setFlagsFromString("--optimize-for-size");
  const environment = await daemonEnvironment(given);
  // What handlers read of this process must not be an agent's.
  for (const name of Object.keys(given)) {
    if (!(name in environment)) delete process.env[name];
    else if (environment[name] !== given[name]) process.env[name] = environment[name];
  }
  const log = logTo(daemonPlace(environment));
  const onError = (error: unknown): void => log(`failed: ${failureText(error)}`);
  process.on("unhandledRejection", onError);
  let end = (): void => undefined;
  const broken = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Calls under way are finished; the next one starts another daemon.
  const onBroken = (error: unknown): void => {
    onError(error);
    end();
  };
  process.on("uncaughtException", onBroken);
  // Without a listener Node opens its debugger, and code that an agent runs there answers in its user's name.
  const onDebug = (): void => log("a process has asked for the debugger (SIGUSR1), which stays closed");
  process.on("SIGUSR1", onDebug);
  try {
    // A name that is wrong must not keep calls from being decided.
    const address = await sharedDatabase(environment).catch(onError);
    const database = address ? { address } : undefined;
    const daemon = await startDaemon({
      openStore: sqliteMonitor,
      settingsFor: settingsIn(environment, onError),
      carryOut: startAction(environment),
      policy: policyOf(environment),
      serveCalls: (socket, onReplaced, ask) =>
        serveCalls({ socket, program: realpathSync(process.argv[1] ?? ""), onReplaced, ask, log: onError }),
      idleMilliseconds: idleSeconds === undefined ? undefined : idleSeconds * 1000,
      serve,
      database,
      endedQuestions: database && endedQuestions(environment),
      environment,
      log,
    });
    onStart(daemon.info);
    await Promise.race([
      daemon.stopRequested,
      broken,
      new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true })),
    ]);
    await daemon.close();
    log("stopped");
  } catch (error) {
    onError(error);
    throw error;
  } finally {
    process.off("unhandledRejection", onError).off("uncaughtException", onBroken).off("SIGUSR1", onDebug);
  }
}

/** Starts a process that carries out an action. It outlives the daemon. */
export function startAction(environment: NodeJS.ProcessEnv): (actionId: string) => void {
  return (actionId) => {
    // It is started again when it has claimed nothing.
    startAlone(ownProgram("daemon", "carry-out", actionId), environment);
  };
}

/** Writes lines with their time; the log before the last full one is dropped. */
function logTo({ folder, log }: { readonly folder: string; readonly log: string }): (line: string) => void {
  return (line) => {
    try {
      makePrivateFolder(folder);
      const before = appendLines(log, [logEntry(line, new Date().toISOString())]);
      if (before > MOST_LOG_BYTES) rotate(log, MOST_LOG_BYTES, () => `${log}.old`);
    } catch {
      // Nobody could be notified.
    }
  };
}

/** Agents and their decisions are many, their folders few. */
const SAME_MILLISECONDS = 1000;

/** Reads what the monitor does by itself for an agent in a folder; nothing when that can't be read. */
export function settingsIn(environment: NodeJS.ProcessEnv, onError: (error: unknown) => void): SettingsFor {
  const recent = new Map<string, ReturnType<SettingsFor>>();
  let since = 0;
  const read: SettingsFor = async (cwd) => {
    try {
      return (await loadConfigCached({ cwd: nearestFolder(cwd), environment })).settings.monitor;
    } catch (error) {
      onError(error);
      return {};
    }
  };
  return (cwd) => {
    const now = Date.now();
    if (Math.abs(now - since) > SAME_MILLISECONDS) {
      recent.clear();
      since = now;
    }
    const settings = recent.get(cwd) ?? read(cwd);
    recent.set(cwd, settings);
    return settings;
  };
}
