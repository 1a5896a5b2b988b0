import type { Bridge, SwitchFile } from "../../adapters/bridge.ts";
import { homeFolder } from "../../node/user-folders.ts";
import { readSettings, settingsOf } from "./settings-files.ts";

/** Why no hook of an agent runs. */
export interface OffSwitch {
  /** The file or the variable that says so. */
  readonly where: string;
  readonly why: string;
}

/** Everything that turns the hooks of an agent off. Files that can't be read turn nothing off; `doctor` reports them. */
export function offSwitches(
  bridge: Bridge,
  root: string,
  environment: NodeJS.ProcessEnv,
): readonly OffSwitch[] {
  const { switches = {}, scopes } = bridge;
  const places = { root, home: environment.HOME ?? homeFolder(), environment };
  const own = scopes.map((scope): SwitchFile => {
    const file = bridge.settingsFile(scope, places);
    return { file, switchedOff: () => bridge.switchedOff(settingsOf(bridge, scope, root, environment).text) };
  });
  const files = [...own, ...(switches.files?.(places) ?? [])].flatMap((one) => {
    const why = whyOff(one);
    return why === undefined ? [] : [{ where: one.file, why }];
  });
  const variables = (switches.variables ?? []).filter((name) => isOn(environment[name]));
  return [...files, ...variables.map((where) => ({ where, why: "it is set" }))];
}

function whyOff({ file, switchedOff }: SwitchFile): string | undefined {
  try {
    return switchedOff(readSettings(file));
  } catch {
    return undefined;
  }
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false", "no", "off"].includes(value.trim().toLowerCase());
}
