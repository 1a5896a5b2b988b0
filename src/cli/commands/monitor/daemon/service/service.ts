import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../../../../../core/base/error-text.ts";
import { TenterhookError } from "../../../../../core/base/errors.ts";
import { makeFolders } from "../../../../../node/files/folders.ts";
import { ownProgram } from "../../../../../node/own-program.ts";
import { isFile } from "../../../../../node/process/find-program.ts";
import { configFolder, homeFolder } from "../../../../../node/user-folders.ts";
import type { Invocation } from "../../../../command-line/command.ts";
import { shortPath } from "../../../../command-line/screen/text.ts";
import { usageError } from "../../../../command-line/usage-error.ts";
import { asItWas, replaceFile } from "../../../../integrations/settings-changes.ts";
import { stopDaemon } from "../connect.ts";
import { launchdPlist, type ServiceStart, systemdUnit } from "./service-files.ts";

interface ServiceManager {
  file(environment: NodeJS.ProcessEnv): string;
  text(start: ServiceStart): string;
  /** The commands that make the system start it, and those that make it stop. */
  start(file: string): readonly (readonly string[])[];
  stop(file: string): readonly (readonly string[])[];
}

const NAME = "tenterhook-monitor.service";
const LABEL = "dev.tenterhook.monitor";

const MANAGERS: Partial<Readonly<Record<NodeJS.Platform, ServiceManager>>> = {
  linux: {
    file: (environment) => join(configFolder(environment), "..", "systemd", "user", NAME),
    text: systemdUnit,
    start: () => [
      ["systemctl", "--user", "daemon-reload"],
      ["systemctl", "--user", "enable", NAME],
      ["systemctl", "--user", "restart", NAME],
    ],
    stop: () => [["systemctl", "--user", "disable", "--now", NAME]],
  },
  darwin: {
    file: (environment) => join(homeFolder(environment), "Library", "LaunchAgents", `${LABEL}.plist`),
    text: (start) => launchdPlist(LABEL, start),
    start: (file) => [["launchctl", "bootstrap", domain(), file]],
    stop: () => [["launchctl", "bootout", `${domain()}/${LABEL}`]],
  },
};

function domain(): string {
  return `gui/${process.getuid?.() ?? 0}`;
}

/** `tenterhook monitor install-service`: starts the daemon at every login, and now. */
export async function installService(invocation: Invocation): Promise<number | void> {
  const { environment, signal, screen, json, cwd } = invocation;
  const manager = managerHere();
  const file = manager.file(environment);
  const definition = manager.text(startOf(environment));
  // launchd does not load a service that is loaded. One that does not run can't be stopped.
  if (isFile(file)) firstFailure(manager.stop(file), environment);
  let backup: string | undefined;
  try {
    makeFolders(dirname(file));
    backup = await replaceFile(file, definition, invocation, 0o600);
  } catch (cause) {
    throw new TenterhookError("write_failed", `${file} can't be written: ${errorMessage(cause)}.`, { cause });
  }
  // The service can't be the daemon while another process is.
  await stopDaemon(environment, signal);
  const failed = firstFailure(manager.start(file), environment);
  if (json) screen.json({ file, started: failed === undefined, ...failed });
  else {
    const text = failed
      ? `Wrote ${shortPath(file, cwd)}, but ${failed.command} failed: ${failed.why}`
      : `The monitor runs as a service, now and after every login: ${shortPath(file, cwd)}`;
    (failed ? screen.tell : screen.print)(text, ...asItWas(invocation, backup));
  }
  return failed === undefined ? undefined : 1;
}

export async function uninstallService(invocation: Invocation): Promise<void> {
  const { environment, screen, json, cwd } = invocation;
  const manager = managerHere();
  const file = manager.file(environment);
  const installed = isFile(file);
  // A service that does not run can't be stopped.
  if (installed) firstFailure(manager.stop(file), environment);
  rmSync(file, { force: true });
  if (json) screen.json({ file, removed: installed });
  else
    screen.print(
      installed
        ? `The service is gone: ${shortPath(file, cwd)} was removed. Hooks decide without it.`
        : "The monitor is not installed as a service.",
    );
}

function managerHere(): ServiceManager {
  const manager = MANAGERS[process.platform];
  if (manager !== undefined) return manager;
  throw usageError(
    `There are no services for the monitor on ${process.platform}.`,
    "Commands start the daemon when they need it.",
  );
}

/** The variables that say where the daemon's files are, and where programs are. */
const VARIABLES = ["PATH", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"];

function startOf(environment: NodeJS.ProcessEnv): ServiceStart {
  const { file, args } = ownProgram("monitor", "start", "--foreground");
  const present = VARIABLES.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { command: [file, ...args], variables: Object.fromEntries(present) };
}

const MOST_MILLISECONDS = 30_000;

/** Runs commands one after another. Returns the first that fails, and why. */
function firstFailure(commands: readonly (readonly string[])[], environment: NodeJS.ProcessEnv) {
  for (const [program = "", ...args] of commands) {
    const { status, error, stderr } = spawnSync(program, args, {
      env: environment,
      encoding: "utf8",
      timeout: MOST_MILLISECONDS,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const command = [program, ...args].join(" ");
    if (error !== undefined) return { command, why: `${error.message}.` };
    if (status !== 0) return { command, why: stderr.trim() || `exit code ${status}.` };
  }
  return undefined;
}
