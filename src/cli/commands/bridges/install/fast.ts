import type { Bridge } from "../../../../adapters/bridge.ts";
import type { HttpCall } from "../../../../adapters/settings/agent-settings.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { monitorClient } from "../../../../monitor/client.ts";
import { PACKAGE_VERSION } from "../../../../node/package-version.ts";
import { isOlder, programVersion } from "../../../bridges/agent-version.ts";
import { daemonCall } from "../../../bridges/daemon-call.ts";
import type { SettingsFile } from "../../../bridges/settings-files.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { installedService } from "../../monitor/daemon/service/service.ts";

const WITHOUT = "Or leave --fast out: while the daemon runs, tenterhook hook asks it by itself.";
const RESTART = "Run: tenterhook monitor install-service.";

/** The variable that names a proxy for this machine's own address. */
function proxyFor(environment: NodeJS.ProcessEnv): string | undefined {
  const spared = [environment.NO_PROXY, environment.no_proxy].join(",").split(/[\s,]+/);
  if (spared.includes("127.0.0.1") || spared.includes("*")) return undefined;
  return ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].find(
    (name) => (environment[name] ?? "") !== "",
  );
}

/**
 * How an agent asks the daemon itself. Its gates refuse everything while the daemon is away, and its entries contain a
 * token: so it must be one that can, the daemon must be a service, and the file this user's alone.
 *
 * @throws TenterhookError `no_daemon`, or `usage_error` for an agent or a file that will not do.
 */
export async function fastCall(
  bridge: Bridge,
  { scope }: SettingsFile,
  invocation: Invocation,
): Promise<HttpCall> {
  const { table, program, since } = bridge;
  const { environment } = invocation;
  if (!Object.values(table.events).some(({ http }) => http === true))
    throw new TenterhookError(
      "usage_error",
      `${table.title} can't ask the daemon itself: it has no http hooks that refuse a call when nobody answers.`,
      { hint: WITHOUT },
    );
  if (scope !== "user" && scope !== "local")
    throw new TenterhookError(
      "usage_error",
      "install --fast writes a token, and other people may read these settings.",
      { hint: "Add --scope user or --scope local." },
    );
  const version = await programVersion(program, invocation);
  if (version !== undefined && isOlder(version, since.version))
    throw new TenterhookError("usage_error", `${table.title} ${version} ${since.older}`, { hint: WITHOUT });
  const proxy = proxyFor(environment);
  if (proxy !== undefined)
    throw new TenterhookError(
      "usage_error",
      `${proxy} would take calls of the daemon, with their token, elsewhere.`,
      {
        hint: `Add 127.0.0.1 to NO_PROXY wherever ${table.title} is started. ${WITHOUT}`,
      },
    );
  if (installedService(environment) === undefined)
    throw new TenterhookError(
      "no_daemon",
      "install --fast needs a daemon that runs as a service: while it is away, everything is refused.",
      { hint: `${RESTART} ${WITHOUT}` },
    );
  const info = await monitorClient(environment)
    .info()
    .catch(() => undefined);
  const http = daemonCall(bridge, environment);
  if (info?.version === PACKAGE_VERSION && http !== undefined) return http;
  throw new TenterhookError(
    "no_daemon",
    info === undefined
      ? "The monitor's daemon does not answer, so everything would be refused."
      : `The monitor's daemon is of version ${info.version}, and this is ${PACKAGE_VERSION}.`,
    { hint: `${RESTART} tenterhook monitor logs may say more. ${WITHOUT}` },
  );
}
