import { existsSync } from "node:fs";
import { monitorClient } from "../../../../monitor/client.ts";
import type { DaemonInfo } from "../../../../monitor/daemon/api.ts";
import { daemonPlace } from "../../../../monitor/report/daemon-place.ts";
import { countSpooled, spoolFolder } from "../../../../monitor/report/spool.ts";
import { droppedFrom } from "../../../../monitor/report/spool-files.ts";
import { PACKAGE_VERSION } from "../../../../node/package-version.ts";
import { findProgram } from "../../../../node/process/find-program.ts";
import { counted } from "../../../command-line/screen/text.ts";
import { droppedText } from "../../monitor/status.ts";
import type { Finding } from "./checks.ts";

/** Whether the monitor's daemon runs, and whether it decides calls of `tenterhook hook`. */
export async function monitorFinding(environment: NodeJS.ProcessEnv): Promise<Finding> {
  const about = "monitor";
  // One that does not answer as it should counts as none.
  const info = await monitorClient(environment)
    .info()
    .catch(() => undefined);
  if (info === undefined) {
    const waiting = countSpooled(environment);
    const more =
      waiting === 0 ? "" : ` ${counted(waiting, "event")} ${waiting === 1 ? "waits" : "wait"} for it.`;
    return {
      level: "ok",
      about,
      message: `No daemon runs, and none is needed: hooks decide without it.${more}`,
    };
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

/** Whether something was lost because no daemon took it in. */
export function droppedFindings(environment: NodeJS.ProcessEnv): readonly Finding[] {
  const dropped = droppedFrom(spoolFolder(environment));
  return dropped === undefined ? [] : [{ level: "warning", about: "monitor", message: droppedText(dropped) }];
}

/** Why `tenterhook hook` can't ask the daemon; `undefined` when it can. */
function whyNotAsked({ version, replaced }: DaemonInfo, environment: NodeJS.ProcessEnv): string | undefined {
  if (replaced === true)
    return "its installation was removed or replaced, so it ends. The next call starts another one.";
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
