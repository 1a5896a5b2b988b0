import { existsSync, statSync } from "node:fs";
import type { DaemonInfo } from "../../../../monitor/daemon/api.ts";
import { daemonPlace } from "../../../../monitor/daemon/place.ts";
import { countSpooled } from "../../../../monitor/spool.ts";
import { PACKAGE_VERSION } from "../../../../node/package-version.ts";
import { findProgram } from "../../../../node/process/find-program.ts";
import { runningDaemon } from "../../../bridges/daemon-call.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { counted } from "../../../command-line/screen/text.ts";
import { installedService } from "../../monitor/daemon/service/service.ts";
import type { Finding } from "./checks.ts";

/**
 * Whether the monitor's daemon runs, and whether it decides calls of `tenterhook hook`.
 *
 * @param isAsked true when an agent asks it itself.
 */
export async function monitorFinding(environment: NodeJS.ProcessEnv, isAsked: boolean): Promise<Finding> {
  const about = "monitor";
  const info = await runningDaemon(environment);
  if (info === undefined) {
    const waiting = countSpooled(environment);
    const more =
      waiting === 0 ? "" : ` ${counted(waiting, "event")} ${waiting === 1 ? "waits" : "wait"} for it.`;
    const needed = isAsked ? "." : ", and none is needed: hooks decide without it.";
    return { level: "ok", about, message: `No daemon runs${needed}${more}` };
  }
  const runs = `The daemon runs (process ${info.pid}, version ${info.version})`;
  const problem = whyNotAsked(info, environment);
  if (problem === undefined)
    return { level: "ok", about, message: `${runs}, and tenterhook hook asks it first.` };
  return {
    level: "warning",
    about,
    message: `${runs}, but hooks decide without it, more slowly: ${problem}`,
  };
}

/** What is wrong with a daemon that an agent asks itself: its gates refuse everything without it. */
export async function askedDaemonFindings(
  file: string,
  path: string,
  { environment }: Invocation,
): Promise<readonly Omit<Finding, "about">[]> {
  const info = await runningDaemon(environment);
  const start = "tenterhook monitor install-service starts it, tenterhook install without --fast needs none.";
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  const isShared = process.platform !== "win32" && (mode & 0o077) !== 0;
  return [
    ...(info === undefined
      ? [
          {
            level: "error",
            message: `${path} asks the daemon, which does not run: every call is refused. ${start}`,
          } as const,
        ]
      : []),
    ...(info !== undefined && installedService(environment) === undefined
      ? [
          {
            level: "warning",
            message: `${path} asks the daemon, which is not a service: when it ends, every call is refused. ${start}`,
          } as const,
        ]
      : []),
    ...(isShared
      ? [
          {
            level: "warning",
            message: `${path} has a token, and others can read the file: chmod 600 ${path}`,
          } as const,
        ]
      : []),
  ];
}

/** Why `tenterhook hook` can't ask the daemon; `undefined` when it can. */
function whyNotAsked({ version }: DaemonInfo, environment: NodeJS.ProcessEnv): string | undefined {
  if (version !== PACKAGE_VERSION) return "it is of another version. Run: tenterhook monitor stop";
  // No other perl is asked: see client.sh.
  if (findProgram("/usr/bin/perl", "/", environment) === undefined)
    return "/usr/bin/perl is missing. Install perl.";
  const { hookSocket } = daemonPlace(environment);
  if (hookSocket === undefined)
    return "the path of the state folder is too long for a socket. Set XDG_STATE_HOME to a shorter one.";
  if (!existsSync(hookSocket)) return `${hookSocket} is missing. tenterhook monitor logs may say why.`;
  return undefined;
}
