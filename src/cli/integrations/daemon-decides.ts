import { existsSync } from "node:fs";
import type { DaemonInfo } from "../../monitor/api/api.ts";
import { daemonPlace } from "../../monitor/report/daemon-place.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { findProgram } from "../../node/process/find-program.ts";
import { shortPath } from "../command-line/screen/text.ts";

/** Why `tenterhook hook` does not ask a daemon that runs; `undefined` when it does. */
export function whyNotAsked(
  { version, replaced }: DaemonInfo,
  environment: NodeJS.ProcessEnv,
  isOn: boolean,
): string | undefined {
  if (environment.TENTERHOOK_DAEMON === "0") return "TENTERHOOK_DAEMON=0 is set here. Unset it.";
  if (!isOn) return "the configuration has daemon: false.";
  if (replaced === true)
    return "its installation was removed or replaced, so it ends. The next call starts another one.";
  if (version !== PACKAGE_VERSION) return "it is of another version. Run: tenterhook daemon stop";
  // No other perl is asked: see client.sh.
  if (findProgram("/usr/bin/perl", "/", environment) === undefined)
    return "/usr/bin/perl is missing. Install perl.";
  const { hookSocket } = daemonPlace(environment);
  if (hookSocket === undefined)
    return "the path of the state folder is too long for a socket. Set XDG_STATE_HOME to a shorter one.";
  if (!existsSync(hookSocket))
    return `${shortPath(hookSocket, "/")} is missing. tenterhook daemon logs may say why.`;
  return undefined;
}
