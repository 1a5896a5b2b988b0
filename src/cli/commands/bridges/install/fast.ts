import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { Bridge } from "../../../../adapters/bridge.ts";
import type { HttpCall, WantedEvent } from "../../../../adapters/settings/agent-settings.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { PACKAGE_VERSION } from "../../../../node/package-version.ts";
import { isOlder, programVersion } from "../../../bridges/agent-version.ts";
import { daemonCall, runningDaemon } from "../../../bridges/daemon-call.ts";
import type { SettingsFile } from "../../../bridges/settings-files.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { usageError } from "../../../command-line/usage-error.ts";
import { installedService } from "../../monitor/daemon/service/service.ts";

const WITHOUT = "Without --fast, tenterhook hook asks the daemon by itself while it runs.";
const INSTALL_SERVICE = "Run: tenterhook monitor install-service.";

/** The variable that names a proxy for this machine's own address. */
function proxyFor(environment: NodeJS.ProcessEnv): string | undefined {
  const bypassed = [environment.NO_PROXY, environment.no_proxy].join(",").split(/[\s,]+/);
  if (bypassed.includes("127.0.0.1") || bypassed.includes("*")) return undefined;
  return ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].find(
    (name) => (environment[name] ?? "") !== "",
  );
}

/** @throws TenterhookError `usage_error` for an agent or a file that will not do. */
function checkFile({ table }: Bridge, { scope }: SettingsFile): void {
  if (!Object.values(table.events).some(({ http }) => http === true))
    throw usageError(
      `${table.title} can't ask the daemon itself: it has no http hooks that refuse a call when nobody answers.`,
      WITHOUT,
    );
  if (scope !== "user" && scope !== "local")
    throw usageError(
      "install --fast writes a token, and other people may read these settings.",
      "Add --scope user or --scope local.",
    );
}

/** @throws TenterhookError `usage_error` for a version that is too old or unknown: it may let calls pass. */
async function checkVersion({ table, program, since }: Bridge, invocation: Invocation): Promise<void> {
  const version = await programVersion(program, invocation);
  if (version !== undefined && isOlder(version, since.version))
    throw usageError(`${table.title} ${version} ${since.older}`, WITHOUT);
  if (version !== undefined && /^\d/.test(version)) return;
  const why =
    version === undefined ? `${program} is not on the PATH` : `${program} --version does not show it`;
  throw usageError(
    `install --fast needs ${table.title} ${since.version} or later, and its version is unknown: ${why}.`,
    `Add the folder of ${program} to the PATH. ${WITHOUT}`,
  );
}

/**
 * How a file asks the daemon that asks it already. New gates do not wait until the daemon is back.
 *
 * @throws TenterhookError `no_daemon`, or `usage_error` for a file that will not do.
 */
export function sameCall(bridge: Bridge, settings: SettingsFile, { environment }: Invocation): HttpCall {
  checkFile(bridge, settings);
  const http = daemonCall(bridge, environment);
  if (http !== undefined) return http;
  throw new TenterhookError("no_daemon", `No daemon has run here yet, and ${settings.file} asks one.`, {
    hint: INSTALL_SERVICE,
  });
}

/**
 * How an agent asks the daemon itself. Its gates refuse everything while the daemon is away, and its entries contain a
 * token: so it must be one that can, the daemon must be a service, and the file this user's alone.
 *
 * @throws TenterhookError `no_daemon`, or `usage_error` for an agent or a file that will not do.
 */
export async function fastCall(
  bridge: Bridge,
  settings: SettingsFile,
  invocation: Invocation,
): Promise<HttpCall> {
  const { table } = bridge;
  const { environment } = invocation;
  checkFile(bridge, settings);
  if (installedService(environment) === undefined)
    throw new TenterhookError(
      "no_daemon",
      "install --fast needs a daemon that runs as a service: while it is away, every call is refused.",
      { hint: `${INSTALL_SERVICE} ${WITHOUT}` },
    );
  await checkVersion(bridge, invocation);
  const proxy = proxyFor(environment);
  if (proxy !== undefined)
    throw usageError(
      `${proxy} would take calls of the daemon, with their token, elsewhere.`,
      `Add 127.0.0.1 to NO_PROXY wherever ${table.title} is started. ${WITHOUT}`,
    );
  const info = await runningDaemon(environment);
  const http = daemonCall(bridge, environment);
  if (info?.version === PACKAGE_VERSION && http !== undefined) return http;
  throw new TenterhookError(
    "no_daemon",
    info === undefined
      ? "The monitor's daemon does not answer, so every call would be refused."
      : `The monitor's daemon is of version ${info.version}, and this is ${PACKAGE_VERSION}.`,
    { hint: `${INSTALL_SERVICE} tenterhook monitor logs may say more. ${WITHOUT}` },
  );
}

/** What people must know about a file that asks the daemon. */
export function fastNote(events: readonly WantedEvent[], { table }: Bridge, { file }: SettingsFile): string {
  const asking = events.flatMap(({ native, http }) => (http === undefined ? [] : [native]));
  const isLinked = [file, dirname(file)].some((path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink(),
  );
  const where = isLinked ? "The file is behind a link, and has" : "The file has";
  return `${table.title} asks the daemon itself for ${asking.join(", ")}, and refuses them while it is away. ${where} a token for that: do not share or commit it.`;
}
