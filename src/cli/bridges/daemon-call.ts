import { AGENT_NAMES, bridgeOf } from "../../adapters/agents.ts";
import type { Bridge, SettingsPlaces } from "../../adapters/bridge.ts";
import type { HttpCall } from "../../adapters/settings/agent-settings.ts";
import { monitorClient } from "../../monitor/client.ts";
import type { DaemonInfo } from "../../monitor/daemon/api.ts";
import { hookAddress } from "../../monitor/daemon/hook-address.ts";
import { HOOK_PATH } from "../../node/hook-path.ts";
import type { Invocation } from "../command-line/command.ts";
import { orElse, projectPlaces, settingsOf } from "./settings-files.ts";

/** How an agent asks this user's daemon itself; `undefined` when no daemon has run yet. */
export function daemonCall({ adapter }: Bridge, environment: NodeJS.ProcessEnv): HttpCall | undefined {
  const address = hookAddress(environment);
  if (address === undefined) return undefined;
  const { origin, token } = address;
  return { url: `${origin}${HOOK_PATH}${adapter.name}`, token };
}

/** The daemon that runs; `undefined` also when it does not answer as it should. */
export function runningDaemon(environment: NodeJS.ProcessEnv): Promise<DaemonInfo | undefined> {
  return monitorClient(environment)
    .info()
    .catch(() => undefined);
}

/** What becomes of calls without the daemon, for people: agents whose settings here or for this user ask it refuse them. */
export async function withoutDaemon(invocation: Invocation): Promise<string> {
  const places = await projectPlaces(invocation);
  const bridges = await Promise.all(AGENT_NAMES.map(bridgeOf));
  const asking = bridges.filter((bridge) => asks(bridge, places)).map(({ table }) => table.title);
  return asking.length === 0
    ? "Hooks decide without it."
    : `${asking.join(", ")}: calls are refused until it runs again.`;
}

function asks(bridge: Bridge, places: SettingsPlaces): boolean {
  return orElse(false, () =>
    bridge.scopes.some(
      (scope) => bridge.settings.asksDaemon?.(settingsOf(bridge, scope, places).text) === true,
    ),
  );
}
